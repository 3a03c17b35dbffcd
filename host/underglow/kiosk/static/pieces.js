// What the game lays on the board and nobody carries: threats, items, the zones' stacks.

import { redraw, set, svg } from "./element.js";
import { spot } from "./maze.js";
import { say } from "./say.js";

const CHIP_MM = 8;
const RESTING = { x: 0, y: 0.5 }; // a chip alone on a space lies a little below its name
const BESIDE = { x: -8.5, y: 1 }; // with a figure on the space it gives way to it

// The three shapes of threats, and a circle for any other: each is told from the others without its colour.
const SHAPES = {
  a: "M0-8.6 8.2 5.6H-8.2Z",
  b: "M-6.6-6.6H6.6V6.6H-6.6Z",
  c: "M-4-7.4H4L8 0 4 7.4H-4L-8 0Z",
};
const ROUND = "M0-7.5a7.5 7.5 0 1 1 0 15a7.5 7.5 0 1 1 0-15Z";

const GLYPHS = {
  melee: "M-3.6-3.6 3.6 3.6M3.6-3.6-3.6 3.6",
  shooter: "M-4 0H1.4M1.4-2.6 4.2 0 1.4 2.6",
  sharpshooter: "M0-4.4V-1.6M0 1.6V4.4M-4.4 0H-1.6M1.6 0H4.4M0-.3V.3",
  key: "M-4.2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0M-.2 0H4.4M2.2 0V2.2M4.2 0V2.2",
  item: "M-3.8-1H3.8V3.8H-3.8ZM-1.8-1V-2.2a1.8 1.8 0 0 1 3.6 0V-1M-1 1H1",
  trap: "M-4.4 2.6-2.9-2.4-1.4 2.6 0-2.4 1.4 2.6 2.9-2.4 4.4 2.6Z",
  glyph: "M0-4.6 3.4 0 0 4.6-3.4 0ZM0-1.6V1.6",
  golem: "M-4.2 4.2V-.4L-2-2.4V-4.6H2V-2.4L4.2-.4V4.2M-1.6 4.2V1.6H1.6V4.2",
  child: "M0 3.8C-6.4-.6-3.2-5.2 0-2.2 3.2-5.2 6.4-.6 0 3.8Z",
  asset: "M0-4.6 1.3-1.5 4.6-1.2 2.1 1 2.9 4.2 0 2.4-2.9 4.2-2.1 1-4.6-1.2-1.3-1.5Z",
};

const CLASSES = { melee: say("melee"), shooter: say("shooter"), sharpshooter: say("sharpshooter") };

// No chips: a card lies in its zone, a tile is drawn as the maze, and its head as the way it lies.
const NO_CHIPS = new Set(["card", "tile", "head"]);

export class Pieces {
  constructor(layer, geometry) {
    this.layer = layer;
    this.geometry = geometry;
    this.covered = new Set(); // spaces of the board with a chip on them
  }

  // Draw the view of a seat. `figures`: tokens that are carried by hand; `taken`: spaces on which one stands.
  draw(view, overlay, figures, taken) {
    const shown = [view.tokens, view.zones, view.maze, overlay, [...figures], [...taken]];
    redraw(this.layer, shown, () => this.parts(view, overlay, figures, taken));
  }

  parts(view, overlay, figures, taken) {
    const lying = (view.tokens ?? []).filter(
      ({ id, kind, space }) => !NO_CHIPS.has(kind) && !figures.has(id) && overlay[space],
    );
    this.tiles = new Map((view.maze ?? []).map((tile) => [tile.space, tile]));
    this.covered = new Set(lying.map(({ space }) => overlay[space]));
    const piles = Map.groupBy(lying, ({ space, corridor }) => `${space} ${corridor}`);
    const chips = [...piles.values()].flatMap((tokens) => this.pile(tokens, overlay[tokens[0].space], taken));
    const zones = (view.zones ?? []).filter(({ id }) => overlay[id]).map((zone) => this.zone(zone, overlay[zone.id]));
    return [...zones, ...chips];
  }

  // What lies on one space, or on one corridor of it.
  pile(tokens, space, taken) {
    const [{ space: name, corridor }] = tokens;
    const centre = this.geometry.centre(space);
    const aside = spot(this.tiles.get(name), corridor, this.geometry.hex);
    const own = aside.x !== 0 || aside.y !== 0;
    const at = own ? aside : taken.has(space) ? BESIDE : RESTING;
    const scale = (own || taken.has(space) ? 0.72 : 1) / Math.min(2, 0.5 + tokens.length / 2);
    const roomy = !own && !taken.has(space) && tokens.length === 1;
    return tokens.map((token, n) => {
      const beside = (n - (tokens.length - 1) / 2) * 2 * CHIP_MM * scale;
      const place = `translate(${centre.x + at.x + beside} ${centre.y + at.y}) scale(${scale})`;
      return set(chip(token, name, roomy), { transform: place });
    });
  }

