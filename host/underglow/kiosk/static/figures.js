// The figures: drawn where their magnets are, carried by mouse, touch or keyboard. A figure in hand is a magnet
// lifted; where the game believes it to stand, a dashed ghost stays. Nothing here moves the game; where magnets are out
// of reach, a figure is pressed to say where it shall go.

import { svg } from "./element.js";
import { say } from "./say.js";

const PAWN = "M-6.8 5.4C-6.8-1-4.6-4.4-3.4-7.6A5.2 5.2 0 1 1 3.4-7.6C4.6-4.4 6.8-1 6.8 5.4A22 22 0 0 1-6.8 5.4Z";
const STANDING_MM = 6; // a figure stands a little below the middle, so that the space keeps its name
const ROOM_MM = 7;
const STILL_PX = 6; // less than this between down and up is a click, which picks up and waits for a second one
const BELIEVE_MS = 1500; // how long a figure is shown where it was just put before the bench has said so

const KEYS = say("Arrows choose a space, Enter sets down, Escape puts back.");
const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

export class Figures {
  // hands: {send(message) -> whether it went, whisper(sentence), hint(sentence), nameOf(space),
  // offered(space) -> whether a choice names it, ask(space, more), goes(token) -> whether the page can move it by
  // word, go(token)}
  constructor(drawing, hands) {
    this.surface = drawing.surface;
    this.layers = drawing.layers;
    this.geometry = drawing.geometry;
    this.hands = hands;
    this.movable = false;
    this.magnets = null; // token -> space; null: nobody can see them
    this.expected = new Map(); // token -> the space where the game believes it to stand
    this.inHand = new Set(); // tokens the game believes to be in hand
    this.names = {};
    this.known = new Map(); // token -> its element
    this.put = new Map(); // token -> {space, until}: where it was just put
    this.shared = new Set(); // spaces where a chip lies too: a figure gives it room
    this.held = null; // {token, how: "drag" | "click" | "keys", from, at, over, rail}
    this.touched = null; // a figure on a target, pressed and not yet moved: {token, space, x, y}
    this.busy = false; // the press that goes on belongs to a figure
    this.surface.addEventListener("pointerdown", (event) => this.press(event));
    this.surface.addEventListener("pointermove", (event) => this.carry(event));
    this.surface.addEventListener("pointerup", (event) => this.release(event));
    this.surface.addEventListener("click", () => this.click());
    this.surface.addEventListener("pointercancel", () => this.cancel());
    this.surface.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.putBack());
  }

  // -- what the table and the bench say --------------------------------------------------------------------------

  believe({ layout, tokens, understood }) {
    this.expected = new Map(Object.entries(layout).flatMap(([space, ids]) => ids.map((id) => [id, space])));
    this.inHand = new Set(understood.tokens ?? []);
    this.names = tokens;
    this.draw();
  }

  see(magnets) {
    this.magnets = new Map(Object.entries(magnets));
    for (const [token, { space }] of this.put) {
      if (this.magnets.get(token) === (space ?? undefined)) this.put.delete(token);
    }
    this.draw();
  }

  // Another game begins: figures that only the last one had are gone.
  forget() {
    this.letGo();
    for (const element of this.known.values()) element.remove();
    for (const seen of [this.known, this.put, this.expected]) seen.clear();
  }

  makeRoom(spaces) {
    this.shared = spaces;
    this.draw();
  }

  // Those that are on the board or in the game. One that is neither belongs to a game before.
  tokens() {
    const seen = new Set([...this.known.keys(), ...this.expected.keys(), ...(this.magnets?.keys() ?? [])]);
    const here = (token) => token in this.names || token === this.held?.token || this.space(token) !== null;
    return new Set([...seen].filter(here));
  }

  // The space a figure is shown on; null for none, which is the tray.
  space(token) {
    if (this.held?.token === token) return null;
    const put = this.put.get(token);
    if (put && put.until > performance.now()) return put.space;
    if (this.magnets) return this.magnets.get(token) ?? null;
    return this.inHand.has(token) ? null : (this.expected.get(token) ?? null);
  }

  taken() {
    return new Set([...this.tokens()].map((token) => this.space(token)).filter((space) => space !== null));
  }

  // -- by mouse and touch ----------------------------------------------------------------------------------------

  press(event) {
    if (event.button !== 0) return;
    this.busy = this.held !== null;
    if (this.held) return void this.setDown(this.geometry.under(this.point(event)));
    const token = event.target.closest("[data-figure]")?.dataset.figure;
    if (!token) return;
    const [at, space] = [{ x: event.clientX, y: event.clientY }, this.space(token)];
    if (this.on(space) || this.hands.goes(token)) this.touched = { token, space, ...at };
    else this.drag(token, event.pointerId, at);
  }

  drag(token, pointer, at) {
    if (!this.movable || !this.lift(token, "drag")) return;
    this.surface.setPointerCapture(pointer);
    this.held.press = at;
  }

  carry(event) {
    if (this.touched) {
      const { token, x, y } = this.touched;
      if (Math.hypot(event.clientX - x, event.clientY - y) < STILL_PX) return;
      this.touched = null;
      this.drag(token, event.pointerId, { x, y });
    }
    if (!this.held || this.held.how === "keys") return;
    const { press, how } = this.held;
    const still = how === "drag" && Math.hypot(event.clientX - press.x, event.clientY - press.y) < STILL_PX;
    if (still) return;
    this.held.moved = true;
    this.held.at = this.point(event);
    this.held.over = this.geometry.under(this.held.at);
    this.draw();
  }

  release(event) {
    if (this.held?.how !== "drag") return;
    if (this.held.moved) return void this.setDown(this.geometry.under(this.point(event)));
    this.waitForClick();
  }

  // A figure on a target was pressed and did not move: the choices there, and to lift it or say where it shall go.
  click() {
    this.busy = false;
    if (!this.touched) return;
    const { token, space } = this.touched;
    this.touched = null;
    const more = this.more(token);
    if (this.on(space)) this.hands.ask(space, more);
    else more?.[1]();
  }

  // Whether choices name that space.
  on(space) {
    return space !== null && this.hands.offered(space);
  }

  more(token) {
    if (this.movable) return [say("Lift the {name}", { name: this.name(token) }), () => this.pickUp(token)];
    return this.hands.goes(token) ? [say("Move the {name} …", { name: this.name(token) }), () => this.hands.go(token)] : null;
  }

  pickUp(token) {
    if (this.lift(token, "click")) this.waitForClick();
  }

  waitForClick() {
    this.held.how = "click";
    this.hands.hint(say("Click the space to set it down on; Esc puts it back."));
  }

  point(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.surface.getScreenCTM().inverse());
    return { x, y };
  }

  // -- by keyboard -----------------------------------------------------------------------------------------------

  key(event) {
    const token = event.target.closest("[data-figure]")?.dataset.figure;
    if (!token || !(this.movable || this.hands.goes(token))) return;
    const direction = ARROWS[event.key];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (event.repeat) return;
      if (!this.movable) this.hands.go(token);
      else if (this.held) this.setDown(this.held.over);
      else if (this.lift(token, "keys")) this.hands.whisper(`${say("{name} lifted.", { name: this.name(token) })} ${KEYS}`);
    } else if (direction && this.held) {
      event.preventDefault();
      this.walk(direction);
    }
  }

  walk(direction) {
    const { held } = this;
    const sideways = direction.x !== 0;
    if (held.sideways !== sideways) held.rail = held.at;
    held.sideways = sideways;
    const next = this.geometry.next(held.at, direction, held.rail);
    if (next === undefined) return;
    held.how = "keys";
    held.over = next;
    held.at = next === null ? this.geometry.inTray(0) : this.geometry.centre(next);
    this.hands.whisper(next === null ? say("in hand, off the board") : this.hands.nameOf(next));
    this.draw();
  }

  // -- lifting and setting down ----------------------------------------------------------------------------------

  lift(token, how) {
    const from = this.space(token);
    if (from !== null && !this.hands.send({ lift: token })) return false;
    const at = from === null ? this.spot(token) : this.geometry.centre(from);
    this.put.delete(token);
    this.held = { token, how, from, at, over: from, rail: at, sideways: null };
    this.hands.hint(how === "keys" ? KEYS : say("Let go over a space, or beside the board to keep it in hand."));
    this.draw();
    return true;
  }

  // Set the held figure down on a space; null: keep it in hand, off the board.
  setDown(space) {
    const { token } = this.held;
    this.held = null;
    if (space !== null) this.hands.send({ place: [token, space] });
    this.put.set(token, { space, until: performance.now() + BELIEVE_MS });
    setTimeout(() => this.draw(), BELIEVE_MS + 20);
    const name = this.name(token);
    const done =
      space === null
        ? say("{name} stays in hand", { name })
        : say("{name} set down on {space}", { name, space: this.hands.nameOf(space) });
    this.hands.whisper(done);
    this.hands.hint(null);
    this.draw();
  }

  putBack() {
    if (this.held) this.setDown(this.held.from);
  }

  cancel() {
    this.touched = null;
    this.putBack();
  }

  // The socket dropped: whatever is in hand stays lifted, as a magnet would.
  letGo() {
    this.held = null;
    this.put.clear();
    this.hands.hint(null);
    this.draw();
  }

  // -- drawing ---------------------------------------------------------------------------------------------------

  draw() {
    const spots = this.spots();
    for (const token of [...this.known.keys()].filter((token) => !spots.has(token))) {
      this.known.get(token).remove();
      this.known.delete(token);
    }
    for (const [token, spot] of spots) {
      const figure = this.figure(token);
      const name = this.name(token);
      const label =
        spot.space === null
          ? say("{name}, in hand", { name })
          : say("{name}, on {space}", { name, space: this.hands.nameOf(spot.space) });
      figure.setAttribute("transform", `translate(${spot.x.toFixed(2)} ${spot.y.toFixed(2)})`);
      figure.setAttribute("aria-label", label);
      const goes = !this.movable && this.hands.goes(token);
      figure.setAttribute("aria-disabled", String(!this.movable && !goes));
      figure.classList.toggle("said", goes);
      figure.classList.toggle("held", this.held?.token === token);
      figure.classList.toggle("movable", this.movable);
      figure.classList.toggle("crowded", spot.crowded);
    }
    this.drawGhosts();
    this.drawAim();
  }

  // Where each figure is drawn: several on one space stand side by side, those in hand lie in the tray.
  spots() {
    const spots = new Map();
    const tokens = [...this.tokens()].sort();
    const groups = Map.groupBy(tokens, (token) => this.space(token));
    for (const [space, group] of groups) {
      const resting = group.filter((token) => this.held?.token !== token);
      resting.forEach((token, n) => {
        const at = space === null ? this.geometry.inTray(n) : this.geometry.centre(space);
        const aside = space === null ? 0 : (n - (resting.length - 1) / 2) * 15;
        const room = this.shared.has(space) ? ROOM_MM : 0;
        const crowded = resting.length > 1;
        spots.set(token, { space, x: at.x + aside + room, y: at.y + STANDING_MM, crowded });
      });
    }
    if (this.held) spots.set(this.held.token, { space: null, x: this.held.at.x, y: this.held.at.y, crowded: false });
    return spots;
  }

  spot(token) {
    const { x, y } = this.spots().get(token);
    return { x, y };
  }

  drawGhosts() {
    const ghosts = [...this.expected].filter(([token, space]) => this.space(token) !== space);
    this.layers.ghosts.replaceChildren(
      ...ghosts.map(([token, space]) => {
        const { x, y } = this.geometry.centre(space);
        const values = { name: this.name(token), space: this.hands.nameOf(space) };
        const label = say("the game believes {name} on {space}", values);
        return svg(
          "g",
          { class: "ghost", transform: `translate(${x} ${y + STANDING_MM})`, role: "img", "aria-label": label },
          svg("path", { class: "rim", d: PAWN }),
          svg("path", { class: "trace", d: PAWN }),
          svg("text", { y: 2.6 }, initials(this.name(token))),
        );
      }),
    );
  }

  drawAim() {
    const over = this.held?.over;
    const spot = over === null || over === undefined ? null : this.geometry.spaces.get(over);
    if (!spot) return this.layers.aim.replaceChildren();
    const zone = spot.kind === "zone";
    const [width, height] = zone ? this.geometry.board.zone_mm : [this.geometry.hex, this.geometry.hex];
    const { x_mm: x, y_mm: y } = spot;
    const shape = zone
      ? svg("rect", { class: "aim-line", x: x - width / 2, y: y - height / 2, width, height, rx: 5 })
      : svg("circle", { class: "aim-line", cx: x, cy: y, r: width / 2 - 1.5 });
    return this.layers.aim.replaceChildren(shape);
  }

  figure(token) {
    if (this.known.has(token)) return this.known.get(token);
    const name = this.name(token);
    const figure = svg(
      "g",
      { class: `figure tint-${this.known.size % 6}`, tabindex: 0, role: "button", "data-figure": token },
      svg("circle", { class: "reach", r: 15, cy: -2 }),
      svg("ellipse", { class: "shadow", cy: 7.4, rx: 9.4, ry: 3.4 }),
      svg("ellipse", { class: "base", cy: 5.6, rx: 9.2, ry: 3.8 }),
      svg("path", { class: "pawn", d: PAWN }),
      svg("ellipse", { class: "gleam", cx: -1.8, cy: -11.4, rx: 1.5, ry: 2, transform: "rotate(28 -1.8 -11.4)" }),
      svg("text", { y: 2.6 }, initials(name)),
      svg("title", {}, name),
    );
    this.known.set(token, figure);
    this.layers.figures.append(figure);
    return figure;
  }

  name(token) {
    return this.names[token]?.name ?? token;
  }
}

function initials(name) {
  const words = name.split(/[\s_-]+/).filter((word) => word && word.toLowerCase() !== "the");
  return words.slice(0, 2).map((word) => word[0].toUpperCase()).join("");
}
