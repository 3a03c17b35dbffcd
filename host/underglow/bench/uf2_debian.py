"""A build of MicroPython for the RP2040 from Debian packages alone: nothing else is fetched, nothing of ours is needed.

Sources come from suite SUITE of the archive this machine installs from, through an apt of their own: the system's
lists, cache and preferences stay as they are.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import platformdirs

from underglow.bench import apt_suite
from underglow.bench.uf2 import NoUf2, pack

SUITE = "trixie"
#: Where in MicroPython's tree each source package goes; the first is MicroPython itself.
SOURCES = {"micropython": ".", "mbedtls": "lib/mbedtls"}
#: Packages that hold sources, unpacked but not installed: what of them goes where in the tree.
UNPACKED = {
    "tinyusb-source": ("usr/src/tinyusb", "lib/tinyusb"),
    "pico-sdk-source": ("usr/src/pico-sdk", "lib/pico-sdk"),
}
#: Frozen into the firmware: what MicroPython's own code needs. The drivers of the official build are left out, they
#: live in a repository that Debian does not package.
MANIFEST = 'freeze("$(PORT_DIR)/modules")\ninclude("$(MPY_DIR)/extmod/asyncio")\n'
BUILD_FLAGS = ("-DMICROPY_BOARD=RPI_PICO", "-DPICO_NO_PICOTOOL=1")
_VERSION_OF_STEPS = 1  # raise it when what `_compile` does changes the binary

#: What must be there, each with the Debian package that brings it: a command, or a file of the cross compiler.
_TOOLS = {
    "cc": "gcc",
    "c++": "g++",
    "make": "make",
    "cmake": "cmake",
    "ninja": "ninja-build",
    "dpkg-source": "dpkg-dev",
    "xz": "xz-utils",
    "bzip2": "bzip2",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
}
_CROSS_FILES = {"libc.a": "libnewlib-arm-none-eabi", "libstdc++.a": "libstdc++-arm-none-eabi-newlib"}


def cached() -> Path:
    """Where the build is kept, keyed by everything that goes into it but the versions Debian has in SUITE."""
    recipe = json.dumps([SUITE, SOURCES, UNPACKED, MANIFEST, BUILD_FLAGS, _VERSION_OF_STEPS])
    key = hashlib.sha256(recipe.encode()).hexdigest()[:16]
    return _cache() / f"micropython-rp2040-{key}" / "micropython.uf2"


def build() -> Path:
    """Build the UF2 into the cache and return its path. NoUf2: it can't be built here; the log tells the rest."""
    target = cached()
    with _alone(_cache()):
        if target.exists():  # another process was building it
            return target
        for stale in _cache().glob("building-*"):  # left by a build that was killed
            shutil.rmtree(stale, ignore_errors=True)
        log = _cache() / "micropython-rp2040-build.log"
        with tempfile.TemporaryDirectory(prefix="building-", dir=_cache()) as work, log.open("w") as log_file:
            run = _Run(log_file, log)
            run.say(f"no MicroPython for the RP2040 in the cache: building one, about a minute; log in {log}")
            began_s = time.monotonic()
            _bring_tools(run)
            result = _assemble(run, Path(work))
            if target.parent.exists():
                shutil.rmtree(target.parent)
            result.rename(target.parent)
            run.say(f"built {target} in {time.monotonic() - began_s:.0f} s")
    return target


