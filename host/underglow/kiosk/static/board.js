// The board itself: plate, faces, printed lines and names, and the light of the strip under them.

import { redraw, svg } from "./element.js";
import { say } from "./say.js";

const SPREAD = { hex: 0.72, rim: 0.62, pad: 0.62, zone: 1.15, edge: 0.24 }; // how far a pixel's light spreads, in hexes
const TINT = 0.42; // how much of it the whole face of a space takes on
const GAMMA = 2.4; // LEDs are linear, eyes and screens are not: without it every low level would look dark
const FAINTEST = 0.1; // even at 1 of 255 an LED in a dim room is seen to be on

const points = (corners) => corners.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

export class BoardDrawing {
  constructor(surface, geometry) {
    this.surface = surface;
    this.geometry = geometry;
    this.layers = {};
    this.faces = new Map(); // space -> its face, tinted by the pixels of its lamp
    this.pools = [];
    this.lit = "";
    surface.replaceChildren();
    for (const name of ["plate", "faces", "maze", "light", "lines", "print", "pieces", "ghosts", "targets", "aim", "figures"]) {
      this.layers[name] = svg("g", { class: name });
      surface.append(this.layers[name]);
    }
    this.drawPlate();
    for (const space of geometry.spaces.values()) this.drawSpace(space);
    const kinds = new Map([...geometry.spaces.values()].map(({ x_mm, y_mm, kind }) => [`${x_mm} ${y_mm}`, kind]));
    geometry.board.pixels.forEach((at, pixel) => this.drawPool(at, pixel, kinds.get(at?.join(" ")) ?? "edge"));
    this.fit();
  }

  // Choose the tray's side by the room there is, and the viewBox with it.
  fit() {
    const { width_mm: width, height_mm: height } = this.geometry.board;
    const room = this.surface.getBoundingClientRect();
    this.geometry.place(room.width / room.height > width / height ? "beside" : "below");
    const { view, tray } = this.geometry;
    this.surface.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    this.tray.setAttribute("transform", `translate(${tray.x} ${tray.y})`);
    this.tray.replaceChildren(
      svg("rect", { class: "tray", width: tray.width, height: tray.height, rx: 7 }),
      svg("text", { class: "tray-name", x: 7, y: 11 }, say("in hand")),
    );
  }

  drawPlate() {
    const { width_mm: width, height_mm: height } = this.geometry.board;
    this.tray = svg("g");
    this.layers.plate.append(svg("rect", { class: "board", width, height, rx: 9 }), this.tray);
  }

  drawSpace(space) {
    const outline = (shape) => this.outline(space, shape);
    const face = outline({ class: `face ${space.kind}`, "data-space": space.id });
    this.layers.faces.append(face);
    const tint = outline({ class: "tint", "data-space": space.id });
    this.layers.light.append(tint);
    const line = outline({ class: `line ${space.kind}` });
    this.layers.lines.append(line);
    this.faces.set(space.id, { face, tint, line, pixels: this.geometry.board.lamps[space.lamps.centre] });
  }

  // The outline of a space, a little inside its borders.
  outline(space, attributes) {
    const { x_mm: x, y_mm: y, kind } = space;
    if (kind === "hex") return svg("polygon", { ...attributes, points: points(this.geometry.hexagon(space, 0.7)) });
    if (kind === "zone") {
      const [width, height] = this.geometry.board.zone_mm;
      return svg("rect", { ...attributes, x: x - width / 2, y: y - height / 2, width, height, rx: 5 });
    }
    return svg("circle", { ...attributes, cx: x, cy: y, r: this.geometry.hex * (kind === "pad" ? 0.46 : 0.4) });
  }

  drawPool(at, pixel, kind) {
    if (at === null) return this.pools.push(null);
    const [cx, cy] = at;
    const colour = svg(
      "radialGradient",
      { id: `pixel-${pixel}`, color: "#000" },
      [[0, 0.95], [0.3, 0.62], [0.62, 0.2], [1, 0]].map(([offset, opacity]) =>
        svg("stop", { offset, "stop-color": "currentColor", "stop-opacity": opacity }),
      ),
    );
    const r = SPREAD[kind] * this.geometry.hex;
    const pool = svg("circle", { class: "pool", cx, cy, r, fill: `url(#pixel-${pixel})` });
    pool.style.opacity = 0;
    this.layers.light.append(colour, pool);
    return this.pools.push({ colour, pool });
  }

