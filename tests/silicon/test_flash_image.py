"""The file system that lies in flash, made without a chip and read by one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bare_chip import BareChip

from underglow.bench import flash_image
from underglow.bench.uf2 import FLASH_BYTES

FILES = {"main.txt": b"hello", "drivers/deep/er.bin": bytes(range(256)) * 50, "empty": b""}


def test_what_is_put_in_comes_out() -> None:
    flash = flash_image.with_files(b"firmware", FILES)
    assert flash.startswith(b"firmware\xff")
    assert len(flash) == FLASH_BYTES
    assert flash_image.files_in(flash) == FILES


def test_too_much_is_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        flash_image.with_files(b"", {"big": bytes(2_000_000)})
    with pytest.raises(ValueError, match="reaches into the file system"):
        flash_image.with_files(bytes(flash_image.START + 1), {})
    with pytest.raises(ValueError, match="no file system"):
        flash_image.files_in(b"\xff" * FLASH_BYTES)


def test_the_chip_reads_it_and_what_the_chip_writes_is_read(bare: Callable[..., BareChip]) -> None:
    chip = bare(files=FILES)
    source = "import os\nprint(sorted(os.listdir()), os.stat('drivers/deep/er.bin')[6])\nos.remove('empty')\n"
    assert chip.run(source + "with open('new', 'wb') as f: _ = f.write(b'from the chip')") == (
        "['drivers', 'empty', 'main.txt'] 12800"
    )
    expected = {name: data for name, data in FILES.items() if name != "empty"} | {"new": b"from the chip"}
    assert flash_image.files_in(bytes(chip.chip.mcu.flash)) == expected
