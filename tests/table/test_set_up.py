"""Table set-ups: files, and what the sensors would feel of a layout."""

from pathlib import Path

import pytest

from underglow import set_up
from underglow.documents import Faults
from underglow.explain import Occupancy
from underglow.games.contract import Token
from underglow.languages import Text
from underglow.set_up import SetUp

TOKENS = {
    "ann": Token("character", Text("Ann")),
    "ann:2": Token("card", Text("a 2")),
    "rock": Token("threat", Text("rock")),
}


def test_a_file_names_physical_kinds_and_tags(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('physical = ["character", "card"]\n[tags]\n04A1B2C3D4E5F6 = "ann"\n"11223344" = "ann:2"\n')
    loaded = set_up.load(file)
    assert loaded.physical == {"character", "card"}
    assert loaded.magnets == {"character"}
    assert loaded.tags == {bytes.fromhex("04A1B2C3D4E5F6"): "ann", bytes.fromhex("11223344"): "ann:2"}


def test_every_fault_of_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('physical = ["card"]\nmagnet = []\n[tags]\n04a1b2 = "ann"\n')
    with pytest.raises(Faults) as faults:
        set_up.load(file)
    assert str(faults.value).replace(f"{file}:", "").splitlines() == [
        "1: magnets[0]: character is not among the physical kinds",
        "2: magnet: is not a known key; did you mean 'magnets'?",
        "4: tags.04a1b2: a UID has 4, 7 or 10 bytes: 8, 14 or 20 capital hex digits",
    ]


def test_hall_sensors_feel_magnets_and_readers_feel_tags() -> None:
    table = SetUp(frozenset({"character", "card"}), tags={b"\x04\x01\x02\x03": "ann", b"\x04\x01\x02\x04": "ann:2"})
    layout = {"a": ("ann",), "z": ("ann", "ann:2", "ann:2"), "pile": ("ann:2",)}
    assert table.felt(layout, TOKENS, frozenset({"z"})) == Occupancy(
        frozenset({"a", "z"}), {"z": ("ann", "ann:2", "ann:2")}
    )
