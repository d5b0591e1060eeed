/*
 * Users that hold several resources of a rover, and an arbiter that hands each resource to one user at a time and never
 * lets communication (0) and driving (1) be held together. After the resource arbiter of the Mars Exploration Rovers in
 * Pasareanu and Giannakopoulou, "Towards a compositional SPIN", SPIN 2006, whose model is not published.
 *
 * USERS, RESOURCES: how many. BUGGY: the arbiter forgets the conflict where the same user asks.
 *   beeline check resource_arbiter.pml --engine compositional --property \
 *     'mu: [-*."grant(*,0)".(not "cancel(*,0)")*."grant(*,1)"] false'
 */
#ifndef USERS
#define USERS 2
#endif
#ifndef RESOURCES
#define RESOURCES 2
#endif
#define NOBODY 255
#define COMMUNICATION 0
#define DRIVING 1
#ifdef BUGGY
#define CLASHES(a, b) (what == a && holder[b] != NOBODY && holder[b] != who)
#else
#define CLASHES(a, b) (what == a && holder[b] != NOBODY)
#endif

chan request = [0] of { byte, byte };
chan grant   = [0] of { byte, byte };
chan deny    = [0] of { byte, byte };
chan cancel  = [0] of { byte, byte };

active [USERS] proctype user()
{
    bit has[RESOURCES];
    byte what;

    do
    :: select(what : 0 .. RESOURCES - 1);
       if
       :: has[what] -> cancel!_pid, what; has[what] = 0
       :: !has[what] ->
          request!_pid, what;
          if
          :: grant?eval(_pid), eval(what) -> has[what] = 1
          :: deny?eval(_pid), eval(what)
          fi
       fi;
       what = 0
    od
}

active proctype arbiter()
{
    byte holder[RESOURCES] = NOBODY;
    byte who, what;

    do
    :: request?who, what ->
       if
       :: holder[what] != NOBODY || CLASHES(COMMUNICATION, DRIVING) || CLASHES(DRIVING, COMMUNICATION) ->
          deny!who, what
       :: !(holder[what] != NOBODY || CLASHES(COMMUNICATION, DRIVING) || CLASHES(DRIVING, COMMUNICATION)) ->
          grant!who, what; holder[what] = who
       fi;
       who = 0; what = 0
    :: cancel?who, what -> holder[what] = NOBODY; who = 0; what = 0
    od
}
