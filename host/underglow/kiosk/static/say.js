// What the page says, in its language: English in the code, other words by the server's catalogues.

export const LANGUAGE = document.documentElement.lang;

const FORMS = ["one", "few"]; // a catalogue's order; its last form is for all other numbers
const plural = new Intl.PluralRules(LANGUAGE);
const list = new Intl.ListFormat(LANGUAGE === "en" ? "en-GB" : LANGUAGE); // "a, b and c"
const words = LANGUAGE === "en" ? {} : await load();

async function load() {
  const answer = await fetch(`/words/${LANGUAGE}.json`).catch(() => null);
  return answer?.ok ? answer.json() : {};
}

// Places of a message are in braces: say("Seat {n}", { n: 2 }).
export function say(message, values = {}) {
  return filled(words[message]?.[0] ?? message, values);
}

// Of so many things: counted("{n} card", "{n} cards", 3).
export function counted(one, many, n, values = {}) {
  const forms = words[one] ?? [one, many];
  return filled(forms[FORMS.indexOf(plural.select(n))] ?? forms.at(-1), { n, ...values });
}

// Names in a row, the last joined by a word.
export const listed = (names) => list.format(names);

function filled(message, values) {
  return message.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}
