// Several choices on one space: a small panel beside it. Escape or a click elsewhere closes it.

import { button, differing } from "./choice.js";
import { html } from "./element.js";
import { say } from "./say.js";

const GAP_PX = 8;

export class Chooser {
  // act: {take(choice), closed()}
  constructor(element, act) {
    this.element = element;
    this.act = act;
    element.addEventListener("toggle", ({ newState }) => newState === "closed" && element.replaceChildren());
  }

  // anchor: the element it belongs to; more: [label, function] of what else can be done there.
  open(title, choices, view, anchor, more = []) {
    const control = (label, act) =>
      html("button", { type: "button", onclick: () => (this.close(), act()) }, html("span", {}, label));
    const label = differing(choices, view);
    const offers = choices.map((choice) =>
      button(choice, view, { onclick: () => (this.close(), this.act.take(choice)) }, label(choice)),
    );
    this.element.setAttribute("aria-label", title);
    this.element.replaceChildren(
      html("h3", {}, title),
      html(
        "div",
        { class: "offers" },
        offers,
        more.map(([label, act]) => control(label, act)),
        control(say("Close"), () => {}),
      ),
    );
    this.element.showPopover();
    this.beside(anchor.getBoundingClientRect());
    this.element.querySelector("button").focus();
  }

  close() {
    if (this.element.matches(":popover-open")) this.element.hidePopover();
  }

  // Right of the space if there is room, else left, else below or above it.
  beside({ left, right, top, bottom }) {
    const { width, height } = this.element.getBoundingClientRect();
    const most = { x: innerWidth - width - GAP_PX, y: innerHeight - height - GAP_PX };
    const clamp = (at, end) => Math.max(GAP_PX, Math.min(at, end));
    const fits = [right + GAP_PX, left - GAP_PX - width].find((x) => x >= GAP_PX && x <= most.x);
    const below = bottom + GAP_PX <= most.y ? bottom + GAP_PX : top - GAP_PX - height;
    this.element.style.left = `${fits ?? clamp((left + right - width) / 2, most.x)}px`;
    this.element.style.top = `${clamp(fits === undefined ? below : (top + bottom - height) / 2, most.y)}px`;
  }
}
