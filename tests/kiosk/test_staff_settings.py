"""What staff settled: kept over a restart, and never in the way of one."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from underglow import profile
from underglow.kiosk import settings
from underglow.kiosk.settings import Settings

BOARD = profile.load("hex48")
DEFAULT = Settings("default")
OTHER = Settings("colour-safe", 35, frozenset({("labyrinth", "lamp-alley")}), frozenset({"h07", "z1"}))


def test_they_outlive_a_restart(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "state" / "settings.json"
    assert settings.load(path, DEFAULT, BOARD) == DEFAULT
    settings.save(path, OTHER)
    assert settings.load(path, DEFAULT, BOARD) == OTHER
    assert caplog.records == []


@pytest.mark.parametrize(
    "damage",
    [
        "", "{", "[]", "null", "\xff",
        '{"theme":"default","brightness":4,"withheld":[],"deaf":[]}',
        '{"theme":"default","brightness":100,"withheld":[],"deaf":[],"more":1}',
        '{"theme":"of yesteryear","brightness":100,"withheld":[],"deaf":[]}',
        '{"theme":"default","brightness":100,"withheld":[["a"]],"deaf":[]}',
        '{"version":2,"theme":"default","brightness":100,"withheld":[],"deaf":[]}',
    ],
)  # fmt: skip
def test_a_damaged_file_gives_the_defaults_and_one_sentence(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(damage, encoding="latin-1")
    with caplog.at_level(logging.INFO):
        assert settings.load(path, DEFAULT, BOARD) == DEFAULT
    assert len(caplog.records) == 1
    assert "\n" not in caplog.text.strip()


def test_a_full_disk_keeps_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    settings.save(path, OTHER)
    path.with_name("settings.json.new").mkdir()  # in the way, as a disk without room is
    with pytest.raises(OSError, match=r"settings\.json\.new"):
        settings.save(path, DEFAULT)
    assert settings.load(path, DEFAULT, BOARD) == OTHER


def test_a_place_that_this_board_does_not_have_is_not_out_of_service(tmp_path: Path) -> None:
    settings.save(tmp_path / "s", Settings("default", deaf=frozenset({"h07", "q99"})))
    assert settings.load(tmp_path / "s", DEFAULT, BOARD).deaf == {"h07"}


def test_the_brightness_is_a_part_of_what_the_profile_says_and_never_dark() -> None:
    assert Settings("default").level(BOARD) == BOARD.strip.brightness
    assert Settings("default", 5).level(BOARD) == round(BOARD.strip.brightness * 0.05)
