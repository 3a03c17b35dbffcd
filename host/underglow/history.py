"""What was played and what of it was taken back: a fold over entries, every one of which is in the journal.

Undo never rolls again and never deletes: the generator is in the state, so a step taken back and played again comes
out the same. What a seat did it takes back alone, unless something was rolled or revealed by it; whatever else is taken
back, every seat agrees to, and somebody alone says it twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal, Self, TypedDict, cast

from underglow.games.contract import Action, Event, Game, IllegalAction
from underglow.languages import SILENCE, Said, Text, listed, say, together

_SHOWN = 5
"""Steps that a page shows, newest of those played and next of those undone."""


class NotNow(Said, ValueError):
    """There is nothing to undo, redo or agree to."""


@dataclass(frozen=True, slots=True)
class Step:
    """A seat's action, by what tells it from the others that were legal."""

    do: Literal["step"] = field(default="step", init=False, repr=False)
    seat: int
    verb: str
    args: tuple[str | int, ...] = ()

    @classmethod
    def of(cls, action: Action) -> Self:
        """The entry of an action: all but the hands that made it."""
        return cls(action.seat, action.verb, action.args)


@dataclass(frozen=True, slots=True)
class Undo:
    """A seat takes the last step back, or asks whether all agree to it."""

    do: Literal["undo"] = field(default="undo", init=False, repr=False)
    seat: int


@dataclass(frozen=True, slots=True)
class Agree:
    """A seat agrees to the undo that was asked for."""

    do: Literal["agree"] = field(default="agree", init=False, repr=False)
    seat: int


@dataclass(frozen=True, slots=True)
class Redo:
    """A seat plays its step again that was taken back last."""

    do: Literal["redo"] = field(default="redo", init=False, repr=False)
    seat: int


Turning = Undo | Agree | Redo
Entry = Step | Turning


class Line(TypedDict):
    """A step in words, and whose it was."""

    seat: int
    text: Text


class Told(TypedDict):
    """The history as pages show it, all of it public.

    `played` are the last steps, newest last; `undone` those that can be played again, next first. `alone`: the seat of
    the last one may take it back by itself. `missing` are the seats that have yet to agree to an undo; None: nobody
    asks for one.
    """

    played: list[Line]
    undone: list[Line]
    alone: bool
    missing: list[int] | None


@dataclass(frozen=True, slots=True)
class Played:
    """A step: the action, what it made happen, and the state after it."""

    action: Action
    events: tuple[Event, ...]
    state: Any

    @property
    def seals(self) -> bool:
        """Whether something was rolled by it or seen that nobody can unsee."""
        return any(event.chance or event.reveals for event in self.events)


