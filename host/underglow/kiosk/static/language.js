// The language is chosen on the page. It is kept as a cookie, for the server writes the page in it.

import { html } from "./element.js";
import { LANGUAGE } from "./say.js";

const COOKIE = "language";
const KEPT_S = 365 * 24 * 3600;

const menu = document.querySelector("#language"); // with every language that pages speak
menu.addEventListener("change", () => choose(menu.value));

// The same as large buttons.
export function buttons() {
  return [...menu.options].map(({ value, text }) =>
    html(
      "button",
      { type: "button", lang: value, "aria-pressed": String(value === LANGUAGE), onclick: () => choose(value) },
      text,
    ),
  );
}

// Whoever comes next to a table that nobody looks after finds its own language.
export function forget() {
  if (!document.cookie.split("; ").some((cookie) => cookie.startsWith(`${COOKIE}=`))) return;
  keep("", 0);
  location.reload();
}

function choose(language) {
  keep(language, KEPT_S);
  location.reload();
}

function keep(language, seconds) {
  document.cookie = `${COOKIE}=${language}; Path=/; Max-Age=${seconds}; SameSite=Strict`;
}
