"""Moves that somebody says instead of making them: a hand is led to follow, when there is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from crossing import ROW, Crossing
from play import Play
from sensed import Sensed, entries
from test_clumsy_hands import cards
from test_errands_of_the_game import lit
from test_whole_game import Player, everything

from underglow import wire
from underglow.bench.vm import Bench
from underglow.games.contract import Meaning
from underglow.journal import resume
from underglow.session import Pressed
from underglow.set_up import SetUp
from underglow.snapshot import Move

H01, H02, H03, H04, H09, H15 = ROW
FLASH_MS = 1600
STEPS = 600
"""A game takes fewer."""


def crossing(folder: Path, traps: str = "") -> Sensed:
    return Sensed(folder, "crossing", 0, SetUp(), Crossing(traps=frozenset(traps.split())))


def say(sensed: Sensed, text: str) -> None:
    """Choose that move."""
    snapshot = sensed.snapshot
    (index,) = (move["index"] for move in snapshot["moves"] if move["text"] == text)
    sensed.table.choose(index, snapshot["number"])
    sensed.table.tick()


def prompts(sensed: Sensed) -> str:
    return sensed.snapshot["prompt"]


def test_what_hands_can_show_is_offered_beside_the_choices_and_no_button_takes_it(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    snapshot = sensed.snapshot
    told = [(m["index"], m["text"], m["token"], m["at"], m["open"]) for m in snapshot["moves"]]
    ends = enumerate((H02, H03, H04))
    assert told == [(index, f"ann to {end}", "ann", [end], True) for index, end in ends]
    assert snapshot["choices"] == []
    for button in (wire.HELP, wire.CONFIRM):
        sensed.table.take(Pressed(button))
    assert (sensed.table.steps, sensed.snapshot["shown"]) == (0, None)


def test_a_move_that_was_said_is_led_along_its_way_until_the_token_is_there(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    say(sensed, "ann to h04")
    assert sensed.table.state.ann == 3
    for in_hand in (False, True):
        assert prompts(sensed) == "Put the Ann on h04."
        assert lit(sensed, Meaning.PATH) == ([H01, H02, H03] if in_hand else [H02, H03])
        assert (lit(sensed, Meaning.MISPLACED), lit(sensed, Meaning.MISSING)) == ([] if in_hand else [H01], [H04])
        sensed.lift("ann", 300)
    sensed.place("ann", H04, 60)
    assert (sensed.understood, prompts(sensed)) == ("settled", "Walk.")
    assert len(entries(sensed.journal)) == 1


def test_who_could_go_on_at_once_is_led_to_where_it_was_sent_all_the_same(tmp_path: Path) -> None:
    sensed = Sensed(tmp_path, "crossing", 0, SetUp(), Crossing(turns=2))
    say(sensed, "ann to h02")
    sensed.lift("ann", 300)
    assert prompts(sensed) == "Put the Ann on h02."
    sensed.place("ann", H04, 300)  # it goes on, and need not stop there
    assert (sensed.understood, sensed.table.state.ann, sensed.table.steps) == ("settled", 3, 2)
    assert prompts(sensed) == "Walk."


def test_a_game_goes_on_by_word_though_nobody_follows(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    for text in ("ann to h03", "bob to h09", "ann to h04"):
        say(sensed, text)
        sensed.rest(FLASH_MS)
    assert prompts(sensed) == "Put the Ann on h04. 1 more comes after that."
    assert lit(sensed, Meaning.PATH) == [H02, H03]
    for token, space in (("ann", H04), ("bob", H09)):
        sensed.lift(token, 60)
        sensed.place(token, space, 60)
    assert (sensed.understood, sensed.table.steps) == ("settled", 3)


def test_a_token_in_hand_is_led_to_where_it_is_said_to_go(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.lift("ann", 300)
    say(sensed, "ann to h03")
    assert (sensed.understood, prompts(sensed)) == ("in_hand", "Put the Ann on h03.")
    sensed.place("ann", H03, 60)
    assert (sensed.understood, sensed.table.steps) == ("settled", 1)


def test_what_hands_have_just_shown_comes_before_what_was_said(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.lift("ann", 60)
    sensed.place("ann", H02, 60)  # it might be slid on
    say(sensed, "ann to h04")
    assert sensed.table.state.ann == 1


@pytest.mark.parametrize("follows", [False, True])
def test_a_move_that_was_said_is_taken_back(tmp_path: Path, follows: bool) -> None:
    sensed = crossing(tmp_path)
    say(sensed, "ann to h03")
    if follows:
        sensed.lift("ann", 60)
        sensed.place("ann", H03, 60)
    sensed.table.undo(sensed.snapshot["number"])
    sensed.rest(60)
    assert sensed.table.steps == 0
    if follows:
        assert prompts(sensed) == "Put the Ann back on h01."
        sensed.place("ann", H01, 300)
    assert sensed.understood == "settled"


def test_a_magnet_that_never_leaves_stops_nobody_who_says_the_moves(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.place("a fridge magnet", "h20", 400)
    for text in ("ann to h04", "bob to h03", "ann to h15"):
        say(sensed, text)
    assert sensed.snapshot["outcome"]


def test_a_card_of_a_hand_is_for_its_seat_alone_to_know_and_is_led_to_its_zone(tmp_path: Path) -> None:
    sensed = Sensed(tmp_path, "cinder-wells", 1, cards("cinder-wells"))
    moves = sensed.snapshot["moves"]
    assert {(move["verb"], move["open"]) for move in moves} == {("play", False)}
    move = moves[0]
    say(sensed, move["text"])
    card, zone = sensed.game.tokens(sensed.table.state)[move["token"]], move["args"][0]
    assert prompts(sensed) == f"Put the {card.name} on {zone}."
    sensed.place(sensed.card(move["token"]), sensed.overlay[str(zone)], 300)
    assert sensed.understood == "settled"


class Sayer(Player):
    """Says every move, and follows with the hand only then."""

    said = 0

    def _carry(self, transfer: object) -> None:
        """Leave it where it is."""

    def tell(self, verb: str, text: str, steps: int) -> bool:
        snapshot = self.play.snapshot
        said: list[Move] = [move for move in snapshot["moves"] if move["text"] == text]
        if not said:
            return super().tell(verb, text, steps)
        self.said += 1
        self.play.table.choose(said[0]["index"], snapshot["number"])
        self.play.until(lambda: self.play.snapshot["steps"] > steps)
        return True


@pytest.mark.parametrize(("set_up", "seed"), [(SetUp(), 1), (everything(), 7)], ids=["figures", "everything"])
def test_a_whole_game_is_said_and_hands_follow(board: Bench, tmp_path: Path, set_up: SetUp, seed: int) -> None:
    play = Play(board, tmp_path, seed, set_up)
    try:
        player = Sayer(play, "greedy", seed)
        while not play.snapshot["outcome"]:
            assert play.snapshot["steps"] < STEPS
            player.act()
        assert player.said
        assert player.put_right >= player.said
        assert resume(play.game, play.scenario, play.written()).state == play.table.state
    finally:
        play.end()


def test_every_move_is_offered_in_the_words_of_its_action(tmp_path: Path) -> None:
    sensed = Sensed(tmp_path, "lamp-alley", 1, SetUp())
    for _ in range(40):
        snapshot, state = sensed.snapshot, sensed.table.state
        texts = {sensed.game.describe(state, action) for action in sensed.game.legal(state)}
        offered = [*snapshot["choices"], *snapshot["moves"]]
        assert {choice["text"] for choice in offered} == texts
        assert [choice["index"] for choice in offered] == list(range(len(offered)))
        if snapshot["outcome"]:
            break
        sensed.table.choose(len(offered) - 1, snapshot["number"])
        sensed.table.tick()
