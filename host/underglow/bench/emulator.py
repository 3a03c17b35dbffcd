"""rp2040py, the emulated RP2040: as installed, or compiled once more for this very Python and twice as fast.

    python -m underglow.bench.emulator

compiles it into the user's cache. Its wheel keeps to Python's stable ABI, whose calls are slow; the C it was made of
lies beside. Both give the same results to the bit, so the wheel serves where no compiler is.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import platformdirs

_PACKAGE = "rp2040py"
#: The only version whose faults the bench knows to cure.
VERSION = "0.3.6"
_FLAGS = ("-O3", "-std=c99", "-w", "-fPIC", "-shared", "-DNDEBUG")


class NoEmulator(RuntimeError):
    """The chip can't be emulated here; the message says what to install."""


def use() -> None:
    """Let `import rp2040py` find the fastest there is; for before its first import. NoEmulator: there is none."""
    _installed()
    if (cached := _cached()).is_dir() and str(cached) not in sys.path:
        sys.path.insert(0, str(cached))


def compile_anew() -> str:
    """Compile the emulator into the cache if need be, and say what will be used. NoEmulator: it is not installed."""
    package = _installed()
    cached = _cached()
    if cached.is_dir():
        return f"{cached}: compiled for this Python"
    compiler = shutil.which("cc")
    headers = Path(sysconfig.get_path("include"))
    sources = sorted((package / "native").glob("*.c"))
    if not compiler or not (headers / "Python.h").exists() or not sources:
        return f"{package}: the wheel as it is; with a C compiler and Python's headers it would be twice as fast"
    cached.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="compiling-", dir=cached.parent) as folder:
        copy = Path(folder) / "made" / _PACKAGE
        shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.c", "*.pyx", "*.pxd"))
        suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))

        def made(source: Path) -> subprocess.CompletedProcess[str]:
            target = copy / "native" / f"{source.stem}{suffix}"
            command = [compiler, *_FLAGS, f"-I{headers}", str(source), "-o", str(target)]
            return subprocess.run(command, capture_output=True, text=True, check=False)

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            failed = [done.stderr for done in pool.map(made, sources) if done.returncode]
        if failed:
            return f"{package}: the wheel as it is, for it did not compile here: {failed[0].strip().splitlines()[-1:]}"
        try:
            copy.parent.rename(cached)
        except OSError:  # another process was quicker
            if not cached.is_dir():
                raise
    return f"{cached}: compiled for this Python"


def _installed() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    version = importlib.metadata.version(_PACKAGE) if spec else "none"
    if spec is None or not spec.submodule_search_locations or version != VERSION:
        raise NoEmulator(
            f"the chip needs {_PACKAGE} {VERSION} and finds {version}: install it with `pip install 'underglow[chip]'`"
        )
    return Path(spec.submodule_search_locations[0])


def _cached() -> Path:
    made_for = "\n".join((VERSION, sys.version, str(sysconfig.get_config_var("EXT_SUFFIX")), *_FLAGS))
    key = hashlib.sha256(made_for.encode()).hexdigest()[:16]
    return platformdirs.user_cache_path("underglow") / f"{_PACKAGE}-{key}"


def main() -> None:
    """Compile, and say what will be used."""
    try:
        sys.stdout.write(f"{compile_anew()}\n")
    except NoEmulator as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main()
