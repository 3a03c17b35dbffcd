// Spaces that choices name: each is marked on the board, and taken there by mouse, touch or keyboard.

import { redraw, svg } from "./element.js";
import { counted } from "./say.js";

const BADGE_MM = 5;

export class Targets {
  // act: {take(choice), ask(space, choices, element), name(space), lifting() -> whether a figure is in hand}
  constructor(layer, geometry, act) {
    this.layer = layer;
    this.geometry = geometry;
    this.act = act;
    this.here = new Map(); // space -> choices
    layer.addEventListener("click", (event) => this.press(event));
    layer.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) this.press(event);
    });
  }

  draw(choices, shown) {
    redraw(this.layer, [choices, shown], () => {
      const pairs = choices.flatMap((choice) => choice.at.map((space) => [space, choice]));
      const groups = Map.groupBy(pairs, ([space]) => space);
      this.here = new Map([...groups].map(([space, members]) => [space, members.map(([, choice]) => choice)]));
      return [...this.here].map(([space, those]) => this.target(space, those, shown));
    });
  }

  // Where all targets mean one verb, a target with one choice is that choice; else words come first.
  plain(space) {
    const verbs = new Set([...this.here.values()].flat().map(({ verb }) => verb));
    return verbs.size === 1 && this.here.get(space).length === 1;
  }

  press(event) {
    const element = event.target.closest("[data-target]");
    if (element && !this.act.lifting()) this.open(element.dataset.target);
  }

  open(space) {
    const choices = this.here.get(space);
    if (this.plain(space)) this.act.take(choices[0]);
    else this.act.ask(space, choices, this.layer.querySelector(`[data-target="${space}"]`));
  }

  target(space, choices, shown) {
    const what = choices.length === 1 ? choices[0].text : counted("{n} choice", "{n} choices", choices.length);
    const { x, y } = this.geometry.centre(space);
    const half = this.geometry.half(this.geometry.spaces.get(space));
    const down = this.geometry.spaces.get(space).kind === "zone" ? half.y - 8 : half.y / 2; // a zone has tokens below
    const corner = { cx: x + half.x - BADGE_MM - 2, cy: y - down, r: BADGE_MM };
    return svg(
      "g",
      {
        class: choices.some(({ index }) => index === shown) ? "target shown" : "target",
        role: "button",
        tabindex: 0,
        "aria-label": `${this.act.name(space)}: ${what}`,
        "aria-haspopup": this.plain(space) ? null : "dialog",
        "data-target": space,
      },
      svg("title", {}, choices.map(({ text }) => text).join("\n")),
      this.outline(space, "target-bed"),
      this.outline(space, "target-line"),
      choices.length === 1 ? null : svg("circle", { class: "target-badge", ...corner }),
      choices.length === 1 ? null : svg("text", { class: "target-count", x: corner.cx, y: corner.cy + 2.4 }, String(choices.length)),
    );
  }

  outline(space, name) {
    const spot = this.geometry.spaces.get(space);
    const { x, y } = this.geometry.centre(space);
    if (spot.kind === "hex") {
      const corners = this.geometry.hexagon(spot, 2.4).map((at) => `${at.x.toFixed(2)},${at.y.toFixed(2)}`);
      return svg("polygon", { class: name, points: corners.join(" ") });
    }
    if (spot.kind !== "zone") return svg("circle", { class: name, cx: x, cy: y, r: this.geometry.hex * 0.42 });
    const half = this.geometry.half(spot);
    return svg("rect", { class: name, x: x - half.x + 1, y: y - half.y + 1, width: 2 * half.x - 2, height: 2 * half.y - 2, rx: 5 });
  }
}
