"""The contract between a game and the table.

A game is one folder in `underglow/games`: its package offers the functions of `Game` and nothing registers
anything. Rules are functions of values: a `State` is frozen, chance comes from a generator inside it, and a refusal
changes nothing. Whatever a game says to people is a `Text`, which every page shows in its own language. The table knows
spaces, tokens and actions; only the game knows what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from underglow.languages import Said, Text
from underglow.rng import Rng


class IllegalAction(Said, ValueError):
    """The rules refuse this action; `says` is why."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One token carried by hand; None stands for "off the board".

    A token that shows how another one lies is a part of that and stands on a part of its space: the head of a tile,
    "straight.head" on "c4.e2". Hands set both down at once; the game may take them in two choices, the whole first.

    `via` are the spaces between, in the order of the way. `onward`: the token need not stop here, so who slides it
    along the board may pass this target on the way to another one. Neither makes it another transfer.
    """

    token: str
    source: str | None
    target: str | None
    via: tuple[str, ...] = field(default=(), compare=False)
    onward: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Action:
    """A legal choice of a seat, named with its whole effect.

    `hands` are the transfers by which hands on the board mean it; a choice without any comes from page or buttons.
    """

    seat: int
    verb: str
    args: tuple[str | int, ...] = ()
    hands: tuple[Transfer, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """What a step made happen. `chance` and `reveals` mark what an undo must not cross."""

    kind: str
    args: tuple[str | int, ...] = ()
    chance: bool = False
    reveals: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """A piece in play. `kind` decides whether it is physical or virtual at a table ("character", "threat", ...)."""

    kind: str
    name: Text


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended: the seats that won, and why in one sentence."""

    winners: tuple[int, ...]
    reason: Text


class Meaning(StrEnum):
    """What a space can say. A theme turns each into colour and effect; a game never names a colour."""

    READY = "ready"  # this token is the one to lift
    REACHABLE = "reachable"  # free to move on from here
    STOP = "stop"  # reachable, and the movement ends here
    ORIGIN = "origin"  # where the lifted token came from
    TARGET = "target"
    THREAT = "threat"  # a face-down token: never by what it hides
    ENEMY = "enemy"  # a face-up enemy
    REVEALED = "revealed"  # turned face up just now
    OBJECTIVE = "objective"
    GUARDED = "guarded"  # whoever stops there is hurt
    PEEK = "peek"  # a face-down token that may be looked at
    HURT = "hurt"  # damage was dealt here just now
    PATH = "path"  # something was moved along here just now: the spaces come in the order of its way
    SPAWN = "spawn"  # reinforcements arrive here, or may
    DISRUPTED = "disrupted"  # an enemy that can do nothing for now
    CHILD = "child"  # somebody to be rescued, or who carries them
    PINNED = "pinned"  # a zone at its limit whatever else lies in it
    CALM = "calm"  # a zone well below its limit
    WARM = "warm"  # a zone at its limit
    HOT = "hot"  # a zone above its limit
    LIFE = "life"  # whose home this is: the brighter, the more lives are left
    CRYSTAL = "crystal"  # the same of who may roll once more
    DAZED = "dazed"  # actions are lost here: of who is dazed, or who stops there
    SHIFTING = "shifting"  # whoever stops there is carried off
    ABOVE = "above"  # on the bridge
    BELOW = "below"  # under the bridge
    CHOICE = "choice"  # one of several places the hands may have meant
    MISPLACED = "misplaced"  # too much here
    MISSING = "missing"  # something belongs here


@dataclass(frozen=True, slots=True)
class Cue:
    """A meaning and how strongly it is said, 1 to 255."""

    meaning: Meaning
    level: int = 255


class Scenario(Protocol):
    """What every scenario file gives the table, whatever the game."""

    @property
    def id(self) -> str:
        """The file's name without its suffix."""
        ...

    @property
    def title(self) -> Text:
        """For people."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 of the file, hex: the journal refuses to resume under another."""
        ...

    @property
    def seats(self) -> range:
        """How many seats may play."""
        ...

    def overlay(self, board: str) -> Mapping[str, str]:
        """Scenario space (and zone) to space of that board profile. KeyError: the scenario does not fit that board."""
        ...


