"""Two phones and a public page play real games: what each socket carried is searched for the others' secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any, cast

import pytest
from guests import LAN, Network, codes
from ruled_table import RuledTable
from secrecy import searched
from visiting import Visitor
from websockets.sync.client import connect

from underglow import profile
from underglow.games.labyrinth import legal, step
from underglow.kiosk import Kiosk, messages
from underglow.profile import Board
from underglow.rng import Rng
from underglow.snapshot import Snapshot

STEPS = 80


def with_a_snarer(state: Any) -> Any:
    """Seat 1 plays the character that looks at two traps and lays one of them."""
    while (offered := legal(state))[0].verb == "pick_character":
        names = [action.args[0] for action in offered]
        pick = names.index("snarer") if offered[0].seat == 1 else 0
        state, _ = step(state, offered[pick])
    return state


class Party:
    """A table with two phones and a public page, each of which has heard everything so far."""

    def __init__(self, board: Board, table: RuledTable, doors: ExitStack) -> None:
        self.table = table
        kiosk = doors.enter_context(Kiosk(board, table))
        address = kiosk.start(lan=LAN)
        network = Network(address.split("/")[2].replace("127.0.0.1", LAN), doors)
        table.watch(kiosk.publish)
        own = doors.enter_context(connect(address.replace("http", "ws") + "live?seat=public"))
        public = Visitor(own)
        offered = codes(public)
        self.guests: dict[int | None, Visitor] = {
            0: network.seated(offered[0])[0],
            1: network.seated(offered[1], "127.0.0.9")[0],
            None: public,
        }
        self.told: dict[int | None, dict[int, str]] = {guest: {} for guest in self.guests}
        self.listen()

    def listen(self) -> None:
        for seat, guest in self.guests.items():
            guest.hear("table", lambda told: told["number"] == self.table.number)
            self.told[seat][self.table.number] = guest.heard[-1]

    def play(self, index: int) -> None:
        action = self.table.legal[index]
        self.guests[action.seat].say({"choose": index, "number": self.table.number})
        self.table.play()
        self.listen()

    def searched(self) -> int:
        """Search what everybody heard for what only another may know; return how many secrets there were to find."""
        found = 0
        for number, state in self.table.states.items():
            views = {seat: self.table.game.view(state, seat) for seat in self.guests}
            found += sum(searched(heard[number], guest, [views]) for guest, heard in self.told.items())
        return found

    def exact(self) -> None:
        """What everybody heard is their own view and their own choices."""
        for number, state in self.table.states.items():
            for guest, heard in self.told.items():
                message = json.loads(heard[number])["table"]
                assert message["view"] == json.loads(json.dumps(self.table.game.view(state, guest)))
                assert all(
                    choice["seat"] == guest if guest is not None else choice["open"] for choice in message["choices"]
                )


@pytest.fixture
def doors() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def same_to_others(party: Party) -> int:
    """Deal anew whatever a guest cannot know: its message is the same to the letter. Return how often that differed."""
    differed = 0
    game = party.table.game
    for number, state in party.table.states.items():
        for guest, heard in party.told.items():
            other = game.redeal(state, guest, Rng(number))
            differed += other != state
            shown = json.loads(heard[number])["table"]["view"]
            assert json.loads(json.dumps(game.view(other, guest))) == shown
    return differed


def test_hands_of_the_mandalorian_reach_nobody_else(hex48: Board, doors: ExitStack) -> None:
    party = Party(hex48, RuledTable(hex48, "cinder-wells", 2, 5), doors)
    chance = Rng(1)
    while party.table.number <= STEPS and party.table.legal:
        index, chance = chance.below(len(party.table.legal))
        party.play(index)
    party.exact()
    assert same_to_others(party) > 50
    assert party.searched() > 50


def test_what_the_snarer_looks_at_reaches_nobody_else(doors: ExitStack) -> None:
    board = profile.load("hex37-edges")
    party = Party(board, RuledTable(board, "glass-warren", 2, 4, with_a_snarer), doors)
    looked = 0
    chance = Rng(2)
    while party.table.number <= STEPS and (offered := party.table.legal):
        verbs = [action.verb for action in offered]
        snares = [n for n, action in enumerate(offered) if action.verb in ("trap", "pick_of_two", "ability", "use")]
        if snares and offered[0].seat == 1:
            index = snares[-1]
        else:
            index, chance = chance.below(len(verbs))
        party.play(index)
        looked += bool(cast("Any", party.table.view(1))["seats"][1]["hand"])
    assert looked > 3
    party.exact()
    assert same_to_others(party) > 50
    assert party.searched() > 20


def test_a_secret_told_to_the_wrong_seat_is_found(
    hex48: Board, doors: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search itself: a server that shows everybody the view of seat 1."""
    table = RuledTable(hex48, "cinder-wells", 2, 5)
    write = messages.table

    def blunder(snapshot: Snapshot, view: Mapping[str, object], seat: int | None, **more: bool) -> messages.Letter:
        return write(snapshot, table.view(1), seat, **more)

    monkeypatch.setattr(messages, "table", blunder)
    party = Party(hex48, table, doors)
    with pytest.raises(AssertionError):
        party.searched()
