"""The choices of the game: which there are, what each of them does, and how it ended."""

from __future__ import annotations

from underglow.games.agenda import choices
from underglow.games.contract import Action, Event, IllegalAction, Outcome
from underglow.games.mandalorian import turn
from underglow.games.mandalorian.draft import Draft
from underglow.games.mandalorian.envelope import traitors
from underglow.games.mandalorian.refusal import refusal
from underglow.games.mandalorian.state import State
from underglow.languages import Text, say


def legal(state: State) -> tuple[Action, ...]:
    """Every choice of every seat that may choose now, in a fixed order; empty when the game is over."""
    return () if state.ended else choices(state).actions


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after that action. IllegalAction: not legal now; the sentence says why."""
    option = None if state.ended else choices(state).find(action)
    if option is None:
        raise IllegalAction(refusal(state, action))
    draft = Draft(state)
    option.do(draft, draft.tasks.pop(), *option.args)
    draft.run(turn.check)
    return draft.freeze(), tuple(draft.told)


def outcome(state: State) -> Outcome | None:
    """None while the game goes on. The seats win together, or a traitor among them alone if it was not found out."""
    if not state.ended:
        return None
    if state.ended == "objective":
        winners = tuple([seat for seat in range(state.seats) if seat not in traitors(state)])
    else:
        winners = tuple([seat for seat in traitors(state) if not state.exposed >> seat & 1])
    return Outcome(winners, reason(state))


def reason(state: State) -> Text:
    """Why the game ended as it did."""
    match state.ended:
        case "objective":
            return say("The objective of {title} is reached.", title=state.scenario.title)
        case "defeat":
            character = state.scenario.characters[state.figures[state.ended_by].character]
            return say("The {who} is defeated.", who=character.name)
        case _:
            return state.scenario.failures[state.ended_by].says
