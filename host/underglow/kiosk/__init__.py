"""The page in the browser: a table's second face."""

from underglow.kiosk.server import AddressTaken, Kiosk

__all__ = ["AddressTaken", "Kiosk"]
