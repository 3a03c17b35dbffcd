"""The choices of the game: which there are, what each of them does, and how it ended."""

from __future__ import annotations

from functools import lru_cache

from underglow.games.contract import Action, Event, IllegalAction, Outcome, Transfer
from underglow.games.mandalorian import movement, turn
from underglow.games.mandalorian.draft import Draft
from underglow.games.mandalorian.movement import Path
from underglow.games.mandalorian.refusal import refusal
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State, public_id, threat_number


def legal(state: State) -> tuple[Action, ...]:
    """Every choice of the seat whose turn it is, in a fixed order; empty when the game is over."""
    if state.ended:
        return ()
    scenario, seat, figure = state.scenario, state.seat, state.figure
    if state.pending is not None:
        return _effects(scenario, seat, state.acting, state.pending, movement.routes(state))
    tokens = turn.takeable(scenario, state.threats, figure.space)
    takes = tuple(Action(seat, "take", (public_id(token),)) for token in tokens)
    if state.used.bit_count() < turn.ACTIONS and figure.hand:
        return _plays(scenario, seat, figure.hand, state.used) + takes
    return (*takes, Action(seat, "end_turn"))


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after that action. IllegalAction: not legal now; the sentence says why."""
    if action not in legal(state):
        raise IllegalAction(refusal(state, action))
    scenario, args, draft = state.scenario, action.args, Draft(state)
    match action.verb:
        case "play":
            turn.lay(draft, *_laid(state, action))
        case "move":
            draft.pending = None
            movement.walk(draft, tuple(scenario.spaces.index(str(space)) for space in args))
        case "decline":
            turn.decline(draft)
        case "take":
            turn.take(draft, threat_number(str(args[0])))
        case _:
            turn.end(draft)
            return draft.freeze(), tuple(draft.events)
    turn.settle(draft)
    return draft.freeze(), tuple(draft.events)


def outcome(state: State) -> Outcome | None:
    """None while the game goes on. All seats win together, or none does."""
    match state.ended:
        case "":
            return None
        case "objective":
            return Outcome(tuple(range(state.seats)), f"The objective of {state.scenario.title} is reached.")
        case "defeat":
            return Outcome((), f"The {state.scenario.characters[state.acting].name} is defeated.")


@lru_cache(maxsize=1 << 14)
def _plays(scenario: Scenario, seat: int, hand: tuple[int, ...], used: int) -> tuple[Action, ...]:
    """Each card once on each zone without a card of this turn (M-ACT-3); equal cards are one choice."""
    faces = [scenario.cards[card] for card in dict.fromkeys(hand)]
    return tuple(
        Action(seat, "play", (zone.id, face.strength, face.ability) if face.ability else (zone.id, face.strength))
        for face in faces
        for number, zone in enumerate(scenario.zones)
        if not used >> number & 1
    )


@lru_cache(maxsize=1 << 14)
def _effects(scenario: Scenario, seat: int, character: int, zone: int, routes: tuple[Path, ...]) -> tuple[Action, ...]:
    """What the card just laid can be used for, and to decline (M-ACT-6), which for Move is to stay (M-MOVE-1)."""
    names, token = scenario.spaces, scenario.characters[character].id
    moves = tuple(
        Action(
            seat,
            "move",
            tuple(names[space] for space in path),
            hands=(Transfer(token, names[path[0]], names[path[-1]]),),
        )
        for path in routes
    )
    return (*moves, Action(seat, "decline", (scenario.zones[zone].id,)))


def _laid(state: State, action: Action) -> tuple[int, int]:
    """Return zone and card of a legal play."""
    zone, *face = action.args
    strength, ability = (*face, "")[:2]
    number = next(number for number, known in enumerate(state.scenario.zones) if known.id == zone)
    cards = state.scenario.cards
    card = next(c for c in state.figure.hand if (cards[c].strength, cards[c].ability) == (strength, ability))
    return number, card
