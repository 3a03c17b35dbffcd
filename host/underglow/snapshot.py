"""What a table tells those who watch it."""

from __future__ import annotations

from typing import TypedDict

from underglow.explain import Did, Explanation, InHand, Repair, Settled, Which
from underglow.history import Told
from underglow.languages import Text


class Choice(TypedDict):
    """Something a seat may choose without moving a token. `index` counts within its snapshot.

    `at`: the board spaces that it names, by themselves or by what lies there or is carried there; `args`: the arguments
    of the action; `open`: that it is offered is no secret of the seat, nor is any word of it.
    """

    index: int
    seat: int
    text: Text
    verb: str
    args: list[str | int]
    at: list[str]
    open: bool


class Move(Choice):
    """An action that hands can show by themselves, for whoever cannot: `token` is the first that they carry."""

    token: str


class Understood(TypedDict):
    """What the board takes the position for. `extra` and `missing` are board spaces to put right."""

    kind: str
    tokens: list[str]
    extra: list[str]
    missing: list[dict[str, object]]


class Snapshot(TypedDict):
    """What watchers are told, as JSON values, words as `Text`.

    Everything but `choices`, `moves` and what counts them is public.

    `number` grows with every step and whenever `choices` change; the `index` of `moves` counts on from these. `shown`
    is the index of the choice that the board shows and its Confirm takes, if it shows one; `log` holds the last lines
    of the `log_end` there have been. `faults` are what is wrong with the board now, in sentences: of a reader until it
    reads again, of the board's own program until it connects anew. `winners` are the seats that won a game with an
    `outcome`.
    """

    number: int
    steps: int
    title: Text
    link: dict[str, str]
    faults: list[Text]
    turn: list[int]
    prompt: Text
    understood: Understood
    choices: list[Choice]
    moves: list[Move]
    shown: int | None
    layout: dict[str, list[str]]
    tokens: dict[str, dict[str, str]]
    overlay: dict[str, str]
    lamps: list[list[str | int]]
    log: list[Text]
    log_end: int
    history: Told
    outcome: Text | None
    winners: list[int]


def understood(said: Explanation | None) -> Understood:
    """What a position was taken for, as watchers are told; None: nothing was heard of the board yet."""
    words: Understood = {"kind": "waiting", "tokens": [], "extra": [], "missing": []}
    match said:
        case Settled() | Did():
            words["kind"] = "settled"
        case InHand(tokens):
            words["kind"], words["tokens"] = "in_hand", list(tokens)
        case Which():
            words["kind"] = "which"
        case Repair(extra, missing):
            words["kind"], words["extra"] = "repair", list(extra)
            words["missing"] = [{"space": space, "tokens": list(tokens)} for space, tokens in missing]
        case None:
            pass
    return words
