"""Underglow: any printed game map as a living board."""
