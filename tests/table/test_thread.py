"""From a magnet to the light and back: firmware, link, explain, rules, journal and lamps together."""

from __future__ import annotations

import threading

import pytest
from play import Play

from underglow.journal import resume

STOPPING = ("threat", "enemy")


def ends(play: Play) -> dict[str, list[str]]:
    """Where the legal moves end: "free" spaces, and those with something that stops."""
    tokens = play.game.tokens(play.table.state)
    found: dict[str, list[str]] = {"free": [], "threat": [], "enemy": []}
    for action in play.moves():
        target = str(action.hands[0].target)
        kinds = {tokens[token].kind for token in play.game.layout(play.table.state).get(target, ())}
        found[next((kind for kind in STOPPING if kind in kinds), "free")].append(target)
    return found


def test_a_lifted_figure_lights_how_far_it_can_go(play: Play) -> None:
    figure = play.single()
    reach = ends(play)
    play.until(lambda: len({play.pixel(space) for space in reach["free"]}) == 1)  # no flash is over them any more
    preview = {space: play.pixel(space) for space in reach["free"]}
    play.board.lift(figure)
    play.until(lambda: play.understood == "in_hand")
    assert play.snapshot["understood"]["tokens"] == [figure]
    play.until(lambda: all(sum(play.pixel(space)) > sum(preview[space]) for space in reach["free"]))
    unreachable = set(play.scenario.spaces) - {s for spaces in reach.values() for s in spaces}
    bare = [s for s in unreachable if not play.game.layout(play.table.state).get(s)]
    assert bare
    assert all(play.pixel(space) == (0, 0, 0) for space in bare)


def test_where_it_would_have_to_stop_looks_different(play: Play) -> None:
    figure = play.single()
    reach = ends(play)
    assert reach["threat"] + reach["enemy"]
    play.board.lift(figure)
    play.until(lambda: play.understood == "in_hand")
    cues = play.game.cues(play.table.state, (figure,))
    assert {cues[space].meaning for space in reach["free"]} == {"reachable"}
    assert {cues[space].meaning for space in reach["threat"] + reach["enemy"]} == {"stop"}


def test_M_MOVE_7_set_down_on_a_face_down_threat_it_is_revealed_and_flashes(play: Play) -> None:
    play.single()
    target = ends(play)["threat"][0]
    (hidden,) = (
        token
        for token in play.game.layout(play.table.state)[target]
        if play.game.tokens(play.table.state)[token].kind == "threat"
    )
    action = next(action for action in play.moves() if action.hands[0].target == target)
    play.carry(action)
    assert play.game.tokens(play.table.state)[hidden].kind != "threat"
    assert not play.moves()  # movement is over
    play.until(lambda: play.pixel(target) == (255, 255, 255))  # the flash at its height
    play.until(lambda: play.pixel(target) == (0, 0, 0))  # it blinks
    assert f"Revealed on {target}" in " ".join(play.snapshot["log"])


def test_an_illegal_place_is_said_and_shown_and_play_goes_on_when_put_back(play: Play) -> None:
    figure = play.single()
    home = play.board.magnets()[figure]
    number = play.snapshot["steps"]
    play.board.lift(figure)
    play.board.place("r1", figure)
    play.until(lambda: play.understood == "repair")
    assert play.snapshot["understood"] == {
        "kind": "repair",
        "tokens": [],
        "extra": ["r1"],
        "missing": [{"space": home, "tokens": [figure]}],
    }
    assert play.snapshot["prompt"].startswith("That is no legal move. Put back:")
    r1 = play.profile.lamps[play.profile.lamp_of("r1")][0]
    play.until(lambda: play.board.pixels().pixels[r1] != (0, 0, 0))
    play.board.lift(figure)
    play.until(lambda: play.understood == "in_hand")
    play.board.place(home, figure)
    play.until(lambda: play.understood == "settled")
    assert play.snapshot["steps"] == number
    play.carry(play.moves()[0])


def test_another_figure_lifted_is_asked_back(play: Play) -> None:
    figure = play.single()
    other = next(token for tokens in play.snapshot["layout"].values() for token in tokens if token != figure)
    play.board.lift(other)
    play.until(lambda: play.snapshot["understood"]["tokens"] == [other])
    assert "back" in play.snapshot["prompt"]


def test_every_step_is_in_the_journal_and_replays_to_the_same_state(play: Play) -> None:
    play.single()
    play.carry(play.moves()[0])
    assert len(play.journal.records) == play.snapshot["steps"]
    assert resume(play.game, play.scenario, play.written()).state == play.table.state


@pytest.mark.parametrize("power", [False, True])
def test_cable_pulled_and_back_with_tokens_moved_meanwhile(play: Play, power: bool) -> None:
    play.single()
    action = play.moves()[0]
    number = play.snapshot["steps"]
    threads = threading.active_count()
    play.board.unplug(power)
    play.until(lambda: play.snapshot["link"]["state"] == "down")
    assert "cable" in play.snapshot["link"]["says"]
    play.board.place(play.place(action), action.hands[0].token)
    play.board.replug()
    play.until(lambda: play.snapshot["link"]["state"] == "up" and play.snapshot["steps"] > number)
    play.until(lambda: play.understood == "settled")
    assert threading.active_count() == threads
    assert sum(happening["link"]["state"] == "down" for happening in play.shown) >= 1


def test_reset_of_the_board_in_mid_game_changes_nothing(play: Play) -> None:
    play.single()
    state = play.table.state
    boots = len(play.shown)
    play.board.reset()
    play.until(lambda: len(play.shown) > boots and play.snapshot["link"]["state"] == "up")
    play.until(lambda: play.understood == "settled")
    assert play.table.state == state
    play.carry(play.moves()[0])
