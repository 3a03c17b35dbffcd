"""Dealing: what chance decides before the first choice, and what else it could have been (L-SETUP)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.labyrinth import dice, turn
from underglow.games.labyrinth.draft import Draft
from underglow.games.labyrinth.maze import Maze
from underglow.games.labyrinth.scenario import LANES, NONE, Scenario
from underglow.games.labyrinth.state import Player, State
from underglow.games.labyrinth.task import Task
from underglow.games.labyrinth.traps import PickTrap, SetTrap
from underglow.games.state import Deck

if TYPE_CHECKING:
    from underglow.rng import Rng


def setup(scenario: Scenario, seats: int, rng: Rng) -> State:
    """The state before the first choice. ValueError: not for that number of seats."""
    if seats not in scenario.start_use:
        few, many = scenario.seats[0], scenario.seats[-1]
        raise ValueError(f"{scenario.title} is for {few} to {many} seats, not {seats}.")
    pile, rng = rng.shuffled(scenario.pile)
    pool, rng = rng.shuffled(scenario.pool)
    stock, rng = rng.shuffled(scenario.stock)
    golem_deck, rng = rng.shuffled(scenario.golem_deck)
    event_deck, rng = rng.shuffled(scenario.event_deck)
    active = scenario.switches.crystal_starts == "active"
    draft = Draft(
        State(
            scenario=scenario,
            seats=seats,
            rng=rng,
            turn=0,
            seat=0,
            actions=0,
            used=0,
            agenda=(),
            players=tuple(
                [Player(NONE, scenario.start(seats, seat), scenario.lives, 0, active, ()) for seat in range(seats)]
            ),
            maze=Maze.opening(scenario),
            golem=scenario.centre_place,
            traps=(),
            keys=tuple([hex_ * LANES for hex_ in scenario.key_hexes]),
            lying=(),
            glyphs=(),
            pile=pile,
            pool=pool,
            stock=stock,
            golem_deck=Deck(golem_deck, ()),
            event_deck=Deck(event_deck, ()),
            event=NONE,
            ended="",
            winners=(),
        )
    )
    everybody = tuple(range(seats))
    draft.push(*(Pick(seat) for seat in everybody), First(everybody, ()))
    return draft.freeze()


@dataclass(frozen=True, slots=True)
class Pick(Task):
    """A player picks a character that nobody has yet (L-SETUP-3)."""

    seat: int

    @override
    def options(self, state: State) -> Iterator[Option]:
        taken = {player.character for player in state.players}
        for number, character in enumerate(state.scenario.characters):
            if number not in taken:
                yield Option(choice(self.seat, "pick_character", (character.id,)), _pick, (number,))


def _pick(draft: Draft, task: Pick, number: int) -> None:
    player = draft.players[task.seat]
    draft.set_player(task.seat, player._replace(character=number))
    draft.tell("picked", draft.who(task.seat), draft.space(player.place))


@dataclass(frozen=True, slots=True)
class First(Task):
    """The dice decide who begins: the highest, and of equals again the highest (L-SETUP-4)."""

    among: tuple[int, ...]
    rolls: tuple[int, ...]

    @override
    def run(self, draft: Draft) -> bool:
        if len(self.rolls) < len(self.among):
            if draft.scenario.switches.dice == "typed":
                return True
            draft.push(First(self.among, (*self.rolls, dice.rolled(draft, self.among[len(self.rolls)]))))
            return False
        best = tuple([seat for seat, roll in zip(self.among, self.rolls, strict=True) if roll == max(self.rolls)])
        first, *others = best
        if others:
            draft.push(First(best, ()))
            return False
        turn.begin(draft, first)
        draft.tell("turn", draft.who(first))
        return False

    @override
    def options(self, state: State) -> Iterator[Option]:
        yield from dice.shown(self.among[len(self.rolls)], _first)


def _first(draft: Draft, task: First, roll: int) -> None:
    dice.typed(draft, task.among[len(task.rolls)], roll)
    draft.push(First(task.among, (*task.rolls, roll)))


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """Another state that seat (None: the public) could not tell from this one.

    Exchanged are the kinds of traps that lie face down or in the pool and that the seat has not seen, the order of all
    that is drawn, and the chance to come.
    """
    agenda = state.agenda
    secret: list[int] = []
    task = agenda[-1] if agenda else None
    if seat != state.seat:
        match task:
            case PickTrap(kinds=kinds):
                secret += kinds
            case SetTrap(kind=kind) if kind != NONE:
                secret.append(kind)
            case _:
                pass
    unseen = [n for n, trap in enumerate(state.traps) if not (trap.up or (seat is not None and trap.known >> seat & 1))]
    kinds, rng = rng.shuffled((*state.pool, *(state.traps[n].kind for n in unseen), *secret))
    traps = list(state.traps)
    for n, kind in zip(unseen, kinds, strict=False):
        traps[n] = traps[n]._replace(kind=kind)
    kinds = kinds[len(unseen) :]
    if secret:
        other = PickTrap(kinds[: len(secret)]) if isinstance(task, PickTrap) else SetTrap(kinds[0])
        agenda = (*agenda[:-1], other)
    pile, rng = rng.shuffled(state.pile)
    stock, rng = rng.shuffled(state.stock)
    golem, rng = rng.shuffled(state.golem_deck.draw)
    events, rng = rng.shuffled(state.event_deck.draw)
    return replace(
        state,
        rng=rng,
        agenda=agenda,
        traps=tuple(traps),
        pool=kinds[len(secret) :],
        pile=pile,
        stock=stock,
        golem_deck=Deck(golem, state.golem_deck.discard),
        event_deck=Deck(events, state.event_deck.discard),
    )