@dataclass(frozen=True, slots=True)
class History:
    """A game from `start` on, by seats 0 to `seats` - 1.

    `undone` are the steps taken back since one was played last, the next to redo at the end. `agreed` are the seats
    that agree to taking back the last step; None: nobody asks.
    """

    game: Game[Any, Any] = field(repr=False, compare=False)
    start: Any
    seats: int
    played: tuple[Played, ...] = ()
    undone: tuple[Played, ...] = ()
    agreed: frozenset[int] | None = None

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.played[-1].state if self.played else self.start

    @property
    def before(self) -> Any:
        """The game's state before the last step; at the start, the start."""
        return self.played[-2].state if len(self.played) > 1 else self.start

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that have yet to agree to the undo asked for, in order."""
        return () if self.agreed is None else tuple(sorted(set(range(self.seats)) - self.agreed))

    def then(self, entry: Entry) -> Self:
        """The history after one more entry. `IllegalAction`: the rules refuse it. `NotNow`: there is no such thing."""
        if entry.seat not in range(self.seats):
            raise NotNow(say("This table has no seat {seat}.", seat=entry.seat))
        match entry:
            case Step():
                same = (action for action in self.game.legal(self.state) if Step.of(action) == entry)
                if (action := next(same, None)) is None:
                    raise IllegalAction(say("The rules refuse it now: {verb}.", verb=entry.verb))
                return self.step(action)
            case Undo(seat):
                return self._undo(seat)
            case Agree(seat):
                return self._agree(seat)
            case Redo(seat):
                return self._redo(seat)

    def step(self, action: Action) -> Self:
        """The history after one more action. `IllegalAction`: the rules refuse it."""
        state, events = self.game.step(self.state, action)
        return replace(self, played=(*self.played, Played(action, events, state)), undone=(), agreed=None)

    def askers(self, kind: type[Turning]) -> tuple[int, ...]:
        """Whose word it is when the table says it and nobody says who: the step's own seat, all who have to agree."""
        if kind is Agree:
            return self.missing or (0,)
        steps = self.played if kind is Undo else self.undone
        return (steps[-1].action.seat if steps else 0,)

    def _undo(self, seat: int) -> Self:
        if not self.played:
            raise NotNow(say("Nothing has been played that could be taken back."))
        if self.agreed is not None:
            raise NotNow(say("That is asked already: agree to it, or play on."))
        last = self.played[-1]
        if last.action.seat == seat and not last.seals:
            return self._taken_back()
        # Alone, one would agree with oneself before one has read what is asked.
        return replace(self, agreed=frozenset({seat} if self.seats > 1 else ()))

    def _agree(self, seat: int) -> Self:
        if self.agreed is None:
            raise NotNow(say("Nobody asks to take anything back."))
        if seat in self.agreed:
            raise NotNow(say("You have agreed already; the others have to."))
        asking = replace(self, agreed=self.agreed | {seat})
        return asking if asking.missing else asking._taken_back()

    def _taken_back(self) -> Self:
        return replace(self, played=self.played[:-1], undone=(*self.undone, self.played[-1]), agreed=None)

    def _redo(self, seat: int) -> Self:
        if not self.undone:
            raise NotNow(say("Nothing was taken back that could be played again."))
        *rest, again = self.undone
        if again.action.seat != seat:
            raise NotNow(say("That was another seat's step: only that seat plays it again."))
        return replace(self, played=(*self.played, again), undone=tuple(rest), agreed=None)

    # --- words ---

    def told(self) -> Told:
        """The history for pages."""
        shown, coming = self.played[-_SHOWN:], self.undone[: -_SHOWN - 1 : -1]
        first = self.played[-_SHOWN - 1].state if len(self.played) > _SHOWN else self.start
        return {
            "played": self._lines(first, shown),
            "undone": self._lines(self.state, coming),
            "alone": bool(self.played) and not self.played[-1].seals,
            "missing": None if self.agreed is None else list(self.missing),
        }

    def question(self) -> Text:
        """What is asked of those who have to agree, in one sentence; "" if nothing is."""
        if self.agreed is None:
            return SILENCE
        last = self.played[-1]
        return together(
            say("Take this back: {step}?", step=self._line(self.before, last)["text"]),
            say("It cannot be unseen, and would come out the same again.") if last.seals else SILENCE,
            say("Confirm to agree, or play on."),
        )

    def news(self, entry: Turning) -> Text:
        """A line for the log about this entry, which led to this history."""
        match entry:
            case Redo():
                return say("Played again: {step}", step=self._line(self.before, self.played[-1])["text"])
            case Undo(seat) if self.agreed is not None:
                step = self._line(self.before, self.played[-1])["text"]
                return say("To be taken back, asks {who}: {step}", who=self.name(seat), step=step)
            case Agree(seat) if self.agreed is not None:
                return say("Agreed: {who}.", who=self.name(seat))
            case Undo() | Agree():
                return say("Taken back: {step}", step=self._line(self.state, self.undone[-1])["text"])

    def name(self, seat: int) -> Text:
        """A seat by the names the game gives it."""
        rows = cast("Sequence[Mapping[str, Any]]", self.game.view(self.state, None)["seats"])
        names = [cast("Text", row["name"]) for number, row in enumerate(rows) if row.get("seat", number) == seat]
        return listed(names, "{others:*} & {last:*}") if names else say("seat {n}", n=seat + 1)

    def _lines(self, before: Any, steps: tuple[Played, ...]) -> list[Line]:
        befores = (before, *(step.state for step in steps))
        return [self._line(at, step) for at, step in zip(befores, steps, strict=False)]

    def _line(self, before: Any, step: Played) -> Line:
        return {"seat": step.action.seat, "text": self.game.describe(before, step.action)}


def digest(state: Any) -> str:
    """SHA-256 of a state's text form, hex: equal for equal states, on every machine."""
    return sha256(state.to_json().encode()).hexdigest()
