"""Lives, daze, and what becomes of a character that loses its last life (L-DEATH)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice, replaced
from underglow.games.labyrinth.dice import spend
from underglow.games.labyrinth.draft import held, start
from underglow.games.labyrinth.state import Lying
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State


def lose_lives(draft: Draft, seat: int, n: int) -> None:
    """Take lives from a character, never more than it has (L-DEATH-8)."""
    player = draft.players[seat]
    lost = min(n, player.lives)
    draft.set_player(seat, player._replace(lives=player.lives - lost))
    draft.tell("hurt", draft.who(seat), lost, player.lives - lost)
    if lost == player.lives:
        draft.push(Die(seat))


def daze(draft: Draft, seat: int, n: int) -> None:
    """Give a character daze tokens (L-DAZE-6: there is no end of them)."""
    player = draft.players[seat]
    draft.set_player(seat, player._replace(daze=player.daze + n))
    draft.tell("dazed", draft.who(seat), n, player.daze + n)


def refresh(draft: Draft, seat: int, n: int) -> None:
    """Take daze tokens from a character."""
    player = draft.players[seat]
    left = max(0, player.daze - n)
    draft.set_player(seat, player._replace(daze=left))
    draft.tell("rested", draft.who(seat), left)


def send_home(draft: Draft, seat: int) -> None:
    """Put a character on its own start space; there is nothing to explore there (L-TRAP-G2)."""
    player, home = draft.players[seat], start(draft, seat)
    if player.place != home:
        draft.tell("sent_home", draft.who(seat), draft.space(player.place), draft.space(home))
    draft.put(seat, home)


@dataclass(frozen=True, slots=True)
class Die(Task):
    """A character has lost its last life: it drops a key, else an item, and begins anew on its start space."""

    seat: int

    @override
    def run(self, draft: Draft) -> bool:
        if len(_losses(draft, self.seat)) > 1:
            return True
        for loss in _losses(draft, self.seat):
            _let_go(draft, self.seat, *loss)
        self.be_reborn(draft)
        return False

    @override
    def options(self, state: State) -> Iterator[Option]:
        for loss in _losses(state, self.seat):
            yield Option(choice(self.seat, "drop", (token(state, *loss),)), _drop, loss)

    def be_reborn(self, draft: Draft) -> None:
        """Go home with all lives (L-DEATH-4)."""
        switches = draft.scenario.switches
        draft.tell("died", draft.who(self.seat), draft.space(draft.players[self.seat].place))
        if switches.death_cancels_rest_of_trap:
            draft.drop(self.seat, "died")
        send_home(draft, self.seat)
        player = draft.players[self.seat]
        daze = player.daze if switches.daze_survives_rebirth else 0
        crystal = player.crystal if switches.crystal_survives_rebirth else switches.crystal_starts == "active"
        draft.set_player(self.seat, player._replace(lives=draft.scenario.lives, daze=daze, crystal=crystal))


def _losses(position: State | Draft, seat: int) -> list[tuple[bool, int]]:
    """What a dying character may drop: whether it is a key, and its number (L-DEATH-1 … 3)."""
    keys = held(position, seat)
    if keys:
        return [(True, key) for key in keys]
    return [(False, item) for item in dict.fromkeys(position.players[seat].items)]


def token(position: State | Draft, is_key: bool, number: int) -> str:
    """The token of a key or an item."""
    return key_token(number) if is_key else position.scenario.items[number].id


def key_token(number: int) -> str:
    """The token of the key that lay beside a start space."""
    return f"key{number + 1}"


def _drop(draft: Draft, task: Die, is_key: bool, number: int) -> None:
    _let_go(draft, task.seat, is_key, number)
    task.be_reborn(draft)


def _let_go(draft: Draft, seat: int, is_key: bool, number: int) -> None:
    place = draft.players[seat].place
    if is_key:
        draft.keys = replaced(draft.keys, number, place)
    else:
        spend(draft, seat, number)
        lay_item(draft, place, number)
    draft.tell("dropped", draft.who(seat), token(draft, is_key, number), draft.space(place))


def lay_item(draft: Draft, place: int, item: int) -> None:
    """Put an item on a corridor."""
    draft.lying = tuple(sorted((*draft.lying, Lying(place, item))))


@dataclass(frozen=True, slots=True)
class BoxItem(Task):
    """A character's player chooses which of its items leaves the game; with none, nothing happens (L-TRAP-21)."""

    seat: int

    @override
    def run(self, draft: Draft) -> bool:
        items = dict.fromkeys(draft.players[self.seat].items)
        if len(items) > 1:
            return True
        for item in items:
            _box(draft, self, item)
        return False

    @override
    def options(self, state: State) -> Iterator[Option]:
        for item in dict.fromkeys(state.players[self.seat].items):
            yield Option(choice(self.seat, "box", (state.scenario.items[item].id,)), _box, (item,))


def _box(draft: Draft, task: BoxItem, item: int) -> None:
    spend(draft, task.seat, item)
    draft.tell("boxed", draft.who(task.seat), draft.scenario.items[item].id)
