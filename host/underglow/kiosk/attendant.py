"""The attendant: what a table does that nobody looks after. No I/O, and no clock but the times it is told.

Whatever happens is one call with the time of it, and every call returns orders, to be obeyed in their order. A game
that was begun and left is offered for a while; only `go_on` ever goes on with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, inf
from pathlib import Path
from typing import Literal, TypedDict

from underglow.languages import say


class Phase(StrEnum):
    """What the table is doing."""

    ATTRACT = "attract"  # bots play, for whoever passes by
    CHOOSING = "choosing"  # the idle screen: a game is to be chosen
    PLAYING = "playing"
    OVER = "over"  # the outcome is to be read
    SAFE = "safe"  # something is wrong, and a sentence says what


class Fault(StrEnum):
    """What keeps a table from playing. All but GAME last until they are mended."""

    BOARD = "board"
    JOURNAL = "journal"
    GAME = "game"  # one scenario broke; it is no longer offered
    NOTHING = "nothing"  # no scenario is left


@dataclass(frozen=True, slots=True)
class Times:
    """How long things take, in seconds. The last `countdown_s` of every wait for a hand are counted down."""

    choosing_s: float = 60
    playing_s: float = 300
    over_s: float = 60
    countdown_s: float = 30
    keep_s: float = 900  # a game that was left is offered for so long
    glitch_s: float = 5  # a cable that is back within this time was never away
    fault_s: float = 20  # the sentence about one broken scenario stays so long
    retry_s: float = 30  # between two looks whether the journal can be written again


@dataclass(frozen=True, slots=True)
class Offer:
    """A scenario that can be played on this board, by these numbers of seats."""

    game: str
    scenario: str
    title: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """An unfinished game: its journal, and what people know it by."""

    journal: Path
    title: str
    steps: int


@dataclass(frozen=True, slots=True)
class Begin:
    """Order: lay out this game, and referee it."""

    offer: Offer
    seats: int


@dataclass(frozen=True, slots=True)
class GoOn:
    """Order: referee the rest of this game."""

    kept: Kept


@dataclass(frozen=True, slots=True)
class Safe:
    """Order: light the safe mode."""

    fault: Fault


Order = Begin | GoOn | Safe | Literal["attract", "welcome", "put aside", "look", "dress", "restart"]
"""What else is ordered: let bots play; light the idle screen; end the game and, if it is unfinished, `keep` it; look
whether the journal can be written; give the table the looks that staff settled; end the program, for whoever starts it
again."""


class Unfinished(TypedDict):
    """The game that was left, for pages."""

    title: str
    steps: int


class Offered(TypedDict):
    """What may be chosen, for pages."""

    game: str
    scenario: str
    title: str
    seats: list[int]


class Attendance(TypedDict):
    """What pages are told, all of it public.

    `says`: the sentences of the safe mode; `left_s`: the countdown, if it shows; `round` grows with every game.
    """

    phase: str
    says: list[str]
    left_s: int | None
    round: int
    offers: list[Offered]
    unfinished: Unfinished | None


class Attendant:
    """Looks after one table that offers these scenarios. `restart_s`: when to start afresh, once nobody is there."""

    def __init__(self, offers: Iterable[Offer], times: Times, restart_s: float = inf) -> None:
        self.phase = Phase.ATTRACT
        self.every = tuple(offers)
        """All that can be played here."""
        self.offers = self.every
        """Of these, what people may choose."""
        self.kept: Kept | None = None
        self._times = times
        self._restart_s = restart_s
        self._until_s = inf  # of this phase, if nobody touches anything
        self._kept_until_s = -inf
        self._faults: dict[Fault, tuple[str, float]] = {}  # sentence, and until when
        self._doubt: tuple[str, float] | None = None  # the board is away: sentence, and until when it may be a glitch
        self._look_s = inf
        self._round = 0

    @property
    def keep_s(self) -> float:
        """How long an unfinished game is offered."""
        return self._times.keep_s

    def start(self, now_s: float) -> list[Order]:
        """The table is switched on. A game that was `keep`t before is offered at once."""
        if not self.offers:
            return self.fault(Fault.NOTHING, say("No game here fits this board."), now_s)
        return self._welcome(now_s) if self.kept else self._attract()

    # --- what staff do ---

    def withhold(self, names: Collection[tuple[str, str]]) -> None:
        """Offer all but these scenarios, by game and name; everything, if nothing else could be played."""
        self.offers = tuple(offer for offer in self.every if (offer.game, offer.scenario) not in names) or self.every

    def begin_now(self, game: str, scenario: str, seats: int, now_s: float) -> list[Order]:
        """Begin that instead of whatever is on the table; passed over if it can't be played."""
        chosen = [offer for offer in self.every if (offer.game, offer.scenario) == (game, scenario)]
        if self.phase is Phase.SAFE or not chosen or seats not in chosen[0].seats:
            return []
        self._playing(now_s)
        return [Begin(chosen[0], seats)]

    # --- what hands do ---

    def touched(self, now_s: float) -> list[Order]:
        """Somebody touched the board or the page."""
        if self.phase is Phase.ATTRACT:
            return self._welcome(now_s)
        self._wait(now_s)
        return []

    def begin(self, game: str, scenario: str, seats: int, now_s: float) -> list[Order]:
        """Somebody chose; passed over if that is not offered now."""
        chosen = [offer for offer in self.offers if (offer.game, offer.scenario) == (game, scenario)]
        if self.phase is not Phase.CHOOSING or not chosen or seats not in chosen[0].seats:
            return []
        self._playing(now_s)
        return [Begin(chosen[0], seats)]

    def go_on(self, now_s: float) -> list[Order]:
        """Somebody wants the unfinished game back; passed over if there is none."""
        kept = self.kept
        if self.phase is not Phase.CHOOSING or kept is None or now_s >= self._kept_until_s:
            return []
        self.kept = None
        self._playing(now_s)
        return [GoOn(kept)]

    def leave(self, now_s: float) -> list[Order]:
        """Somebody wants another game."""
        return self._put_aside(now_s) if self.phase in (Phase.PLAYING, Phase.OVER) else []

    # --- what becomes of games ---

    def keep(self, kept: Kept, now_s: float, *, age_s: float = 0) -> None:
        """A game is unfinished, and nobody has played it for `age_s`."""
        self.kept = kept
        self._kept_until_s = now_s + self._times.keep_s - age_s

    def ended(self, over: bool, now_s: float) -> None:
        """Whether the game being played is over; an undo may change that."""
        if self.phase in (Phase.PLAYING, Phase.OVER) and over != (self.phase is Phase.OVER):
            self.phase = Phase.OVER if over else Phase.PLAYING
            self._wait(now_s)

    def next_round(self) -> None:
        """Another game of the bots begins."""
        self._round += 1

    # --- what goes wrong ---

    def board_down(self, says: str, now_s: float) -> None:
        """The board went away. It may be a glitch."""
        if Fault.BOARD not in self._faults:
            self._doubt = says, self._doubt[1] if self._doubt else now_s + self._times.glitch_s

    def board_up(self, now_s: float) -> list[Order]:
        """The board is there."""
        self._doubt = None
        return self.mended(Fault.BOARD, now_s)

    def broke(self, offer: Offer, says: str, now_s: float) -> list[Order]:
        """That scenario can't be played; it is offered no longer."""
        self.every = tuple(other for other in self.every if other != offer)
        self.offers = tuple(other for other in self.offers if other != offer) or self.every
        orders = self.fault(Fault.GAME, says, now_s)
        return orders if self.offers else orders + self.fault(Fault.NOTHING, says, now_s)

    def fault(self, fault: Fault, says: str, now_s: float) -> list[Order]:
        """Something keeps the table from playing."""
        self._faults[fault] = says, now_s + self._times.fault_s if fault is Fault.GAME else inf
        if fault is Fault.JOURNAL:
            self._look_s = now_s + self._times.retry_s
        orders: list[Order] = ["put aside"] if self.phase in (Phase.PLAYING, Phase.OVER) else []
        self.phase, self._until_s = Phase.SAFE, inf
        return [*orders, Safe(fault)]

    def mended(self, fault: Fault, now_s: float) -> list[Order]:
        """That is as it should be. Whoever was cut off by it has the whole time to come back."""
        self._faults.pop(fault, None)
        if self.phase is not Phase.SAFE or self._faults:
            return []
        if self.kept:
            self._kept_until_s = now_s + self._times.keep_s
        return self._welcome(now_s)

    # --- what time does ---

    def tick(self, now_s: float) -> list[Order]:
        """Nothing happened; call it at least a few times a second."""
        orders: list[Order] = []
        if self._doubt and now_s >= self._doubt[1]:
            says, self._doubt = self._doubt[0], None
            orders += self.fault(Fault.BOARD, says, now_s)
        for fault in [fault for fault, (_, until_s) in self._faults.items() if now_s >= until_s]:
            orders += self.mended(fault, now_s)
        if self.kept and self.phase is not Phase.SAFE and now_s >= self._kept_until_s:
            self.kept = None
        if Fault.JOURNAL in self._faults and now_s >= self._look_s:
            self._look_s = now_s + self._times.retry_s
            orders.append("look")
        if now_s >= self._until_s:
            orders += self._attract() if self.phase is Phase.CHOOSING else self._put_aside(now_s)
        if self.phase is Phase.ATTRACT and self.kept is None and now_s >= self._restart_s:
            self._restart_s = inf
            orders.append("restart")
        return orders

    def left_s(self, now_s: float) -> int | None:
        """The countdown, in whole seconds, until the table is taken for left; None: it does not show yet."""
        left_s = self._until_s - now_s
        return max(0, ceil(left_s)) if left_s <= self._times.countdown_s else None

    def told(self, now_s: float) -> Attendance:
        """How it stands, for pages."""
        kept = self.kept
        return {
            "phase": self.phase.value,
            "says": list(dict.fromkeys(says for says, _ in self._faults.values())),
            "left_s": self.left_s(now_s),
            "round": self._round,
            "offers": [
                {"game": offer.game, "scenario": offer.scenario, "title": offer.title, "seats": list(offer.seats)}
                for offer in self.offers
            ],
            "unfinished": {"title": kept.title, "steps": kept.steps} if kept else None,
        }

    # --- the phases ---

    def _attract(self) -> list[Order]:
        self.phase, self._until_s = Phase.ATTRACT, inf
        return ["attract"]

    def _welcome(self, now_s: float) -> list[Order]:
        self.phase = Phase.CHOOSING
        self._wait(now_s)
        return ["welcome"]

    def _playing(self, now_s: float) -> None:
        self.phase = Phase.PLAYING
        self._round += 1
        self._wait(now_s)

    def _put_aside(self, now_s: float) -> list[Order]:
        return ["put aside", *self._welcome(now_s)]

    def _wait(self, now_s: float) -> None:
        """Wait for the next touch, as long as this phase waits."""
        waits = {
            Phase.CHOOSING: self._times.choosing_s,
            Phase.PLAYING: self._times.playing_s,
            Phase.OVER: self._times.over_s,
        }
        self._until_s = now_s + waits.get(self.phase, inf)
