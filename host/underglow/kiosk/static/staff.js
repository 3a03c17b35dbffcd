// The staff's page: how the table is, and what may be done with it. The state is what the server said last.

import { BoardDrawing } from "./board.js";
import { Connection, reconnecting } from "./connection.js";
import { html, redraw, write } from "./element.js";
import { Geometry } from "./geometry.js";
import "./language.js";
import { say } from "./say.js";

const HERE_MS = 30_000; // so often the table hears that somebody is still at this page, if somebody is
const FRESH_S = 2; // a sensor that changed so lately stands out

const root = document.querySelector("#staff");
const part = (id) => root.querySelector(`#${id}`);

let drawing = null;
let settled = null;
let here = 0;

const connection = new Connection(
  {
    board: build,
    health: draw,
    settled: settle,
    test: examine,
    says: (sentence) => (part("says").textContent = sentence),
  },
  (open, reason) => {
    root.dataset.live = String(open);
    if (connection.final) location.assign("/"); // locked
    else if (!open) link("connecting", reconnecting(reason));
  },
  "/staff/live",
);

const send = (message) => connection.send(message);

part("lock").addEventListener("click", () => send({ lock: true }));
part("examine").addEventListener("click", () => send({ examine: true }));
part("restart").addEventListener("click", () => {
  if (part("restart").dataset.sure) send({ restart: true });
  sure(!part("restart").dataset.sure);
});
part("restart").addEventListener("blur", () => sure(false));
part("brightness").addEventListener("input", () => percent(part("brightness").value));
part("brightness").addEventListener("change", () => send({ brightness: Number(part("brightness").value) }));
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => {
    if (performance.now() - here > HERE_MS && send({ here: true })) here = performance.now();
  });
}

// A second press on the same button means it.
function sure(asked) {
  if (asked) part("restart").dataset.sure = "true";
  else delete part("restart").dataset.sure;
  part("restart").textContent = asked ? say("Press again to restart") : say("Restart");
}

function percent(value) {
  part("percent").textContent = say("{n} %", { n: value });
}

function link(state, says) {
  part("link").dataset.state = state;
  write(part("link"), says);
}

// A button that is being pressed stays, and the focus, too.
function show(id, data, build) {
  const controls = () => [...part(id).querySelectorAll("button, input")];
  const at = controls().indexOf(document.activeElement);
  if (redraw(part(id), data, build)) controls()[at]?.focus();
}

// -- how it is --------------------------------------------------------------------------------------------------------

function build(board) {
  drawing = new BoardDrawing(part("surface"), new Geometry(board));
  drawing.print({}, {});
  part("surface").setAttribute("viewBox", `-4 -4 ${board.width_mm + 8} ${board.height_mm + 8}`); // without a tray
}

function draw(health) {
  link(health.up ? "up" : "down", health.up ? say("The board answers.") : health.says);
  show("figures", figures(health), rows);
  show("power", power(health), rows);
  feel(health);
  list("readers", [say("Reader"), say("Reads"), say("Out of service")], health.readers, ({ place, uids, fault }) => ({
    place,
    ill: fault !== "",
    cells: [fault || uids.join(", ") || say("nothing")],
  }));
  const names = [say("Space"), say("No."), say("Feels"), say("Changes"), say("Last, ago"), say("Out of service")];
  list("sensors", names, health.sensors, (one) => ({
    place: one.space,
    ill: one.stuck,
    cells: [String(one.sensor), one.stuck ? say("stuck") : one.felt ? say("a token") : "–", String(one.changes), ago(one.changed_s)],
  }));
}

function figures(health) {
  return [
    [say("Board"), health.title],
    [say("Firmware"), health.up ? say("{version}, start {boot}", { version: health.firmware, boot: health.boot }) : "–"],
    [say("Here since"), health.up_s === null ? "–" : span(health.up_s)],
    [say("Port"), health.port],
    [say("Beat, p50 and p95"), beats(health)],
    [say("Scans a second"), rate(health.scans_per_s)],
    [say("Frames a second"), rate(health.frames_per_s)],
    [say("Bytes skipped, here and there"), say("{here} and {there}", { here: health.skipped, there: health.skipped_by_board })],
    [say("Pictures repaired"), String(health.repairs)],
    [say("Last complaint"), health.up ? health.says : ""],
  ].filter(([, value]) => value !== "");
}

function power(health) {
  return [
    [say("Strip now"), current(health.load_ma)],
    [say("At most so far"), current(health.load_most_ma)],
    [say("Cap"), current(health.cap_ma)],
    [say("Was at its cap for"), span(health.at_cap_s)],
    [say("Test light"), health.test_light ? say("on; the three buttons put it out") : say("off")],
  ];
}

const rows = (pairs) => pairs.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value)));
const rate = (value) => (value === null ? "–" : value.toFixed(0));
const current = (value) => (value === null ? "–" : say("{n} mA", { n: value }));

