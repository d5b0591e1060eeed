"""The first rank: it takes part as all do, and besides decides when a round is over, and when the search is."""

from __future__ import annotations

from collections.abc import Callable

from beeline.cluster.keeping import Keeper, Kept
from beeline.cluster.member import Member, NativeRank, Pace
from beeline.cluster.messages import Found, News, Order, Piece, Query, Seek, Sought, Sums, packed, unpacked
from beeline.cluster.transport import LEFT, NEWS, PIECE, QUERY, SEEK, SOUGHT, Transport
from beeline.engine import Status, core
from beeline.engine.budget import KEEPING, doing
from beeline.records import Record, field, replace

Step = tuple[int, tuple[int, ...]]
Watch = Callable[["Overview"], None]
BETWEEN_LOOKS = 0.1
LONGER_ON_DISK = 10
"""How many times longer a rank may be silent while it merges files."""
IN_LAYER = 5.0
"""Seconds after which a checkpoint that is due waits for the end of a layer no longer."""


class Bounds(Record, frozen=True):
    """How far all ranks together may go."""

    seconds: float | None = None
    states: int | None = None
    depth: int | None = None


class Overview(Record, frozen=True):
    """All ranks at a glance, for whoever watches."""

    figures: dict[str, int]
    """The sums of what all ranks have counted."""
    balance: float
    """The states of the rank that has most, divided by the mean."""
    slowest: int
    """States that wait to be expanded by the rank where most do."""
    round: int
    seconds: float


class WayBack(Record):
    """To a state of some depth, as far as it is known."""

    state: tuple[int, ...] = ()
    depth: int = 0
    answers: int = 0
    """Ranks that know of no state before it."""
    steps: list[Step] = field(default_factory=list)
    """From there on, the last one first."""


