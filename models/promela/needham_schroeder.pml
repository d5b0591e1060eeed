/*
 * The Needham-Schroeder public-key protocol (CACM 21, 1978) with Lowe's man in the middle (TACAS 1996).
 *
 *     1. A -> B: {Na, A}B     2. B -> A: {Na, Nb}A     3. A -> B: {Nb}B
 *
 * Keys are agents' names: only the owner of a key, or an intruder with that name, reads a message. The intruder
 * hears every message, remembers those that it cannot read, learns the nonces of those that it can, and sends
 * whatever it can put together. It is also an agent with whom others may honestly want to speak.
 *
 * Parameters: N     sessions that Alice begins, one after the other (default 1)
 *             FIXED Lowe's repair: message 2 also names its sender, and Alice checks it
 * Answers:    default: the assertion in Bob fails: he believes that he speaks to Alice, who never spoke to him.
 *             FIXED: no error.
 */
#ifndef N
#define N 1
#endif

mtype = { Alice, Bob, Intruder, NonceA, NonceB, NonceI, None };

/* A message under a key; its third field names the sender in the repaired protocol. */
typedef Crypt {
	mtype key;
	mtype first;
	mtype second;
	mtype third
}

chan net = [0] of { byte, Crypt };

bool alice_speaks_to_bob;
mtype alice_partner = None;
byte sessions;

active proctype Initiator()
{
	Crypt send, got;

	do
	:: sessions < N ->
		sessions++;
		if
		:: alice_partner = Bob; alice_speaks_to_bob = true
		:: alice_partner = Intruder
		fi;
		d_step {
			send.key = alice_partner;
			send.first = NonceA;
			send.second = Alice;
			send.third = None
		};
end_call:	net!1(send);
end_hear:	net?2(got);
end_doubt:	(got.key == Alice && got.first == NonceA);
#ifdef FIXED
end_who:	(got.third == alice_partner);
#endif
		d_step {
			send.first = got.second;
			send.second = None
		};
end_reply:	net!3(send);
		d_step {
			send.key = 0; send.first = 0; send.second = 0; send.third = 0;
			got.key = 0; got.first = 0; got.second = 0; got.third = 0
		}
	:: else -> break
	od
}

active proctype Responder()
{
	Crypt send, got;
	mtype partner;

end_listen:
	net?1(got);
end_deaf:
	(got.key == Bob);
	partner = got.second;
	d_step {
		send.key = partner;
		send.first = got.first;
		send.second = NonceB;
		send.third = Bob
	};
end_answer:
	net!2(send);
end_finish:
	net?3(got);
end_reject:
	(got.key == Bob && got.first == NonceB);
	/* Bob commits: whom he takes for Alice must be Alice, speaking to him. */
	assert(partner != Alice || alice_speaks_to_bob)
}

/* What the intruder knows: the two nonces, and one message of each kind that it could not read. */
bool knows_a, knows_b;

active proctype Spy()
{
	Crypt heard, kept, send;
	byte kind, kept_kind;

end:	do
	:: net?kind(heard) ->
		d_step {
			if
			:: heard.key == Intruder ->
				if
				:: heard.first == NonceA || heard.second == NonceA -> knows_a = true
				:: else
				fi;
				if
				:: heard.first == NonceB || heard.second == NonceB -> knows_b = true
				:: else
				fi
			:: else ->
				kept.key = heard.key;
				kept.first = heard.first;
				kept.second = heard.second;
				kept.third = heard.third;
				kept_kind = kind
			fi;
			kind = 0;
			heard.key = 0; heard.first = 0; heard.second = 0; heard.third = 0
		}
	:: kept_kind == 2 ->                          /* replays what it cannot read */
end_replay_2:	net!2(kept)
	:: kept_kind == 3 ->
end_replay_3:	net!3(kept)
	:: atomic {                                   /* opens a session with Bob, as anybody */
			send.key = Bob;
			if
			:: knows_a -> send.first = NonceA
			:: send.first = NonceI
			fi;
			if
			:: send.second = Alice
			:: send.second = Intruder
			fi;
			send.third = None
		};
end_send_1:	net!1(send)
	:: atomic {                                   /* answers Alice, or Bob's challenge */
			knows_a -> send.key = Alice;
			send.first = NonceA;
			if
			:: knows_b -> send.second = NonceB
			:: send.second = NonceI
			fi;
			send.third = Intruder
		};
end_send_2:	net!2(send)
	:: atomic {
			knows_b -> send.key = Bob;
			send.first = NonceB;
			send.second = None;
			send.third = None
		};
end_send_3:	net!3(send)
	od
}
