"""What `mpremote mip install` needs to put the firmware on a Pico by hand, without this package.

    mpremote mip install --target / hardware/package.json

It is generated and committed: `python -m underglow.mip` writes it anew.
"""

from __future__ import annotations

import json
from pathlib import Path

from underglow import flash, image, profile

_BOARD = "hex48"
_FOLDER = image.firmware_dir().parent / "hardware"
_PROFILE = f"generated/{_BOARD}/profile.json"
_PLACES = {"wire.py": "../host/underglow/wire.py", "profile.json": _PROFILE}
"""Where the files that are not of the folder `firmware` are, seen from `hardware`."""


def package() -> dict[str, bytes]:
    """Return the package of the default board: its files below `hardware`, by path there."""
    files = image.board_files(profile.load(_BOARD))
    urls = [
        [name, _PLACES.get(name, f"../firmware/{name}")]
        for name in sorted(files, key=lambda name: (name == "main.py", name))
    ]
    lines = ",\n".join(f"    {json.dumps(url)}" for url in urls)
    listed = f'{{\n  "version": "{flash.version()}",\n  "urls": [\n{lines}\n  ]\n}}\n'
    return {"package.json": listed.encode(), _PROFILE: files["profile.json"]}


def write(folder: Path = _FOLDER) -> None:
    """Write the package into `hardware`."""
    for name, content in package().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    write()
