"""The choices of the game: which there are, what each of them does, and how it ended."""

from __future__ import annotations

from underglow.games.agenda import choices
from underglow.games.contract import Action, Event, IllegalAction, Outcome
from underglow.games.labyrinth.draft import Draft
from underglow.games.labyrinth.phrases import who
from underglow.games.labyrinth.refusal import refusal
from underglow.games.labyrinth.state import State
from underglow.languages import say


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
    draft.run()
    return draft.freeze(), tuple(draft.told)


def outcome(state: State) -> Outcome | None:
    """None while the game goes on."""
    if not state.ended:
        return None
    first, *others = state.winners
    if others:
        return Outcome(state.winners, say("The last round is over, and those in front are equally far."))
    winner = who(state, first)
    if state.ended == "centre":
        return Outcome(state.winners, say("{who:capital} stands alone on the centre with a key.", who=winner))
    return Outcome(state.winners, say("The last round is over, and {who} came furthest.", who=winner))
