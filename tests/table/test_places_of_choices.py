"""Which spaces a choice names, and whether it is open to all: a page offers it there, and to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from unplugged import Unplugged

from underglow import games, profile
from underglow.bots import Random
from underglow.games.contract import Action
from underglow.history import History
from underglow.journal import Header, Journal
from underglow.rng import Rng
from underglow.session import Occupied
from underglow.set_up import SetUp
from underglow.snapshot import Choice, Snapshot
from underglow.table import Table
from underglow.themes import THEMES

STEPS = 60


def offered(folder: Path, scenario_name: str, board_name: str, seed: int) -> Iterator[tuple[Table, Snapshot]]:
    """The table at each step of a game of a random bot; whatever is chosen, its figures stand where they should."""
    name, path = games.find(scenario_name, None)
    game, board = games.load(name), profile.load(board_name)
    scenario = game.load(path)
    journal = Journal.create(folder / f"{seed}.sqlite", Header.of(name, scenario, 2, seed, board))
    history, rng = History(game, game.setup(scenario, 2, Rng(seed)), 2), Rng(seed)
    for _ in range(STEPS):
        table = Table(game, scenario, history, board, Unplugged("no port", board), journal, THEMES["default"], SetUp())
        spaces = table.snapshot()["layout"].keys()
        table.take(Occupied(frozenset(sensor for sensor, on in board.space_of_sensor.items() if on in spaces)))
        yield table, table.snapshot()
        legal: tuple[Action, ...] = game.legal(history.state)
        if not legal:
            break
        action, rng = Random().choose(game, history.state, legal[0].seat, rng)
        history = history.step(action)
    journal.close()


def named(choice: Choice, view: Any, overlay: dict[str, str]) -> list[str] | None:
    """The spaces that this choice names, by its verb; None: another test's business."""
    words = [str(word) for word in choice["args"]]
    spaces = {token["id"]: token["space"] for token in view["tokens"]}
    match choice["verb"]:
        case "lay" | "face" | "set" | "reveal" | "golem_walks" | "shift" | "spawn" | "play" | "zone" | "jump":
            return [overlay[words[0]]]
        case "attack" | "look" | "enemy" | "take" | "pick" if spaces.get(words[0] if words else ""):
            return [overlay[spaces[words[0]]]]
        case "enemy_moves" | "push":
            return [overlay[words[-1]]]
        case "build" | "rest" | "event" | "trap" | "golem" | "crystal" | "end_turn" | "accept" | "pass" | "discard":
            return []
        case "pick_character":
            return []
        case _:
            return None


@pytest.mark.parametrize(
    ("scenario", "board", "wanted"),
    [
        ("lamp-alley", "hex48", {"lay", "face", "build", "end_turn", "pick_character"}),
        ("glass-warren", "hex37-edges", {"lay", "face", "set", "end_turn"}),
        ("cinder-wells", "hex48", {"play", "attack", "look", "discard", "pass"}),
    ],
)
def test_a_choice_is_at_the_spaces_that_it_names(tmp_path: Path, scenario: str, board: str, wanted: set[str]) -> None:
    seen = Counter[str]()
    for seed in range(4):
        for table, snapshot in offered(tmp_path, scenario, board, seed):
            view = table.view(None)
            for choice in snapshot["choices"]:
                at = named(choice, view, snapshot["overlay"])
                if at is not None:
                    assert choice["at"] == at, choice
                    seen[choice["verb"]] += 1
    assert wanted <= seen.keys(), seen


def test_what_comes_from_a_hand_of_cards_is_not_open_to_all(tmp_path: Path) -> None:
    seen = Counter[tuple[str, bool]]()
    for _, snapshot in offered(tmp_path, "cinder-wells", "hex48", 1):
        for choice in snapshot["choices"]:
            seen[choice["verb"], choice["open"]] += 1
    assert seen["play", False]
    assert not seen["play", True]
    assert seen["attack", True]
