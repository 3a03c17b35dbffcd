"""Labyrinth: Paths of Destiny. What is refereed, and which switches there are, says README.md."""