  // Show the strip: six hex digits a pixel, as the LEDs received them.
  light(strip) {
    if (strip === this.lit) return;
    this.lit = strip;
    const seen = this.pools.map((_, pixel) => look(strip.slice(6 * pixel, 6 * pixel + 6)));
    this.pools.forEach((drawn, pixel) => {
      if (!drawn) return;
      drawn.colour.setAttribute("color", seen[pixel].colour);
      drawn.pool.style.opacity = seen[pixel].level;
    });
    for (const { tint, pixels } of this.faces.values()) {
      const brightest = pixels.map((pixel) => seen[pixel]).reduce((a, b) => (a.level < b.level ? b : a));
      tint.setAttribute("fill", brightest.colour);
      tint.style.opacity = brightest.level * TINT;
    }
  }

  // Print what the scenario lays over the board: names of spaces, walls, doors.
  print(overlay, view) {
    const names = new Map(Object.entries(overlay).map(([name, space]) => [space, name]));
    redraw(this.layers.print, [overlay, view.walls, view.doors], () => {
      const marks = [];
      for (const space of this.geometry.spaces.values()) {
        const { face, line } = this.faces.get(space.id);
        for (const part of [face, line]) part.classList.toggle("mapped", names.has(space.id));
        if (space.kind !== "zone") marks.push(this.nameOf(space, names.get(space.id)));
      }
      for (const [a, b] of view.walls ?? []) marks.push(this.wall(overlay[a], overlay[b]));
      for (const { edge: [a, b], open } of view.doors ?? []) marks.push(this.door(overlay[a], overlay[b], open));
      return marks;
    });
  }

  nameOf(space, name) {
    const { x_mm: x, y_mm: y, kind } = space;
    if (kind === "pad") {
      const arcs = [4.5, 8, 11.5].map((r) => `M${x - r} ${y - 2}a${r} ${r} 0 0 1 ${2 * r} 0`).join("");
      const word = svg("text", { class: "name", x, y: y + 8 }, say("identify"));
      return svg("g", {}, svg("path", { class: "mark", d: arcs }), word);
    }
    const rise = kind === "hex" ? -this.geometry.radius * 0.6 : 1.6;
    return svg("text", { class: name ? "name mapped" : "name", x, y: y + rise }, name ?? space.id);
  }

  wall(a, b) {
    const { from, to } = this.geometry.edge(a, b);
    const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
    const strokes = ["wall-bed", "wall"].map((name) => svg("line", { class: name, ...line }));
    return svg("g", { role: "img", "aria-label": say("wall") }, strokes);
  }

  // A door has two posts; shut, a barred leaf lies between them.
  door(a, b, open) {
    const { from, to, middle, along } = this.geometry.edge(a, b);
    const at = (t) => ({ x: middle.x + along.x * t, y: middle.y + along.y * t });
    const across = (t, d) => ({ x: at(t).x - along.y * d, y: at(t).y + along.x * d });
    const bars = [-5, 0, 5].map((t) => [across(t, -2.6), across(t, 2.6)]);
    const leaf = open
      ? []
      : [
          svg("line", { class: "wall-bed", x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
          svg("line", { class: "leaf", x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
          ...bars.map(([p, q]) => svg("line", { class: "bar", x1: p.x, y1: p.y, x2: q.x, y2: q.y })),
        ];
    const posts = [from, to].map(({ x, y }) => svg("circle", { class: "post", cx: x, cy: y, r: 2.6 }));
    const name = open ? say("open door") : say("closed door");
    return svg("g", { role: "img", "aria-label": name, class: "door" }, svg("title", {}, name), leaf, posts);
  }
}

// What an eye sees of an LED: its hue at full, and how bright it looks, 0 to 1.
function look(digits) {
  const channels = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16) || 0);
  const most = Math.max(...channels);
  if (most === 0) return { colour: "#000", level: 0 };
  const hue = channels.map((channel) => Math.round(255 * (channel / most) ** (1 / GAMMA)));
  return { colour: `rgb(${hue})`, level: FAINTEST + (1 - FAINTEST) * (most / 255) ** (1 / GAMMA) };
}
