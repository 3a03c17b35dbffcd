"""The envelope: secret roles, and accusing somebody of being a traitor (M-CAMP-3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from underglow.games.agenda import Option, choice
from underglow.games.mandalorian import program
from underglow.games.mandalorian.task import Task

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State


def traitors(position: State | Draft) -> tuple[int, ...]:
    """The seats that are traitors, found out or not."""
    envelope = position.scenario.envelope
    if not envelope or not position.roles:
        return ()
    return tuple([seat for seat in range(position.seats) if envelope.roles[position.roles[seat]].traitor])


def accusations(position: State | Draft) -> Iterator[Option]:
    """Whom the seat whose turn it is may accuse: once in a game, anybody whose role is not known."""
    if position.accused >> position.seat & 1:
        return
    for seat in range(position.seats):
        if seat != position.seat and not position.exposed >> seat & 1:
            yield Option(choice(position.seat, "accuse", (seat,)), _accuse, (seat,))


def _accuse(draft: Draft, task: Task, seat: int) -> None:
    envelope = draft.scenario.envelope
    task.resume(draft)
    if envelope:
        role = envelope.roles[draft.roles[seat]]
        draft.accused |= 1 << draft.seat
        draft.exposed |= 1 << seat
        draft.tell("accused", draft.seat, seat, role.name, reveals=True)
        program.start(draft, envelope.right if role.traitor else envelope.wrong, draft.acting)
