"""Models of what is soldered to the Pico: pins and bus clocks in, levels and light out, on every tier of the bench."""
