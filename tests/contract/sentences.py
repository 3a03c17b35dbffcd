"""What a text for people looks like."""

from __future__ import annotations

import re

LONGEST = 200
"""Characters that fit a line of the page and can be read at a glance."""


def faults(text: str) -> list[str]:
    """What keeps a text from being one sentence."""
    rules = {
        "it is empty": not text,
        "it starts or ends with a blank": text != text.strip(),
        "it starts with a small letter": text[:1].islower(),
        "it does not end like a sentence": not text.endswith((".", "!", "?")),
        "it is several sentences": re.search(r"[.!?][ \n]+[A-Z]", text) is not None,
        "it is several lines": "\n" in text,
        "it is too long": len(text) > LONGEST,
        "it has a hole": "None" in text or "  " in text or "{" in text,
    }
    return [f"{text!r}: {fault}" for fault, found in rules.items() if found]


def button_faults(text: str) -> list[str]:
    """What keeps a text from naming a choice."""
    return [fault for fault in faults(f"{text}.") if not text.endswith(".")] + (
        [f"{text!r}: a button has no full stop"] if text.endswith(".") else []
    )
