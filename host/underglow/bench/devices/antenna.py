"""What is between readers and tags: coils, fields, several answers at once, and noise."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from underglow.bench.devices.iso14443 import Bit, Tag, answer_after_ns, frame, reply_ns

POWER_UP_NS = 5_000_000
"""A tag may need so long in an unmodulated field before it hears (ISO/IEC 14443-3, 5)."""
POWER_DOWN_NS = 5_000_000
"""A tag may remember its state so long without a field (NFC Forum, Digital Protocol: reset time)."""


class Answer(NamedTuple):
    """What a reader's coil picks up after its frame."""

    bits: tuple[Bit, ...]
    starts_ns: int
    ends_ns: int


class Noise:
    """Trouble on the air, drawn from a seed; each chance is from 0 to 1 and for one frame."""

    def __init__(
        self,
        seed: int,
        *,
        flipped: float = 0.0,
        cut: float = 0.0,
        lost: float = 0.0,
        deaf: float = 0.0,
        hiss: float = 0.0,
    ) -> None:
        """Answers get bits `flipped`, are `cut` short or `lost`; a tag is `deaf` to a frame; silence `hiss`es."""
        self._chance = random.Random(seed)  # noqa: S311 - noise, not a secret
        self._flipped = flipped
        self._cut = cut
        self._lost = lost
        self._deaf = deaf
        self._hiss = hiss

    def deaf(self) -> bool:
        """Whether one tag fails to understand this frame."""
        return self._chance.random() < self._deaf

    def spoil(self, bits: tuple[Bit, ...]) -> tuple[Bit, ...]:
        """Return what is left of an answer; no bits: silence."""
        chance = self._chance
        if not bits:
            if chance.random() < self._hiss:
                return tuple(chance.choice((0, 1, None)) for _ in range(chance.randrange(4, 60)))
            return bits
        if chance.random() < self._lost:
            return ()
        if chance.random() < self._cut:
            bits = bits[: chance.randrange(1, len(bits))]
        if chance.random() < self._flipped:
            spoilt = list(bits)
            for _ in range(chance.randrange(1, 5)):
                k = chance.randrange(len(spoilt))
                bit = spoilt[k]
                spoilt[k] = None if bit is None else 1 - bit
            bits = tuple(spoilt)
        return bits


class Antenna:
    """A reader's coil. Its field powers the tags that lie on it; tags that lie near it hear it all the same."""

    def __init__(self, noise: Noise | None = None) -> None:
        self.on = False
        self.noise = noise
        self._tags: list[Placed] = []

    def switch(self, on: bool, at_ns: int) -> None:
        """Turn the field on or off."""
        if on != self.on:
            self.on = on
            for tag in self._tags:
                tag.feel(at_ns)

    def send(self, bits: Sequence[int], at_ns: int) -> Answer | None:
        """Send a frame from then on; what comes back, None for silence. Without a field nobody hears it."""
        if not self.on or not bits:
            return None
        said: list[tuple[int, ...]] = []
        for placed in self._tags:
            answer = placed.hear(bits, at_ns, deaf=self.noise is not None and self.noise.deaf())
            if answer is not None:
                said.append(answer)
        heard = _together(said)
        if self.noise is not None:
            heard = self.noise.spoil(heard)
        if not heard:
            return None
        starts_ns = at_ns + answer_after_ns(bits)
        return Answer(heard, starts_ns, starts_ns + reply_ns(heard))

    def join(self, tag: Placed) -> None:
        """A tag comes near."""
        self._tags.append(tag)

    def leave(self, tag: Placed) -> None:
        """A tag goes away."""
        self._tags.remove(tag)


def _together(said: list[tuple[int, ...]]) -> tuple[Bit, ...]:
    """Overlay answers that began at one instant."""
    heard: list[Bit] = []
    for k in range(max(map(len, said), default=0)):
        bits = {answer[k] for answer in said if k < len(answer)}
        heard.append(bits.pop() if len(bits) == 1 else None)
    return tuple(heard)


class Placed:
    """A tag and where it lies: `on` these coils, which power it, and `near` those, which it merely hears."""

    def __init__(self, tag: Tag) -> None:
        self.tag = tag
        self._on: tuple[Antenna, ...] = ()
        self._near: tuple[Antenna, ...] = ()
        self._powered = False
        self._since_ns = 0  # of being powered or not

    def put(self, at_ns: int, on: Sequence[Antenna] = (), near: Sequence[Antenna] = ()) -> None:
        """Lay the tag down, wherever it was before; nowhere if no coil is named."""
        for antenna in self._on + self._near:
            antenna.leave(self)
        self._on, self._near = tuple(on), tuple(near)
        for antenna in self._on + self._near:
            antenna.join(self)
        self.feel(at_ns)

    def feel(self, at_ns: int) -> None:
        """A field came or went."""
        powered = any(antenna.on for antenna in self._on)
        if powered == self._powered:
            return
        if powered and at_ns - self._since_ns >= POWER_DOWN_NS:
            self.tag.power(False)
        self._powered = powered
        self._since_ns = at_ns

    def hear(self, bits: Sequence[int], at_ns: int, *, deaf: bool) -> tuple[int, ...] | None:
        """Take a frame, if there is power; deaf: it is heard as nonsense."""
        if not self._powered:
            return None
        if not self.tag.powered:
            if at_ns - self._since_ns < POWER_UP_NS:
                return None
            self.tag.power(True)
        return self.tag.hear(frame(b"\x00\x00") if deaf else bits)