function beats({ beat_p50_ms, beat_p95_ms }) {
  if (beat_p50_ms === null) return "–";
  return say("{p50} and {p95} ms", { p50: beat_p50_ms.toFixed(1), p95: beat_p95_ms.toFixed(1) });
}

function span(seconds) {
  if (seconds < 60) return say("{n} s", { n: Math.floor(seconds) });
  if (seconds < 3600) return say("{n} min", { n: Math.floor(seconds / 60) });
  return say("{h} h {min} min", { h: Math.floor(seconds / 3600), min: Math.floor((seconds % 3600) / 60) });
}

function ago(seconds) {
  return seconds === null ? say("never") : span(seconds);
}

function feel({ sensors }) {
  if (!drawing) return;
  for (const { space, felt, stuck, changed_s } of sensors) {
    const { face } = drawing.faces.get(space);
    face.classList.toggle("felt", felt);
    face.classList.toggle("fresh", changed_s !== null && changed_s < FRESH_S);
    face.classList.toggle("stuck", stuck);
    face.classList.toggle("deaf", deaf(space));
  }
  const latest = sensors.filter(({ changed_s }) => changed_s !== null).sort((a, b) => a.changed_s - b.changed_s)[0];
  if (!latest) return;
  const { felt, space } = latest;
  const n = sensors.filter(({ changes }) => changes > 0).length;
  const says = felt ? say("{space} feels a token.", { space }) : say("{space} feels nothing any more.", { space });
  const answered = say("{n} of {most} sensors have answered since the start.", { n, most: sensors.length });
  show("last", [says, answered], () => [`${says} ${answered}`]);
}

// A table of places, built once; then only words change, so that nobody's finger or focus loses its row.
function list(id, names, all, told) {
  const lines = all.map(told);
  show(id, lines.map(({ place }) => place), (places) => [
    places.length
      ? html(
          "table",
          {},
          html("thead", {}, html("tr", {}, names.map((name) => html("th", { scope: "col" }, name)))),
          html("tbody", {}, lines.map(({ place, cells }) => line(place, cells.length))),
        )
      : html("p", { class: "quiet" }, say("This board has none.")),
  ]);
  part(id).querySelectorAll("tbody tr").forEach((row, n) => {
    const { place, ill, cells } = lines[n];
    row.classList.toggle("ill", ill);
    cells.forEach((words, cell) => {
      const at = row.cells[cell + 1];
      write(at, words);
    });
    row.querySelector("input").checked = deaf(place);
  });
}

function line(place, cells) {
  const out = html("input", { type: "checkbox", "aria-label": say("{place} out of service", { place }) });
  out.addEventListener("click", (event) => ask(event, { deafen: [place, !deaf(place)] }));
  return html("tr", {}, html("th", { scope: "row" }, place), Array.from({ length: cells }, () => html("td", {})), html("td", {}, out));
}

const deaf = (place) => settled?.deaf.includes(place) ?? false;

// A box shows what the table says, not what was clicked.
function ask(event, message) {
  event.preventDefault();
  send(message);
}

// -- what may be done -------------------------------------------------------------------------------------------------

function settle(said) {
  settled = said;
  if (document.activeElement !== part("brightness")) part("brightness").value = said.brightness;
  percent(said.brightness);
  show("themes", [said.themes, said.theme], () => [
    html("legend", {}, say("Theme")),
    ...Object.entries(said.themes).map(([name, called]) =>
      html(
        "label",
        {},
        html("input", { type: "radio", name: "theme", checked: name === said.theme, onchange: () => send({ theme: name }) }),
        called,
      ),
    ),
  ]);
  show("offers", said.offers, () => said.offers.map(offer));
  part("restart").title = said.restarts ? "" : say("Nobody would start the program again.");
}

function offer({ game, scenario, title, seats, offered }) {
  const begin = (count) =>
    html(
      "button",
      {
        type: "button",
        "aria-label": say("Begin {title} with {n} now", { title, n: count }),
        onclick: () => send({ start: [game, scenario, count] }),
      },
      String(count),
    );
  return html(
    "li",
    {},
    html(
      "label",
      {},
      html("input", {
        type: "checkbox",
        checked: offered,
        onclick: (event) => ask(event, { offer: [game, scenario, !offered] }),
      }),
      title,
    ),
    html("span", { class: "buttons" }, html("small", { class: "quiet" }, say("begin now with")), seats.map(begin)),
  );
}

function examine({ findings, asks }) {
  show("findings", findings, () =>
    findings.map(({ says, passed }) =>
      html("li", { "data-passed": String(passed) }, html("b", {}, { true: say("Passed"), false: say("Failed"), null: "…" }[passed]), says),
    ),
  );
  part("asks").hidden = !asks;
  show("asks", asks, () => [
    html("button", { type: "button", onclick: () => send({ seen: true }) }, say("Yes, all of them")),
    html("button", { type: "button", onclick: () => send({ seen: false }) }, say("No")),
  ]);
}

connection.open(null);
