// One screen for all: hands are covered until their seat presses, and again when its turn is over or nobody touches it.
// Under the cover the page is a public one: what is hidden is not there.

import { html, redraw } from "./element.js";
import { seatNames } from "./panel.js";
import { say } from "./say.js";

const IDLE_MS = 45_000;
const TOUCHES = ["pointerdown", "keydown", "wheel"];

export class Cover {
  // open(seat): show that seat's page, or "public". leave(): the mode was ended.
  constructor(head, { open, leave }) {
    this.acts = { open, leave };
    this.on = false;
    this.seat = null; // who looks now
    this.timer = null;
    this.doors = html("div", { class: "buttons" });
    this.dialog = html(
      "dialog",
      { id: "cover", "aria-label": say("The screen is covered"), oncancel: (event) => event.preventDefault() },
      this.doors,
      html("button", { type: "button", class: "plain", onclick: () => this.dialog.close() }, say("Only look at the board")),
    );
    this.button = html(
      "button",
      { type: "button", hidden: true, "aria-pressed": "false", onclick: () => this.toggle() },
      say("Pass the screen"),
    );
    this.again = html("button", { type: "button", hidden: true, onclick: () => this.cover() }, say("Cover"));
    head.append(this.button, this.again);
    document.body.append(this.dialog);
    for (const kind of TOUCHES) addEventListener(kind, () => this.touch(), { capture: true, passive: true });
  }

  // A page of the network cannot show any seat.
  allow(home) {
    this.home = home;
  }

  toggle() {
    if (this.on) {
      this.end();
      this.acts.leave();
    } else this.begin();
  }

  begin() {
    this.on = true;
    this.again.hidden = false;
    this.button.setAttribute("aria-pressed", "true");
    this.cover();
  }

  end() {
    clearTimeout(this.timer);
    this.on = false;
    this.seat = null;
    this.again.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
    this.dialog.close();
  }

  // What the table says: a seat that is asked for nothing more has to give the screen away.
  hear({ view, turn, history, outcome }) {
    const names = seatNames((view.seats ?? []).map((row, n) => ({ seat: n, ...row })));
    this.button.hidden = !this.home || names.length < 2;
    const asked = [...new Set([...turn, ...(history.missing ?? [])])].map(String);
    const wanted = outcome ? [] : names.filter(([seat]) => asked.includes(seat));
    const others = redraw(this.doors, wanted, () => wanted.map(([seat, name]) => this.door(seat, name)));
    if (others && this.on && !outcome && !asked.includes(this.seat)) this.cover();
    if (this.on && outcome) this.toggle();
  }

  door(seat, name) {
    const n = Number(seat) + 1;
    const words =
      name === say("Seat {n}", { n })
        ? say("Pass the screen to seat {n}: press to uncover", { n })
        : say("Pass the screen to seat {n} ({name}): press to uncover", { n, name });
    return html("button", { type: "button", onclick: () => this.uncover(seat) }, words);
  }

  cover() {
    clearTimeout(this.timer);
    this.seat = null;
    this.acts.open("public");
    if (!this.dialog.open) this.dialog.showModal();
  }

  uncover(seat) {
    this.seat = seat;
    this.dialog.close();
    this.acts.open(seat);
    this.touch();
  }

  touch() {
    if (this.seat === null) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.cover(), IDLE_MS);
  }
}
