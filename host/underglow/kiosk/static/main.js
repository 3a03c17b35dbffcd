// The page: joins socket, board, figures and panel. The state is what the server said last, and nothing else.

import { Attendant } from "./attendant.js";
import { BoardDrawing } from "./board.js";
import { Chooser } from "./chooser.js";
import { Connection, reconnecting } from "./connection.js";
import { Cover } from "./cover.js";
import { Door } from "./door.js";
import { Doors } from "./doors.js";
import { Figures } from "./figures.js";
import { Geometry } from "./geometry.js";
import { Maze } from "./maze.js";
import { byToken } from "./moves.js";
import { Panel } from "./panel.js";
import { Pieces } from "./pieces.js";
import { say } from "./say.js";
import { Targets } from "./targets.js";

const root = document.querySelector("#table");
const part = (id) => root.querySelector(`#${id}`);

let board = null; // what the server said last, by kind
let table = null;
let magnets = null;
let scene = null; // {drawing, maze, figures, pieces, targets}
let moves = new Map(); // token -> the moves of it that can be said here
let said = null; // the token whose moves are marked on the board
let adrift = false; // the keyboard's focus was on a choice that is gone
let names = new Map(); // space of the board -> its name in the scenario, a zone's in words

const panel = new Panel(root, {
  choose: (index, number) => connection.send({ choose: index, number }),
  go: (token) => go(token),
  turn: (way, number) => connection.send({ [way]: number }),
  seat: (seat) => {
    history.replaceState(null, "", `?seat=${seat}`);
    connection.open(seat);
  },
});

function take({ index }) {
  connection.send({ choose: index, number: table.number });
  if (said === null) return;
  said = null;
  draw();
}
const chooser = new Chooser(part("chooser"), { take });
const cover = new Cover(part("head"), {
  open(seat) {
    root.dataset.passed = "true";
    turnTo(seat);
  },
  leave() {
    delete root.dataset.passed;
    turnTo("public");
  },
});
const doors = new Doors(part("head"), (message) => connection.send(message));

const connection = new Connection(
  {
    house({ home }) {
      root.dataset.home = String(home);
      cover.allow(home);
    },
    invitations(message) {
      doors.invite(message);
    },
    board(message) {
      if (JSON.stringify(board) !== JSON.stringify(message)) build(message);
    },
    table(message) {
      if (table?.number !== message.number) chooser.close();
      table = message;
      moves = byToken(table.outcome ? [] : table.moves);
      if (!moves.has(said)) said = null;
      root.dataset.number = table.number;
      part("title").textContent = table.title;
      document.title = `${table.title} · Underglow`;
      names = new Map(Object.entries(table.overlay).map(([name, space]) => [space, name]));
      for (const { id, name } of table.view.zones ?? []) names.set(table.overlay[id], name);
      draw();
      doors.name(table);
      cover.hear(table);
    },
    magnets(message) {
      magnets = message;
      scene?.figures.see(magnets);
      drawPieces();
    },
    attendant(message) {
      attendant.hear(message);
    },
    door(message) {
      door.hear(message);
    },
    glow(strip) {
      scene?.drawing.light(strip);
    },
  },
  (open, reason) => {
    root.dataset.live = String(open);
    if (scene) scene.figures.movable = open && board.bench;
    if (open) return;
    scene?.figures.letGo();
    panel.link({ state: "connecting", says: reconnecting(reason) });
  },
);

// Nothing of the seat before stays on the page, even if the table does not answer.
function turnTo(seat) {
  for (const id of ["choices", "hand", "history"]) panel.show(id, null, () => []);
  connection.open(seat);
}

const attendant = new Attendant(document.querySelector("#attendant"), root, {
  send: (sent) => connection.send(sent),
  home: () => root.dataset.home === "true",
  reopen: () => {
    history.replaceState(null, "", "/");
    scene?.figures.forget();
    connection.open(null);
  },
});

const door = new Door(document.body);

function build(message) {
  board = message;
  part("surface").setAttribute("aria-label", say("Board {title}", board));
  const drawing = new BoardDrawing(part("surface"), new Geometry(board));
  const figures = new Figures(drawing, {
    send: (sent) => connection.send(sent),
    whisper: (sentence) => (part("whisper").textContent = sentence),
    hint: (sentence) => (part("hint").textContent = sentence ?? idle()),
    nameOf,
    offered: (space) => scene.targets.here.has(space),
    ask: (space, more) => ask(space, scene.targets.here.get(space) ?? [], more ? [more] : []),
    goes: (token) => moves.has(token),
    go,
  });
  figures.movable = board.bench;
  const { layers, geometry } = drawing;
  const targets = new Targets(layers.targets, geometry, {
    take,
    ask: (space, choices) => ask(space, choices),
    name: nameOf,
    lifting: () => figures.held !== null || figures.busy,
  });
  const [maze, pieces] = [new Maze(layers.maze, geometry), new Pieces(layers.pieces, geometry)];
  scene = { drawing, figures, maze, pieces, targets };
  part("hint").textContent = idle();
}

const nameOf = (place) => place.replace(/^[^.]+/, (space) => names.get(space) ?? space);

function ask(space, choices, more = []) {
  chooser.open(nameOf(space), choices, table.view, scene.drawing.faces.get(space).face, more);
}

// Mark where a token can be moved by word, or no more. Who chooses by keyboard is led there.
function go(token) {
  said = said === token ? null : token;
  draw();
  const next = said === null ? `#choices [aria-pressed]` : "#surface [data-target]";
  root.querySelector(next)?.focus();
}

document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && said !== null && !part("chooser").matches(":popover-open")) go(said);
});

function idle() {
  if (said !== null) {
    const name = table.tokens[said]?.name ?? said;
    return say("{name}: click or tap a marked space to move there; Esc leaves it.", { name });
  }
  if (scene?.targets.here.size) return say("Marked spaces can be chosen here: click or tap one, or reach it with Tab and Enter.");
  if (board.bench) return say("Simulated board: drag a figure, or click it and then a space. Keyboard: Tab, Enter, arrows.");
  return moves.size
    ? say("Move the figures on the board, or tap one here and then a space: the board then leads a hand.")
    : say("Move the figures on the board; this page follows.");
}

function draw() {
  if (!scene || !table) return;
  adrift ||= [part("choices"), part("chooser"), scene.drawing.layers.targets].some((place) => place.matches(":focus-within"));
  panel.draw(table, moves, said);
  scene.drawing.print(table.overlay, table.view);
  scene.maze.draw(table.view, table.overlay);
  const offered = table.outcome ? [] : (moves.get(said)?.moves ?? table.choices);
  scene.targets.draw(offered, table.shown);
  scene.figures.believe(table);
  drawPieces();
  if (!scene.figures.held) part("hint").textContent = idle();
  if (adrift) moor();
}

// Who chooses by keyboard is led on to the next choice, not back to the top of the page.
function moor() {
  if (document.activeElement === document.body) {
    const next = root.querySelector("#surface [data-target], #choices button");
    if (!next) return;
    next.focus();
  }
  adrift = false;
}

function drawPieces() {
  if (!scene || !table) return;
  const { figures, pieces } = scene;
  pieces.draw(table.view, table.overlay, figures.tokens(), figures.taken());
  figures.makeRoom(pieces.covered);
}

new ResizeObserver(() => {
  if (!scene) return;
  scene.drawing.fit();
  scene.figures.draw();
}).observe(part("board"));

connection.open(new URLSearchParams(location.search).get("seat"));
