"""Dealing: what chance decides before the first choice, and what else it could have been."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice, replaced
from underglow.games.mandalorian import plans, turn
from underglow.games.mandalorian.draft import Draft
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import NOBODY, OFF, STACK, Child, Figure, Pile, State, Threat
from underglow.games.mandalorian.task import Task
from underglow.games.state import Deck
from underglow.languages import say
from underglow.rng import Rng

if TYPE_CHECKING:
    from collections.abc import Sequence


def setup(scenario: Scenario, seats: int, rng: Rng) -> State:
    """The state before the first choice, dealt in the order of M-SETUP-1. ValueError: not for that number of seats.

    Where the mission lists more characters than play, they are picked first of all (M-SETUP-9).
    """
    if seats not in scenario.seats:
        title, most = scenario.title, scenario.seats[-1]
        raise ValueError(say("{title} is for 1 to {most} seats, not {seats}.", title=title, most=most, seats=seats))
    planning, rng = rng.shuffled(scenario.planning_deck)
    events, rng = rng.shuffled(scenario.event_deck)
    piles, pool, rng = _disruption(scenario, rng)
    threats, rng = _threats(scenario, rng)
    roles: tuple[int, ...] = ()
    if scenario.envelope and seats >= scenario.envelope.seats:
        roles, rng = rng.shuffled(scenario.envelope.deck)
    draft = Draft(
        State(
            scenario=scenario,
            seats=seats,
            rng=rng,
            turn=0,
            place=0,
            used=0,
            agenda=(),
            figures=(),
            threats=threats,
            piles=piles,
            pool=pool,
            doors_open=scenario.doors_open,
            events=Deck(events, ()),
            planning=Deck(planning, ()),
            topped=NOBODY,
            tracks=tuple([track.start for track in scenario.tracks]),
            slots=(0,) * len(scenario.map_rules),
            child=Child(scenario.child_start, NOBODY, NOBODY, fled=False) if scenario.child_start >= 0 else None,
            known=(0,) * seats,
            roles=roles,
            accused=0,
            exposed=0,
            stirred=False,
            ended="",
            ended_by=NOBODY,
        )
    )
    party = scenario.parties[seats]
    if len(scenario.characters) > party:
        draft.push(*(Pick(figure) for figure in range(party)), FirstPlayer())
    else:
        for character in range(party):
            join(draft, character)
        FirstPlayer().run(draft)
    return draft.freeze()


def join(draft: Draft, number: int) -> None:
    """Put a character on the start space, with its skill cards shuffled and a hand drawn (M-SETUP-10, 11)."""
    scenario = draft.scenario
    deck, size = draft.shuffle(scenario.characters[number].deck), scenario.hand_size
    hand = tuple(sorted(deck[:size]))
    draft.figures = (*draft.figures, Figure(number, scenario.start, 0, hand, deck[size:], (), (), ()))


@dataclass(frozen=True, slots=True)
class Pick(Task):
    """A player picks a character that nobody has yet (M-SETUP-9)."""

    figure: int

    @override
    def options(self, state: State) -> Iterator[Option]:
        taken = {figure.character for figure in state.figures}
        for number, character in enumerate(state.scenario.characters):
            if number not in taken:
                yield Option(choice(plans.player(state, self.figure), "pick", (character.id,)), _pick, (number,))


def _pick(draft: Draft, task: Pick, number: int) -> None:
    join(draft, number)
    scenario = draft.scenario
    draft.tell("picked", scenario.characters[number].id, scenario.spaces[scenario.start], chance=True, reveals=True)


@dataclass(frozen=True, slots=True)
class FirstPlayer(Task):
    """The first player is drawn (M-SETUP-12); people who agree on somebody sit down accordingly."""

    @override
    def run(self, draft: Draft) -> bool:
        turns = draft.scenario.rotations[draft.seats]
        draft.place = draft.below(len(turns))
        draft.seat, draft.acting = turns[draft.place]
        draft.tell("turn", draft.scenario.characters[draft.figure.character].id, chance=True)
        turn.begin(draft)
        return False


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """Another state that seat (None: the public) could not tell from this one.

    Exchanged are the kinds of hidden threats of a shape, decks, hands and roles of others, the numbers of tokens that
    lie number down, and the chance to come.
    """
    threats, rng = _other_threats(state, seat, rng)
    threats, pool, rng = _other_disruption(state, threats, rng)
    figures: list[Figure] = []
    for number, figure in enumerate(state.figures):
        if seat is not None and seat in state.scenario.players[state.seats][number]:
            deck, rng = rng.shuffled(figure.deck)
            figures.append(figure._replace(deck=deck))
        else:
            cards, rng = rng.shuffled(figure.hand + figure.deck)
            hand, deck = cards[: len(figure.hand)], cards[len(figure.hand) :]
            figures.append(figure._replace(hand=tuple(sorted(hand)), deck=deck))
    events, rng = _other_events(state, rng)
    agenda, planning, rng = _other_planning(state, seat, rng)
    roles, rng = _other_roles(state, seat, rng)
    seed, rng = rng.word()
    return replace(
        state,
        rng=Rng(seed),
        agenda=agenda,
        figures=tuple(figures),
        threats=threats,
        pool=pool,
        events=events,
        planning=planning,
        roles=roles,
    )


def _disruption(scenario: Scenario, rng: Rng) -> tuple[tuple[Pile, ...], tuple[int, ...], Rng]:
    """One white token in each zone, the others in the pool (M-SETUP-5)."""
    white, rng = rng.shuffled(scenario.white)
    zones = len(scenario.zones)
    return tuple(Pile((), (number,)) for number in white[:zones]), tuple(sorted(white[zones:] + scenario.other)), rng


def _threats(scenario: Scenario, rng: Rng) -> tuple[tuple[Threat, ...], Rng]:
    """A token of its shape on each icon (M-SETUP-6, 7), those left in the box, the reinforcements (M-SETUP-8)."""
    pools: dict[str, list[int]] = {}
    for shape, pool in scenario.pools.items():
        mixed, rng = rng.shuffled(pool)
        pools[shape] = list(mixed)
    stack = [Threat(kind, STACK, up=False) for kind in pools.pop("", [])]
    laid = [
        # A face-down token where the characters start is turned up at once (M-MOVE-7).
        Threat(pools[icon.shape].pop(), icon.space, up=icon.up or icon.space == scenario.start)
        for icon in scenario.icons
    ]
    boxed = [Threat(kind, OFF, up=False) for pool in pools.values() for kind in pool]
    return (*laid, *boxed, *stack), rng


def _other_threats(state: State, seat: int | None, rng: Rng) -> tuple[tuple[Threat, ...], Rng]:
    kinds = state.scenario.kinds
    known = 0 if seat is None else state.known[seat]
    threats = list(state.threats)
    for shape in state.scenario.pools:
        hidden = [
            number
            for number, threat in enumerate(threats)
            if not threat.up and kinds[threat.kind].shape == shape and not known >> number & 1
        ]
        rng = _exchange(threats, hidden, rng)
    return tuple(threats), rng


def _exchange(threats: list[Threat], numbers: Sequence[int], rng: Rng) -> Rng:
    mixed, rng = rng.shuffled([threats[number].kind for number in numbers])
    for number, kind in zip(numbers, mixed, strict=True):
        threats[number] = threats[number]._replace(kind=kind)
    return rng


def _other_disruption(
    state: State, threats: tuple[Threat, ...], rng: Rng
) -> tuple[tuple[Threat, ...], tuple[int, ...], Rng]:
    """Exchange the tokens on enemies and in the pool: all lie number down."""
    if not any(threat.disruption for threat in threats):
        return threats, state.pool, rng
    tokens = [number for threat in threats for number in threat.disruption]
    mixed, rng = rng.shuffled((*tokens, *state.pool))
    left = list(mixed)
    changed = list(threats)
    for number, threat in enumerate(threats):
        here = len(threat.disruption)
        changed[number] = threat._replace(disruption=tuple(left[:here]))
        del left[:here]
    return tuple(changed), tuple(sorted(left)), rng


def _other_events(state: State, rng: Rng) -> tuple[Deck, Rng]:
    """Shuffle the events to come, all but the back on top, which everybody sees (M-SETUP-3)."""
    draw, discard = state.events
    if not draw:
        return state.events, rng
    backs = [event.back for event in state.scenario.events]
    mixed, rng = rng.shuffled(draw)
    top = next(at for at, card in enumerate(mixed) if backs[card] == backs[draw[0]])
    return Deck((mixed[top], *mixed[:top], *mixed[top + 1 :]), discard), rng


def _other_planning(state: State, seat: int | None, rng: Rng) -> tuple[tuple[Task, ...], Deck, Rng]:
    """Shuffle the planning cards to come, with those in another's hand; who put one on top knows it."""
    draw, discard = state.planning
    known = draw[:1] if seat is not None and state.topped == seat else ()
    sorting = next((task for task in state.agenda if isinstance(task, plans.Sort)), None)
    in_hand = () if sorting is None or seat in state.scenario.players[state.seats][sorting.figure] else sorting.cards
    mixed, rng = rng.shuffled(in_hand + draw[len(known) :])
    agenda = state.agenda
    if sorting is not None and in_hand:
        at = agenda.index(sorting)
        agenda = replaced(agenda, at, replace(sorting, cards=mixed[: len(in_hand)]))
    return agenda, Deck(known + mixed[len(in_hand) :], discard), rng


def _other_roles(state: State, seat: int | None, rng: Rng) -> tuple[tuple[int, ...], Rng]:
    if state.ended:  # now everybody knows
        return state.roles, rng
    hidden = [at for at in range(len(state.roles)) if at != seat and not (at < state.seats and state.exposed >> at & 1)]
    mixed, rng = rng.shuffled([state.roles[at] for at in hidden])
    roles = list(state.roles)
    for at, role in zip(hidden, mixed, strict=True):
        roles[at] = role
    return tuple(roles), rng