def _cache() -> Path:
    folder = platformdirs.user_cache_path("underglow")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def _alone(folder: Path) -> Generator[None]:
    """Let one process build at a time; the lock ends with its process."""
    with (folder / "building.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class _Run:
    """Runs commands with all they say in the log, and tells the steps on stderr."""

    def __init__(self, log: IO[str], path: Path) -> None:
        self._log = log
        self._path = path

    def say(self, text: str) -> None:
        """Tell a step."""
        self._log.write(f"== {text}\n")
        self._log.flush()
        sys.stderr.write(f"underglow: {text}\n")
        sys.stderr.flush()

    def fail(self, what: str) -> NoUf2:
        """The error to raise: a sentence and where to read on."""
        return NoUf2(f"{what} (log: {self._path})")

    def __call__(
        self, what: str, command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        """Run a command. NoUf2: it failed, so `what` can't be done."""
        self._log.write(f"$ {' '.join(map(str, command))}\n")
        self._log.flush()
        try:
            done = subprocess.run(
                command,
                cwd=cwd,
                env={**os.environ, "LC_ALL": "C", **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                check=False,
            )
        except OSError as error:
            raise self.fail(f"{what} failed: {command[0]} can't be started, {error.strerror}") from None
        if done.returncode:
            raise self.fail(f"{what} failed: {Path(command[0]).name} ended with code {done.returncode}")


def _bring_tools(run: _Run) -> None:
    """Install the compilers that are missing. NoUf2: they are missing and this user may not install."""
    missing = _missing_packages()
    if not missing:
        return
    if shutil.which("apt-get") is None:
        raise run.fail("MicroPython can be built on Debian only, and this machine has no apt-get; name a UF2 of yours")
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    if os.geteuid() != 0:
        raise run.fail(f"to build MicroPython, install what is missing: sudo apt-get install {' '.join(missing)}")
    run.say(f"installing {' '.join(missing)}")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        run("installing the compilers", install, env=quiet)
    except NoUf2:  # the lists may be old or none
        run("refreshing the package lists", ["apt-get", "update", "-q"])
        run("installing the compilers", install, env=quiet)
    if still := _missing_packages():
        raise run.fail(f"the compilers are still missing after installing: {' '.join(still)}")


def _missing_packages() -> list[str]:
    missing = [package for command, package in _TOOLS.items() if shutil.which(command) is None]
    cross = shutil.which("arm-none-eabi-gcc")
    for name, package in _CROSS_FILES.items():
        # The compiler names a file it does not have as it was asked, without a folder.
        if not cross or os.sep not in _output([cross, f"-print-file-name={name}"]):
            missing.append(package)
    return missing


def _output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _assemble(run: _Run, work: Path) -> Path:
    """Fetch, unpack and compile under `work`; a folder with the UF2 and a note of what went into it."""
    downloads = work / "downloads"
    downloads.mkdir()
    run.say(f"fetching sources of suite {SUITE}")
    apt_suite.fetch(SUITE, list(SOURCES), list(UNPACKED), downloads, work / "apt", run)
    run.say("unpacking")
    tree = _unpack(run, downloads, work)
    run.say("compiling")
    firmware = _compile(run, tree, work)

    result = work / "result"
    result.mkdir()
    (result / "micropython.uf2").write_bytes(pack(firmware.read_bytes()))
    inputs = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(downloads.iterdir())}
    compiler = _output(["arm-none-eabi-gcc", "--version"]).partition("\n")[0]
    (result / "inputs.json").write_text(json.dumps({"sha256": inputs, "compiler": compiler}, indent=2) + "\n")
    return result


def _unpack(run: _Run, downloads: Path, work: Path) -> Path:
    """MicroPython's tree with all its parts in place."""
    tree = work / "micropython"
    for package, place in SOURCES.items():
        # apt has checked the hashes against the signed lists.
        (description,) = downloads.glob(f"{package}_*.dsc")
        unpacked = work / package
        run(f"unpacking {package}", ["dpkg-source", "--no-check", "-x", description, unpacked])
        if unpacked != tree:
            shutil.copytree(unpacked, tree / place, symlinks=True, dirs_exist_ok=True)
    for package, (source, place) in UNPACKED.items():
        (archive,) = downloads.glob(f"{package}_*.deb")
        unpacked = work / package
        run(f"unpacking {package}", ["dpkg", "-x", archive, unpacked])
        shutil.copytree(unpacked / source, tree / place, symlinks=True, dirs_exist_ok=True)
    # The build looks for this file only to know that a submodule is there.
    library = tree / "lib/micropython-lib"
    library.mkdir(exist_ok=True)
    (library / "README.md").touch()
    return tree


def _compile(run: _Run, tree: Path, work: Path) -> Path:
    """The firmware as it lies in flash."""
    manifest = work / "manifest.py"
    manifest.write_text(MANIFEST)
    # The banner shows a build date, and some tables come out of Python's sets. With the packages' own date and without
    # chance, the same inputs give the same bytes.
    changed = re.search(r"\d+", _output(["dpkg-parsechangelog", "-l", tree / "debian/changelog", "-S", "Timestamp"]))
    env = {"SOURCE_DATE_EPOCH": changed[0] if changed else "0", "PYTHONHASHSEED": "0"}
    jobs = str(os.cpu_count() or 1)
    run("compiling mpy-cross", ["make", "-C", tree / "mpy-cross", f"-j{jobs}"], env=env)
    out = work / "build"
    places = (f"-DPICO_SDK_PATH_OVERRIDE={tree / 'lib/pico-sdk'}", f"-DMICROPY_FROZEN_MANIFEST={manifest}")
    configure = ["cmake", "-G", "Ninja", "-S", tree / "ports/rp2", "-B", out, *BUILD_FLAGS, *places]
    run("configuring MicroPython", configure, env=env)
    run("compiling MicroPython", ["ninja", "-C", out, f"-j{jobs}"], env=env)
    return out / "firmware.bin"
