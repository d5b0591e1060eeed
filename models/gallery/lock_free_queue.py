"""A queue without locks, for several producers and one consumer: a producer takes the next place with one atomic
instruction, and then puts its item there. What could go wrong in between?

beeline check models/gallery/lock_free_queue.py            finds it
beeline check models/gallery/lock_free_queue.py -D FIXED   a consumer that looks whether the place is filled
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from beeline import Action, invariant

PLACES = 2
FIXED = "FIXED" in globals().get("DEFINES", {})


@dataclass(frozen=True)
class Queue:
    """`tail` is the next place to be taken, `head` the next one to be read; what producers are about to do, and the
    items that the consumer has got."""

    slots: tuple[str | None, ...] = (None,) * PLACES
    tail: int = 0
    head: int = 0
    first: str = "starts"
    second: str = "starts"
    got: tuple[str | None, ...] = ()


class LockFreeQueue:
    """Two producers put one item each; a consumer takes them out."""

    def initial(self) -> Queue:
        return Queue()

    def successors(self, queue: Queue) -> Iterator[tuple[Action, Queue]]:
        for who in ("first", "second"):
            doing = getattr(queue, who)
            if doing == "starts" and queue.tail < PLACES:
                place = f"has place {queue.tail}"
                yield Action(who, "takes the next place"), replace(queue, tail=queue.tail + 1, **{who: place})
            elif doing.startswith("has place"):
                place = int(doing[-1])
                filled = (*queue.slots[:place], f"item of {who}", *queue.slots[place + 1 :])
                yield Action(who, "fills its place"), replace(queue, slots=filled, **{who: "done"})
        if queue.head < queue.tail and not (FIXED and queue.slots[queue.head] is None):
            taken = queue.slots[queue.head]
            yield Action("consumer", "takes"), replace(queue, head=queue.head + 1, got=(*queue.got, taken))

    @invariant
    def nothing_is_taken_from_an_empty_place(self, queue: Queue) -> bool:
        """The consumer gets items, never nothing."""
        return None not in queue.got

    @invariant
    def nothing_is_taken_twice(self, queue: Queue) -> bool:
        """Every item is got once."""
        items = [item for item in queue.got if item is not None]
        return len(items) == len(set(items))


space = LockFreeQueue()
