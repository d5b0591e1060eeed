/*
 * The General Inter-ORB Protocol of CORBA, much simplified: our own model of the situation that Kamel and Leue
 * describe (Formalization and validation of GIOP using Promela and Spin, STTT 2, 2000).
 *
 * Each user calls an object through its client, which owns one connection. A transport carries the messages of a
 * connection to the agent on the server side and back. The agent hands requests to the server where the object
 * lives now, answers with the new address when the object has moved, and may close a connection that it believes
 * to be idle; what still arrives on a closed connection is lost.
 *
 * Parameters: N     clients (default 1)
 *             M     servers (default 2)
 *             CALLS calls that each user makes (default 2)
 *             CLOSES times that the agent closes each connection (default 1)
 *             FIXED a client that is told of a closed connection opens it again *and* sends its request once more
 * Answers:    default: deadlock: the agent closes the connection while the request is on its way, the client only
 *             opens the connection again and waits for a reply that nobody will send. FIXED: no error.
 */
#ifndef N
#define N 1
#endif
#ifndef M
#define M 2
#endif
#ifndef CALLS
#define CALLS 2
#endif
#ifndef CLOSES
#define CLOSES 1
#endif

mtype:message = { Request, Reply, Forward, Close, Open };

typedef Header {
	bit serial;             /* tells a reply from that to the call before */
	byte server
}

chan call[N] = [0] of { bit };
chan result[N] = [0] of { bit };

chan up[N] = [1] of { mtype:message, Header };          /* client to transport */
chan down[N] = [1] of { mtype:message, Header };        /* transport to client */
chan line[N] = [1] of { mtype:message, Header };        /* agent to transport */
chan arrivals = [N] of { mtype:message, byte, Header }; /* transports to agent */
chan work[M] = [N * (CLOSES + 1)] of { byte, Header };    /* room for all, or agent and server block */
chan done = [0] of { byte, Header };

byte home;              /* the server where the object lives */
bool open[N] = true;
byte pending[N];        /* requests that the agent has handed on and not seen answered */

proctype User(byte me)
{
	byte calls;
	bit serial;

	do
	:: calls < CALLS ->
		call[me]!serial;
		result[me]?eval(serial);
		calls++;
		serial = 1 - serial
	:: else -> break
	od
}

proctype Client(byte me)
{
	Header head;
	bit serial;
	byte address;

end:	do
	:: call[me]?serial ->
send:		atomic { head.serial = serial; head.server = address };
		up[me]!Request(head);
wait:		if
		:: down[me]?Reply(head) ->
			if
			:: head.serial == serial -> result[me]!serial
			:: else -> goto wait
			fi
		:: down[me]?Forward(head) ->
			address = head.server;
			if
			:: head.serial == serial -> goto send
			:: else -> goto wait
			fi
		:: down[me]?Close(head) ->
			up[me]!Open(head);
#ifdef FIXED
			goto send
#else
			goto wait
#endif
		fi
	:: down[me]?Close(head) ->
		up[me]!Open(head)
	:: down[me]?Reply(head)         /* to a request that was sent twice */
	:: down[me]?Forward(head)
	od
}

/* A connection carries both ways at once, so it is two processes. */
proctype Upward(byte me)
{
	mtype:message kind;
	Header head;

end:	do
	:: up[me]?kind(head) -> arrivals!kind(me, head)
	od
}

proctype Downward(byte me)
{
	mtype:message kind;
	Header head;

end:	do
	:: line[me]?kind(head) -> down[me]!kind(head)
	od
}

proctype Server(byte me)
{
	byte client;
	Header head;

end:	do
	:: work[me]?client(head) -> done!client(head)
	od
}

active proctype Agent()
{
	byte client;
	Header head;

end:	do
	:: arrivals?Request(client, head) ->
		if
		:: open[client] && head.server == home ->
			pending[client]++;
			work[home]!client(head)
		:: open[client] && head.server != home ->
			head.server = home;
			line[client]!Forward(head)
		:: else                 /* lost with the connection */
		fi
	:: arrivals?Open(client, head) ->
		open[client] = true
	:: done?client(head) ->
		pending[client]--;
		if
		:: open[client] -> line[client]!Reply(head)
		:: else
		fi
	:: atomic {                     /* the object moves while nobody works on it */
			home + 1 < M -> home++
		}
	od
}

/* The agent's timer: closes a connection that looks idle. */
proctype Closer(byte me)
{
	Header head;
	byte closes;

end:	do
	:: atomic {
			closes < CLOSES && open[me] && pending[me] == 0 && nfull(line[me]) ->
			closes++;
			open[me] = false;
			line[me]!Close(head)
		}
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. M - 1) {
			run Server(i)
		};
		for (i : 0 .. N - 1) {
			run Upward(i);
			run Downward(i);
			run Closer(i);
			run Client(i);
			run User(i)
		}
	}
}
