/*
 * Clients that ask a server for a resource, which it hands to one of them at a time: grant, or deny while another client
 * has it. A client that has it gives it back by cancel. BUGGY makes the server grant always.
 *
 * Components meet in handshakes only, so that each can be checked alone:
 *   beeline check client_server.pml --engine compositional \
 *     --property 'mu: [-*."grant(1)".(not "cancel(1)")*."grant(2)"] false'
 */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#define NOBODY 0

chan request = [0] of { byte };
chan grant   = [0] of { byte };
chan deny    = [0] of { byte };
chan cancel  = [0] of { byte };

active [CLIENTS] proctype client()
{
    byte me = _pid + 1;

    do
    :: request!me;
       if
       :: grant?eval(me) -> cancel!me
       :: deny?eval(me)
       fi
    od
}

active proctype server()
{
    byte holder = NOBODY;
    byte who;

    do
    :: request?who ->
       if
#ifdef BUGGY
       :: grant!who; holder = who
#else
       :: holder == NOBODY -> grant!who; holder = who
       :: holder != NOBODY -> deny!who
#endif
       fi
    :: cancel?who ->
       if
       :: holder == who -> holder = NOBODY
       :: holder != who
       fi
    od
}
