/* Sorts the tables of texts by key: `node .config/sort-texts.mjs`. A test fails for unsorted tables. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('../src/texts/', import.meta.url);
for (const name of readdirSync(folder).filter((each) => /^\w+\.(?:en|de|he|more)\.ts$/.test(each))) {
  const file = new URL(name, folder);
  // Conflict markers of a merge keep both sides.
  const text = readFileSync(file, 'utf8').replace(/^(?:<{7}|={7}|>{7}|\|{7}).*\n/gm, '');
  // An entry starts with a key two spaces deep; a long text is on a line of its own.
  const sorted = text.replace(/^(export const \w+[^\n]* = \{\n)(.*?)(^\}[^\n]*;$)/gms, (_, start, body, end) => {
    const entries = [...new Set(body.split(/^(?= {2}['"\w])/m))].filter((entry) => entry.trim() !== '');
    const keyOf = (entry) => /['"]?([^'":]+)/.exec(entry.trim())?.[1] ?? '';
    return start + entries.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).join('') + end;
  });
  writeFileSync(file, sorted);
}
