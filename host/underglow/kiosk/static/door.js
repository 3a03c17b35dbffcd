// The way in for staff, on the table's own page: a PIN pad after their gesture, a quiet button where none can be made.

import { html } from "./element.js";
import { PinPad } from "./pinpad.js";
import { say } from "./say.js";

export class Door {
  constructor(body) {
    this.pad = new PinPad(() => location.assign("/staff"));
    this.says = html("p", {});
    this.dialog = html(
      "dialog",
      { id: "staff-door", "aria-labelledby": "staff-title" },
      html("h2", { id: "staff-title" }, say("For staff")),
      this.says,
      this.pad.element,
      html("button", { type: "button", class: "plain", onclick: () => this.dialog.close() }, say("Back to the table")),
    );
    this.button = html("button", { type: "button", id: "staff-way", hidden: true, onclick: () => this.open() }, say("Staff"));
    body.append(this.dialog, this.button);
  }

  // is: "shut", "ajar" or "called"; missing: what to do first, where no PIN is set.
  hear({ is, missing }) {
    this.button.hidden = is === "shut";
    this.says.textContent = missing || say("Type your PIN. Whoever came here by chance goes back to the table.");
    this.pad.element.hidden = missing !== "";
    if (is === "called") this.open();
    if (is === "shut") this.dialog.close();
  }

  open() {
    if (this.dialog.open) return;
    this.pad.clear();
    this.dialog.showModal();
    this.pad.focus();
  }
}
