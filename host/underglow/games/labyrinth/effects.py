"""The verbs of cards, tokens and abilities: what each of them does, and whether it would do anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.labyrinth import building, hurting, traps
from underglow.games.labyrinth.dice import CardTest, set_crystal
from underglow.games.labyrinth.golem import Appear, Walk
from underglow.games.labyrinth.moving import Shift
from underglow.games.labyrinth.program import Do, start
from underglow.games.labyrinth.scenario import Effect, Perform
from underglow.games.labyrinth.state import ABILITY, Glyph
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State


@dataclass(frozen=True, slots=True)
class Either(Task):
    """A seat chooses one of several programs."""

    seat: int
    place: int
    programs: tuple[int, ...]

    @override
    def options(self, state: State) -> Iterator[Option]:
        for number, program in enumerate(self.programs):
            yield Option(choice(self.seat, "choose", (number + 1,)), _either, (program,))


def _either(draft: Draft, task: Either, program: int) -> None:
    start(draft, program, task.seat, task.place)


# ── what happens to a character ──


def _lose_life(draft: Draft, effect: Effect, do: Do) -> None:
    hurting.lose_lives(draft, do.seat, effect.n)


def _gain_life(draft: Draft, effect: Effect, do: Do) -> None:
    player = draft.players[do.seat]
    lives = min(draft.scenario.lives, player.lives + effect.n)
    draft.set_player(do.seat, player._replace(lives=lives))
    draft.tell("healed", draft.who(do.seat), lives)


def _daze(draft: Draft, effect: Effect, do: Do) -> None:
    hurting.daze(draft, do.seat, effect.n)


def _refresh(draft: Draft, effect: Effect, do: Do) -> None:
    hurting.refresh(draft, do.seat, effect.n)


def _crystal(draft: Draft, effect: Effect, do: Do) -> None:
    set_crystal(draft, do.seat, active=effect.where == "active")


def _box_item(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(hurting.BoxItem(do.seat))


def _shift(draft: Draft, effect: Effect, do: Do) -> None:
    """Have a random other player name where to; not if the character was moved or has died since (L-DEATH-7)."""
    if draft.players[do.seat].place != do.place:
        return
    others = [seat for seat in range(draft.seats) if seat != do.seat]
    chance = len(others) > 1  # L-TRAP-20
    by = others[draft.below(len(others))] if chance else others[0]
    draft.tell("names", draft.who(by), draft.who(do.seat), chance=chance)
    draft.push(Shift(by, do.seat, effect.where == "adjacent_tile"))


def _choose(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(Either(do.seat, do.place, effect.programs))


def _test(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(CardTest(do.seat, 0, 0, effect.n, effect.programs[0], do.place))


def _every_character(draft: Draft, effect: Effect, do: Do) -> None:
    seats = [(draft.seat + i) % draft.seats for i in range(draft.seats)]
    draft.push(*(Do(effect.programs[0], seat, draft.players[seat].place) for seat in seats))


# ── what the active player may do ──


def _extra_action(draft: Draft, effect: Effect, do: Do) -> None:
    draft.actions += effect.n
    draft.tell("more_actions", draft.who(do.seat), draft.actions)


def _reveal_trap(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(traps.Reveal(effect.where == "anywhere"))


def _turn_tile(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(building.TurnTile())


def _choose_trap(draft: Draft, effect: Effect, do: Do) -> None:
    drawn, draft.pool = draft.pool[: effect.n], draft.pool[effect.n :]
    draft.tell("drew_traps", draft.who(do.seat), len(drawn), reveals=True)
    draft.push(traps.PickTrap(drawn))


def _lay_glyph(draft: Draft, effect: Effect, do: Do) -> None:
    player = draft.players[do.seat]
    draft.glyphs = tuple(sorted((*draft.glyphs, Glyph(player.place, effect.number, player.character))))
    glyph = draft.scenario.glyphs[effect.number]
    draft.tell("glyph_laid", draft.who(do.seat), glyph.id, draft.space(player.place))


def _swap_character(draft: Draft, effect: Effect, do: Do) -> None:
    """Take another character's place: all but its abilities is kept, and what the old one laid is idle (L-CHAR-3)."""
    playing = {player.character for player in draft.players}
    free = [number for number in range(len(draft.scenario.characters)) if number not in playing]
    if free:
        player, old = draft.players[do.seat], draft.who(do.seat)
        draft.set_player(do.seat, player._replace(character=free[draft.below(len(free))]))
        draft.used &= ABILITY - 1
        draft.tell("became", old, draft.who(do.seat), draft.space(player.place), chance=True)


# ── what the Golem does ──


def _golem_walks(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(Walk(effect.n, effect.where))


def _golem_appears(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(Appear())


VERBS: Mapping[str, Perform] = MappingProxyType(
    {
        "lose_life": _lose_life,
        "gain_life": _gain_life,
        "daze": _daze,
        "refresh": _refresh,
        "crystal": _crystal,
        "box_item": _box_item,
        "shift": _shift,
        "choose": _choose,
        "test": _test,
        "every_character": _every_character,
        "extra_action": _extra_action,
        "reveal_trap": _reveal_trap,
        "turn_tile": _turn_tile,
        "choose_trap": _choose_trap,
        "lay_glyph": _lay_glyph,
        "swap_character": _swap_character,
        "golem_walks": _golem_walks,
        "golem_appears": _golem_appears,
    }
)
"""What each verb of a scenario file does."""


# ── whether it would do anything ──


def possible(position: State | Draft, seat: int, program: int) -> bool:
    """Whether a program would change anything for a seat whose turn it is: what would not is not offered."""
    return any(_possible(position, seat, effect) for effect in position.scenario.programs[program])


def _possible(position: State | Draft, seat: int, effect: Effect) -> bool:
    player = position.players[seat]
    match effect.verb:
        case "gain_life":
            return player.lives < position.scenario.lives
        case "refresh":
            return player.daze > 0
        case "reveal_trap":
            return bool(traps.hidden(position, anywhere=effect.where == "anywhere"))
        case "turn_tile":
            return bool(building.turnable(position))
        case "choose_trap":
            return len(position.pool) >= effect.n and next(traps.places(position, seat), None) is not None
        case "lay_glyph":
            laid = [glyph for glyph in position.glyphs if glyph.kind == effect.number]
            here = any(glyph.place == player.place for glyph in laid)
            return len(laid) < position.scenario.glyphs[effect.number].n and not here
        case _:
            return True
