// A maze of laid tiles: the corridors across each, a bridge above what it crosses, and the ways from start spaces.

import { redraw, svg } from "./element.js";
import { say } from "./say.js";

const WIDTH = 0.2; // of a corridor, in hexes
const KERB = 0.05; // of the dark line on both sides of it
const PLAZA = 0.24; // radius of the room where many corridors meet
const COMPASS = [say("E"), say("SE"), say("SW"), say("W"), say("NW"), say("NE")];

export class Maze {
  constructor(layer, geometry) {
    this.layer = layer;
    this.geometry = geometry;
  }

  draw({ maze = [], starts = [], drawn = null }, overlay) {
    redraw(this.layer, [maze, starts, drawn, overlay], () => {
      const turning = drawn?.space ? [{ ...drawn, turning: true }] : [];
      const tiles = [...maze, ...turning].filter(({ space }) => overlay[space]);
      const ways = starts.filter(({ space }) => overlay[space]);
      return [
        ...ways.map(({ space, edges }) => this.way(overlay[space], edges[0])),
        ...tiles.map((tile) => this.tile(tile, overlay[tile.space])),
      ];
    });
  }

  tile({ space: name, corridors, turning }, space) {
    const floor = this.geometry.hexagon(this.geometry.spaces.get(space), 0.7);
    const levels = corridors.toSorted((a, b) => a.bridge - b.bridge);
    return svg(
      "g",
      { class: turning ? "tile turning" : "tile" },
      svg("polygon", { class: "floor", points: floor.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ") }),
      levels.map((corridor) => this.corridor(corridor, name, space)),
    );
  }

  corridor({ lane, edges, bridge }, name, space) {
    const { x, y } = this.geometry.centre(space);
    const ends = edges.map((edge) => COMPASS[edge]).join("–");
    const label = bridge
      ? say("bridge {ends} on {space}", { ends, space: name })
      : say("corridor {ends} on {space}", { ends, space: name });
    const where = { "data-corridor": `${name}:${lane}`, "data-edges": edges.join(" ") };
    const hub = edges.length === 1 ? WIDTH / 2 : edges.length > 3 ? PLAZA : 0;
    return svg(
      "g",
      { class: bridge ? "corridor bridge" : "corridor", role: "img", "aria-label": label, ...where },
      svg("title", {}, label),
      ["kerb", "paving"].flatMap((part) => {
        const kerb = part === "kerb" ? 2 * KERB : 0;
        const width = (WIDTH + kerb) * this.geometry.hex;
        return [
          svg("path", { class: part, d: this.path(edges, x, y), "stroke-width": width }),
          hub ? svg("circle", { class: `${part} hub`, cx: x, cy: y, r: (hub + kerb / 2) * this.geometry.hex }) : null,
        ];
      }),
    );
  }

  // A corridor of two ends is one line, bent through the middle; any other has an arm to each edge.
  path(edges, x, y) {
    const ends = edges.map((edge) => this.end(edge, x, y));
    if (edges.length === 2) return `M${ends[0]}Q${x} ${y} ${ends[1]}`;
    return ends.map((end) => `M${end}L${x} ${y}`).join("");
  }

  end(edge, x, y) {
    const { x: dx, y: dy } = toward(edge, this.geometry.hex / 2);
    return `${(x + dx).toFixed(2)} ${(y + dy).toFixed(2)}`;
  }

  way(space, edge) {
    const { x, y } = this.geometry.centre(space);
    const paving = { d: `M${x} ${y}L${this.end(edge, x, y)}` };
    const [kerb, width] = [WIDTH + 2 * KERB, WIDTH].map((part) => part * this.geometry.hex);
    return svg(
      "g",
      { class: "start" },
      svg("path", { class: "kerb", "stroke-width": kerb, ...paving }),
      svg("path", { class: "paving", "stroke-width": width, ...paving }),
    );
  }
}

// Where what lies on a corridor is drawn, from the middle of its tile: there, if no other corridor needs the middle.
export function spot(tile, lane, hex) {
  const corridors = tile?.corridors ?? [];
  const edges = corridors.find((corridor) => corridor.lane === lane)?.edges ?? [];
  if (corridors.length < 2 || edges.length === 0) return { x: 0, y: 0 };
  const [first, last] = [edges[0], edges.at(-1)].map((edge) => toward(edge, hex / 2));
  if ((last.x + first.x) ** 2 + (last.y + first.y) ** 2 < 1) return { x: first.x * 0.58, y: first.y * 0.58 };
  return { x: (first.x + last.x) / 3, y: (first.y + last.y) / 3 };
}

function toward(edge, length) {
  const angle = (Math.PI / 3) * edge;
  return { x: length * Math.cos(angle), y: length * Math.sin(angle) };
}
