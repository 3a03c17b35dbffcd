"""A link to nowhere, for tables without a board."""

from __future__ import annotations

from underglow.link import Link
from underglow.session import Picture


class Unplugged(Link):
    """A link without a cable: it keeps what it is to show."""

    picture: Picture = ()

    def show(self, picture: Picture) -> None:
        super().show(picture)
        self.picture = picture
