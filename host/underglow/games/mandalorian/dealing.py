"""Dealing: what chance decides before the first choice, and what else it could have been."""

from __future__ import annotations

from dataclasses import replace

from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import OFF, Figure, Pile, State, Threat, seat_of
from underglow.rng import Rng


def setup(scenario: Scenario, seats: int, rng: Rng) -> State:
    """The state before the first choice (M-SETUP). ValueError: that number of seats cannot play this scenario."""
    if seats not in scenario.seats:
        most = scenario.seats[-1]
        raise ValueError(f"{scenario.title} is for {f'1 to {most} seats' if most > 1 else '1 seat'}, not {seats}.")
    piles, pool, rng = _disruption(scenario, rng)
    threats, rng = _threats(scenario, rng)
    figures: list[Figure] = []
    for character in scenario.characters:
        deck, rng = rng.shuffled(character.deck)
        hand = tuple(sorted(deck[: scenario.hand_size]))
        figures.append(Figure(scenario.start, 0, hand, deck[scenario.hand_size :], ()))
    first, rng = rng.below(len(figures))  # M-SETUP-12; people who agree on somebody sit down accordingly
    return State(
        scenario=scenario,
        seats=seats,
        rng=rng,
        turn=0,
        acting=first,
        used=0,
        pending=None,
        figures=tuple(figures),
        threats=threats,
        piles=piles,
        pool=pool,
        doors_open=scenario.doors_open,
        ended="",
    )


def redeal(state: State, seat: int | None, rng: Rng) -> State:
    """Another state that seat (None: the public) could not tell from this one.

    Exchanged are the kinds of hidden threats of a shape, decks, hands of other seats, and the chance to come.
    """
    threats, rng = _other_threats(state, rng)
    figures: list[Figure] = []
    for number, figure in enumerate(state.figures):
        if seat_of(number, state.seats) == seat:
            deck, rng = rng.shuffled(figure.deck)
            figures.append(figure._replace(deck=deck))
        else:
            cards, rng = rng.shuffled(figure.hand + figure.deck)
            hand, deck = cards[: len(figure.hand)], cards[len(figure.hand) :]
            figures.append(figure._replace(hand=tuple(sorted(hand)), deck=deck))
    seed, rng = rng.word()
    return replace(state, rng=Rng(seed), figures=tuple(figures), threats=threats)


def _disruption(scenario: Scenario, rng: Rng) -> tuple[tuple[Pile, ...], tuple[int, ...], Rng]:
    """One white token in each zone, the others in the pool (M-SETUP-5)."""
    white, rng = rng.shuffled(scenario.white)
    zones = len(scenario.zones)
    return tuple(Pile((), (number,)) for number in white[:zones]), tuple(sorted(white[zones:] + scenario.other)), rng


def _threats(scenario: Scenario, rng: Rng) -> tuple[tuple[Threat, ...], Rng]:
    """A token of its shape on each icon (M-SETUP-6, 7), then those left in the box."""
    pools: dict[str, list[int]] = {}
    for shape, pool in scenario.pools.items():
        mixed, rng = rng.shuffled(pool)
        pools[shape] = list(mixed)
    laid = [
        # A face-down token where the characters start is turned up at once (M-MOVE-7).
        Threat(pools[icon.shape].pop(), icon.space, up=icon.up or icon.space == scenario.start)
        for icon in scenario.icons
    ]
    boxed = [Threat(kind, OFF, up=False) for pool in pools.values() for kind in pool]
    return (*laid, *boxed), rng


def _other_threats(state: State, rng: Rng) -> tuple[tuple[Threat, ...], Rng]:
    kinds = state.scenario.kinds
    threats = list(state.threats)
    for shape in state.scenario.pools:
        hidden = [
            number for number, threat in enumerate(threats) if not threat.up and kinds[threat.kind].shape == shape
        ]
        mixed, rng = rng.shuffled([threats[number].kind for number in hidden])
        for number, kind in zip(hidden, mixed, strict=True):
            threats[number] = threats[number]._replace(kind=kind)
    return tuple(threats), rng