class State(Protocol):
    """What every game's state offers. It is a frozen dataclass: hashable, and equal to every state like it."""

    @property
    def rng(self) -> Rng:
        """The chance to come."""
        ...

    def to_json(self) -> str:
        """The canonical text form: equal states give equal texts."""
        ...

    @classmethod
    def from_json(cls, text: str, scenario: Any) -> Self:
        """Read the text form. ValueError: it is not a state of that scenario, in one sentence."""
        ...


ScenarioT = TypeVar("ScenarioT", bound=Scenario)
StateT = TypeVar("StateT", bound=State)


class Game(Protocol[ScenarioT, StateT]):
    """What a game's package offers.

    Lamps are named by space ("c3": its centre) or by space and part ("c3.e0"). A board without that part leaves it out,
    so what matters has to be said at the centre, too. In the same way a token may lie at a part: "c3.e0" in the layout
    is where a reader under that edge finds the tag by which a tile's orientation is read.
    """

    def load(self, path: Path) -> ScenarioT:
        """Read a scenario file. `documents.Faults` names every fault at once, with line and key."""
        ...

    def setup(self, scenario: ScenarioT, seats: int, rng: Rng) -> StateT:
        """The state before the first choice. ValueError: that number of seats cannot play this scenario."""
        ...

    def legal(self, state: StateT) -> tuple[Action, ...]:
        """Every choice of every seat that may choose now, in a fixed order; empty when the game is over."""
        ...

    def step(self, state: StateT, action: Action) -> tuple[StateT, tuple[Event, ...]]:
        """The state after that action. IllegalAction: not legal now; the state is as it was."""
        ...

    def view(self, state: StateT, seat: int | None) -> dict[str, object]:
        """What that seat may know (None: the public), as JSON values, words as `Text`. Built by an allow-list.

        Keys: `turn` (seat to move), `tokens` (list of id, space, kind, name, face "up"/"down", and what is public of
        it), `zones` (list of id, name, strengths, sum), `seats` (list of name, health, damage, hand size `cards`, and
        `hand` for the seat itself).
        """
        ...

    def tokens(self, state: StateT) -> Mapping[str, Token]:
        """Every token now in play, by id. Public knowledge only."""
        ...

    def layout(self, state: StateT) -> Mapping[str, tuple[str, ...]]:
        """What should physically stand where: space to token ids. Public knowledge only."""
        ...

    def cues(self, state: StateT, lifted: tuple[str, ...]) -> Mapping[str, Cue]:
        """What the board should say now, given the tokens in hand. Public knowledge only."""
        ...

    def shown(self, state: StateT, action: Action) -> Mapping[str, Cue] | None:
        """What the board shows of a choice that is offered, before it is taken; empty if nothing of it lies there.

        Public knowledge only, as are then its words. None: that it is offered is for its seat alone to know.
        """
        ...

    def flashes(self, state: StateT, events: tuple[Event, ...]) -> Mapping[str, Cue]:
        """What the board should say for a moment because of these events, or any one of them.

        Spaces of a PATH come in the order of the way.
        """
        ...

    def outcome(self, state: StateT) -> Outcome | None:
        """None while the game goes on."""
        ...

    def redeal(self, state: StateT, seat: int | None, rng: Rng) -> StateT:
        """Another state that seat (None: the public) could not tell from this one: the leak test's other half."""
        ...

    def worth(self, state: StateT, seat: int) -> float:
        """How likely that seat seems to win, from 0 to 1, by what it may know: a redeal makes no difference.

        For bots, and only while the game goes on. It may be rough; the better it ranks positions, the better they play.
        """
        ...

    def refuse(self, state: StateT, stray: Transfer) -> Text:
        """Why hands must not do that now, in one sentence; "" if there is nothing to say but that it is not legal."""
        ...

    def prompt(self, state: StateT, lifted: tuple[str, ...]) -> Text:
        """What is expected now, in one sentence anybody may read."""
        ...

    def describe(self, state: StateT, action: Action) -> Text:
        """An action as words for a button or a log."""
        ...

    def narrate(self, state: StateT, event: Event) -> Text:
        """An event as words for the log; "" for what needs none. `state` is the one after the step."""
        ...
