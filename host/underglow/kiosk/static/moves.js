// Moves that hands could show, for whoever says them on a page instead: by the token that is carried.

// Each token's moves, and the words that all of them begin with; "" if they begin with none.
export function byToken(moves) {
  const groups = Map.groupBy(moves, ({ token }) => token);
  return new Map([...groups].map(([token, members]) => [token, { token, start: start(members), moves: members }]));
}

// One move says itself; several say how they begin.
export function label({ start, moves }, name) {
  return moves.length === 1 ? moves[0].text : `${start || name} …`;
}

function start(moves) {
  const [first, ...others] = moves.map(({ text }) => text.split(" "));
  const differs = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  return first.slice(0, differs < 0 ? first.length : differs).join(" ");
}