  // A zone: its name, the cards laid on it, disruption tokens, their sum.
  zone(zone, space) {
    const { id, name, strengths = [], disruption = [], sum = 0, used = false } = zone;
    const parts = [
      strengths.length ? say("cards {strengths}", { strengths: strengths.join(", ") }) : say("no cards"),
      disruption.length ? say("disruption {strengths}", { strengths: disruption.join(", ") }) : null,
      say("sum {n}", { n: sum }),
      used ? say("used this turn") : null,
    ];
    const label = `${name ?? id}: ${parts.filter(Boolean).join("; ")}`;
    const drawn = this.geometry.spaces.get(space).kind === "zone" ? this.slot(zone, space) : this.disc(zone, space);
    return svg(
      "g",
      { class: used ? "stack used" : "stack", role: "img", "aria-label": label },
      svg("title", {}, label),
      drawn,
    );
  }

  // A zone on a space that was printed for something else: it has a name there, and little room; the rest goes beside.
  disc({ strengths = [], disruption = [], sum = 0, used = false }, space) {
    const { x, y } = this.geometry.centre(space);
    const parts = [...strengths.map((strength) => (strength === 0 ? "✦" : strength)), ...disruption.map((n) => `◌${n}`)];
    return [
      svg("text", { class: "sum small", x, y: y + 11 }, String(sum)),
      svg("text", { class: "sum-name", x: x + 16, y: y + 2 }, used ? `${parts.join(" ")} ${say("used")}` : parts.join(" ")),
    ];
  }

  // A card-shaped slot shows the cards as the top edges of a stack.
  slot({ id, name, strengths = [], disruption = [], sum = 0, used = false }, space) {
    const { x, y } = this.geometry.centre(space);
    const [width, height] = this.geometry.board.zone_mm;
    const [left, top, right, bottom] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
    const step = Math.min(12, (height - 46) / Math.max(1, strengths.length));
    const cards = strengths.map((strength, n) =>
      svg(
        "g",
        { class: "card", transform: `translate(${left + 7} ${top + 16 + n * step})` },
        svg("rect", { width: width - 28, height: height - 44 - n * step, rx: 3 }),
        svg("text", { x: 5, y: 8.6 }, strength === 0 ? "✦" : String(strength)),
      ),
    );
    const tokens = disruption.map((strength, n) =>
      svg(
        "g",
        { class: "disruption", transform: `translate(${right - 12} ${top + 23 + n * 15})` },
        svg("circle", { r: 6.4 }),
        svg("text", { y: 2.8 }, String(strength)),
      ),
    );
    return [
      svg("text", { class: "zone-name", x: left + 7, y: top + 10.5 }, name ?? id),
      ...cards,
      ...tokens,
      svg("text", { class: "sum-name", x: left + 7, y: bottom - 7.5 }, used ? say("used") : say("sum")),
      svg("text", { class: "sum", x: right - 7, y: bottom - 7 }, String(sum)),
    ];
  }
}

function chip(token, space, roomy) {
  const down = token.face === "down";
  const kind = down ? "threat" : token.class ? "enemy" : token.kind;
  const label = say("{token} on {space}", { token: down ? describeBack(token) : describe(token), space });
  const name = !down && roomy ? svg("text", { class: "piece-name", y: 13.6 }, token.name) : null;
  return svg(
    "g",
    { class: `chip ${kind} ${down ? "down" : "up"}`, role: "img", "aria-label": label, "data-token": token.id },
    svg("title", {}, label),
    svg("path", { class: "body", d: SHAPES[token.shape] ?? ROUND }),
    down
      ? svg("text", { class: "unknown", y: token.shape === "a" ? 4 : 3.2 }, "?")
      : svg("path", { class: "glyph", d: GLYPHS[token.class] ?? GLYPHS[token.kind] ?? "" }),
    kind === "enemy" && token.health ? pips(token, roomy ? 11.6 : -11.6) : null,
    name,
  );
}

function describeBack({ name, shape }) {
  return shape ? say("{name}, shape {shape}", { name, shape }) : name;
}

function describe({ name, class: type, health, damage }) {
  const left = health ? say("health {n} of {most}", { n: health - (damage ?? 0), most: health }) : null;
  const parts = [name, CLASSES[type] ?? type, left];
  return parts.filter(Boolean).join(", ");
}

// Health as pips beside the chip: full while it lasts, hollow once lost.
function pips({ health, damage }, cx) {
  return Array.from({ length: health }, (_, n) =>
    svg("circle", {
      class: n < health - (damage ?? 0) ? "pip" : "pip lost",
      cx,
      cy: ((health - 1) / 2 - n) * 3.8,
      r: 1.4,
    }),
  );
}
