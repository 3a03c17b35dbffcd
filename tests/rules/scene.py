"""What every game's scenes share: what happened in them, what may be chosen, and what is refused."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

import pytest

from underglow.games.contract import Action, Event, Game, IllegalAction

S = TypeVar("S", bound=Any)


class PlayedOn(Generic[S]):
    """A game being played on from a position, and what happened in it."""

    game: ClassVar[Game[Any, Any]]

    def __init__(self, state: S) -> None:
        self.state = state
        self.events: list[Event] = []

    @property
    def told(self) -> list[str]:
        """The kinds of what happened so far."""
        return [event.kind for event in self.events]

    def args(self, kind: str) -> list[tuple[str | int, ...]]:
        """What the events of a kind say."""
        return [event.args for event in self.events if event.kind == kind]

    @property
    def verbs(self) -> set[str]:
        """The verbs of what may be chosen."""
        return {action.verb for action in self.game.legal(self.state)}

    def offers(self, verb: str) -> list[tuple[str | int, ...]]:
        """The arguments of what may be chosen of a verb."""
        return [action.args for action in self.game.legal(self.state) if action.verb == verb]

    def refused(self, verb: str, *args: str | int, seat: int | None = None) -> str:
        """The sentence that refuses an action; nothing changes by it."""
        before = self.state.to_json()
        with pytest.raises(IllegalAction) as refusal:
            self.game.step(self.state, Action(self.state.seat if seat is None else seat, verb, args))
        assert self.state.to_json() == before
        return str(refusal.value)
