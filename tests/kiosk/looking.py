"""What tests of looks share: the judges, and where pictures lie."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
"""axe-core, as that package brings it (MPL-2.0)."""

SHOTS = Path(__file__).parents[2] / "artefacts" / "page"
"""Where the pictures of a run lie for who wants to look at them; git ignores them."""