class Root(Member):
    """The first rank. When it is `done`, `status` says how the search ended, `best` and `path` what it found."""

    def __init__(
        self,
        transport: Transport,
        native: NativeRank,
        pace: Pace,
        bounds: Bounds,
        watch: Watch | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        super().__init__(transport, native, pace, keeper)
        kept = None if keeper is None else keeper.kept
        self.bounds = bounds
        self.status: Status | None = None
        self.cause = ""
        """Why it ended, where the status alone does not say it."""
        self.totals: Sums | None = None
        """What the last wave counted."""
        self.best: Found | None = None
        self.truncated = False
        """A limit was reached before it was clear that nothing nearer is to be found."""
        self.path: list[Step] = []
        self.waves = 0
        self._last_layer = 0
        """That has states."""
        self._previous: Sums | None = None
        self._states_before = 0 if kept is None else kept.states_before
        self._last_save = self._complete = 0 if kept is None else kept.number
        self._saving: Kept | None = None
        """The checkpoint whose parts are being written."""
        self._end_after: tuple[Status, str] | None = None
        """How the search is to end when a checkpoint is left."""
        self._has_saved = False
        """Whether all were asked to save during the present pause."""
        self._interrupts = 0
        self._pieces: dict[int, Piece] = {}
        self._way_back = WayBack()
        self._news: dict[int, dict[str, int]] = {}
        self._heard = dict.fromkeys(range(1, transport.ranks), transport.now())
        self.is_broken = False
        """Whether a rank is gone."""
        self._left: set[int] = set()
        self._over = False
        self._watch = watch
        self._began = self._last_look = self._saved_at = transport.now()

    def begin(self) -> None:
        """Puts the search on its way."""
        if self.keeper is None or self.keeper.kept is None:
            self._guarded(self.native.begin)
        self._next_wave()

    @property
    def deepest(self) -> int:
        """The most steps to a state from the start."""
        return max(self._last_layer, self.totals.deepest if self.totals is not None else 0)

    def take(self, sender: int, tag: int, data: bytes | bytearray) -> None:
        if sender in self._heard:
            self._heard[sender] = self.transport.now()
        if tag == NEWS:
            self._hear(sender, unpacked(data, News))
        elif tag == PIECE and self.on_disk is not None:
            source = unpacked(data, Piece)
            self._trace_back(source.steps[0][1], source.depth)
        elif tag == PIECE:
            self._take_piece(unpacked(data, Piece))
        elif tag == SOUGHT:
            self._tell_sought(unpacked(data, Sought))
        elif tag == LEFT:
            self._left.add(sender)
            self.done = self._over and len(self._left) == self.transport.ranks - 1
        else:
            super().take(sender, tag, data)

    def step(self) -> bool:
        busy = super().step()
        if not self.done and self.transport.now() >= self._last_look + BETWEEN_LOOKS:
            self._last_look = self.transport.now()
            self._look()
        return busy

    def stop(self, status: Status, cause: str = "", at_once: bool = False) -> None:
        """Ends the search, whatever is still to be done but leaving a checkpoint; `at_once` without one."""
        if self.status is None and self._leaves_checkpoint(status, cause) and not at_once:
            if self._end_after is None:
                self._end_after = status, cause
                doing(KEEPING)
                self._pause()
        elif self.status is None:
            self.status, self.cause = status, cause
            self._previous = None
            self._next_wave(ends=True)

    def interrupt(self) -> None:
        """Asked for once, a checkpoint is left first."""
        self._interrupts += 1
        self.stop(Status.INTERRUPTED, at_once=self._interrupts > 1)

    # Checkpoints within a round: when nobody expands and nothing is under way, all save, and then they go on, or end.

    def _leaves_checkpoint(self, status: Status, cause: str) -> bool:
        """Whether all ranks still have all of their states."""
        return self.keeper is not None and status not in (Status.MEMORY, Status.DISK) and not cause

    def _pause(self) -> None:
        if not self._order.pause:
            self._previous, self._has_saved = None, False
            self._next_wave(pause=True)

    def _at_rest(self, sums: Sums) -> None:
        """There is a pause, and all is quiet."""
        self._previous = None
        if not self._has_saved and (sums.best is None or not self._is_in_memory_by_layers):
            self._has_saved = True
            self._next_wave(save=self._begin_save(), complete=self._complete)
        elif self._end_after is not None:
            self.stop(*self._end_after, at_once=True)
        else:
            self._next_wave(pause=False, complete=self._complete)

    # Decisions

    def _next_wave(self, **changes: bool | int | tuple[int, int] | None) -> None:
        self.waves += 1
        self._obey(replace(self._order, wave=self._order.wave + 1, over=False, **changes))

    def _report(self, sums: Sums) -> None:
        """A wave is complete."""
        previous, self._previous = self._previous, sums
        self.totals = sums
        self._note_saved(sums)
        if self.status is None and (sums.failure or sums.limit):
            self._stop_for(sums.limit, sums.failure)
        elif not is_quiet(previous, sums):
            self._next_wave()
        elif self.status is not None:
            self._take_what_was_found(sums)
            self._finish()
        elif self._order.pause:
            self._at_rest(sums)
        else:
            self._previous = None
            self._decide(sums)

    def _take_what_was_found(self, sums: Sums) -> None:
        """A violation is worth more than a limit that was reached in the same round."""
        if sums.best is not None and not self.cause:
            self.status, self.best, self.truncated = Status.FOUND, sums.best, True

    def _decide(self, sums: Sums) -> None:
        """A round is over."""
        stored = sums.figures["stored"]
        if sums.best is not None and (sums.next is None or sums.best.steps <= sums.next[0]):
            self.best = sums.best
            self._end(Status.FOUND)
        elif self.bounds.states is not None and stored > self.bounds.states:
            self.stop(Status.STATES)
        elif self.on_disk is not None and sums.next is not None:
            self._next_round(bucket=sums.next)
        elif not self._is_in_memory_by_layers or stored == self._states_before:
            self._end(Status.DEPTH if sums.cut else Status.EXHAUSTED)
        else:
            layer = self._order.round  # the next one
            save = self._next_save()  # tells what there was before this one
            self._states_before, self._last_layer = stored, layer
            self._next_round(save, probe=layer == self.bounds.depth)

    @property
    def _is_in_memory_by_layers(self) -> bool:
        return self.directed is None and self.on_disk is None

    def _next_round(self, save: int | None = None, **changes: bool | tuple[int, int]) -> None:
        save = self._next_save() if save is None else save
        self._next_wave(round=self._order.round + 1, save=save, complete=self._complete, **changes)

    def _note_saved(self, sums: Sums) -> None:
        saving, self._saving = self._saving, None
        if saving is None or self.keeper is None or sums.saved != saving.number:
            return
        if self.keeper.complete(saving):
            self._complete = saving.number

    def _next_save(self) -> int:
        """The number of the checkpoint that all ranks are to leave now; 0 if it is not time."""
        keeper, now = self.keeper, self.transport.now()
        return self._begin_save() if keeper is not None and now >= self._saved_at + keeper.every else 0

    def _begin_save(self) -> int:
        assert self.keeper is not None
        self._saved_at = self.transport.now()
        self._last_save += 1
        identity = self.keeper.identity
        self._saving = Kept(self._last_save, self.transport.ranks, self._order.round, self._states_before, identity)
        return self._last_save

    def _end(self, status: Status) -> None:
        self.status = status
        self._finish()

    def _finish(self) -> None:
        """Nobody works and nothing is under way: a path is asked for, and then all may leave."""
        if self.best is not None and self.best.source is not None and not self._is_whole():
            self.transport.send(self.best.rank, QUERY, packed(Query(self.best.source, 0)))
            return
        self._over = True
        answered = self.status in (Status.FOUND, Status.EXHAUSTED, Status.DEPTH)
        if answered and self.keeper is not None:
            self.keeper.forget()
        self._obey(Order(wave=self._order.wave, round=self._order.round, ends=True, over=True, answered=answered))

    def _leave(self) -> None:
        self.done = len(self._left) == self.transport.ranks - 1

    def _take_piece(self, piece: Piece) -> None:
        self._pieces[piece.position] = piece
        if self._is_whole():
            pieces = [self._pieces[position] for position in sorted(self._pieces)]
            self.path = [step for piece in pieces for step in piece.steps][::-1]
            self._finish()

    # The way back through files: to each state, all ranks are asked for one before it.

    def _trace_back(self, state: tuple[int, ...], depth: int) -> None:
        assert self.on_disk is not None
        self._way_back = WayBack(state, depth, steps=self._way_back.steps)
        if depth == 0:
            first = self.on_disk.initial_action(state), state
            self.path = [first, *reversed(self._way_back.steps)]
            self._finish()
            return
        seek = Seek(depth - 1, state)
        for rank in range(1, self.transport.ranks):
            self.transport.send(rank, SEEK, packed(seek))
        self._begin_seeking(seek)

    def _tell_sought(self, sought: Sought) -> None:
        way = self._way_back
        if sought.depth != way.depth - 1:
            return  # another rank was quicker
        way.answers += 1
        if sought.state:
            self._seeks = None
            way.steps.append((sought.action, way.state))
            self._trace_back(sought.state, sought.depth)
        elif way.answers == self.transport.ranks:
            self._break_off("the files on disk do not hold what was written to them")

    def _is_whole(self) -> bool:
        if self.on_disk is not None:
            return bool(self.path)
        position = 0
        while position in self._pieces:
            piece = self._pieces[position]
            if piece.first:
                return True
            position += len(piece.steps)
        return False

    # Watching

    def _send_news(self, news: News) -> None:
        self._hear(0, news)

    def _hear(self, sender: int, news: News) -> None:
        self._news[sender] = news.figures
        self._stop_for(news.limit, news.failure)
        if news.best is not None and (self._order.bound is None or news.best < self._order.bound):
            self._obey(replace(self._order, bound=news.best))

    def _stop_for(self, limit: str, failure: str) -> None:
        if failure:
            self.stop(Status.INTERRUPTED, failure)
        elif limit:
            self.stop(Status(limit))

    def _look(self) -> None:
        """Looks at limits, and whether all ranks are still there."""
        now, bounds = self.transport.now(), self.bounds
        overview = self.overview()
        if bounds.seconds is not None and now - self._began >= bounds.seconds:
            self.stop(Status.TIME)
        elif bounds.states is not None and overview.figures.get("stored", 0) > bounds.states:
            self.stop(Status.STATES)
        elif self.keeper is not None and now >= self._saved_at + self.keeper.every + IN_LAYER:
            self._pause()
        for rank, heard in self._heard.items():
            if rank not in self._left and self._is_gone(rank, now - heard):
                self._break_off(f"rank {rank} is gone")
        if self.transport.failure:
            self._break_off(self.transport.failure)
        if self._watch is not None:
            self._watch(overview)

    def _break_off(self, cause: str) -> None:
        """There is no orderly end any more."""
        if not self.is_broken:
            self.status, self.cause, self.best = Status.INTERRUPTED, cause, None
            self.done = self.is_broken = True

    def _is_gone(self, rank: int, silence: float) -> bool:
        alive = self.transport.is_alive(rank)
        patience = self.transport.patience * (LONGER_ON_DISK if self.on_disk is not None else 1)
        return alive is False or (alive is None and silence > patience)

    def overview(self) -> Overview:
        """What all ranks told last."""
        all_news = list(self._news.values()) or [self.figures()]
        figures = {name: sum(news[name] for news in all_news) for name in all_news[0]}
        most, mean = max(news["stored"] for news in all_news), figures["stored"] / len(all_news)
        slowest = max(news["waiting"] for news in all_news)
        seconds = self.transport.now() - self._began
        return Overview(figures, most / mean if mean else 1.0, slowest, self._order.round, seconds)


def is_quiet(previous: Sums | None, sums: Sums) -> bool:
    """Whether two waves, one after the other, prove that nobody works and nothing is under way."""
    return previous is not None and sums.sent == sums.received == previous.sent == previous.received


def raise_failure(cause: str) -> None:
    """Raises what the space of a rank raised."""
    if cause == "TooManyProcesses":
        raise core.TooManyProcesses
    if cause.startswith("CheckpointError: "):
        raise core.CheckpointError(cause.partition(": ")[2])
    if ":" in cause:
        raise RuntimeError(f"a rank failed: {cause}")
