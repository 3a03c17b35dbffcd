// One choice as a button, wherever it is offered: in words, as a number of the dice, or as a picture of a tile.

import { html, svg } from "./element.js";
import { Geometry } from "./geometry.js";
import { Maze } from "./maze.js";

const TILE = { id: "tile", kind: "hex", x_mm: 0, y_mm: 0 };
const PICTURE = new Geometry({ hex_mm: 38, width_mm: 38, height_mm: 44, spaces: [TILE] });

export const DICE = "rolled";

// attributes: of the button; label: what it says if not the choice's own words.
export function button(choice, view, attributes, label = choice.text) {
  const corridors = way(choice, view);
  const look = corridors ? "picture" : choice.verb === DICE ? "number" : null;
  return html(
    "button",
    { type: "button", class: look, "aria-label": choice.text, ...attributes },
    corridors ? picture(corridors) : null,
    html("span", {}, look === "number" ? String(choice.args[0]) : label),
  );
}

// Of pictures, only the words in which they differ: they all begin alike.
export function differing(choices, view) {
  const texts = choices.filter((choice) => way(choice, view)).map(({ text }) => text.split(" "));
  const start = alike(texts);
  return (choice) => (way(choice, view) ? choice.text.split(" ").slice(start).join(" ") : choice.text);
}

// How many words texts have in common at their beginning; none, if there is but one text, or they are all the same.
export function alike(texts) {
  if (texts.length < 2) return 0;
  return Math.max(0, texts[0].findIndex((word, at) => texts.some((words) => words[at] !== word)));
}

// The corridors of a tile as it lies by this choice; undefined: it turns none.
function way({ verb, args }, { facing }) {
  return verb === "face" ? facing?.ways.find(({ turned }) => turned === args[1])?.corridors : undefined;
}

function picture(corridors) {
  const tile = new Maze(null, PICTURE).tile({ space: TILE.id, corridors }, TILE.id);
  return svg("svg", { viewBox: "-20 -23 40 46", "aria-hidden": "true", class: "tile-picture" }, tile);
}
