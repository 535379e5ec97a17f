/* Sorts the texts of the interface by key: `node .config/sort-texts.mjs`. A test fails for unsorted files. */
import { readFileSync, writeFileSync } from 'node:fs';

for (const name of ['en', 'de', 'he', 'messages.de', 'messages.he']) {
  const file = new URL(`../src/pages/texts/${name}.json`, import.meta.url);
  // Conflict markers of a merge keep both sides.
  const text = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^(<{7}|={7}|>{7}|\|{7})/.test(line))
    .map((line) => (/^ {2}"/.test(line) ? `${line.replace(/,$/, '')},` : line))
    .join('\n')
    .replace(/,(\s*)}\s*$/, '$1}');
  const texts = JSON.parse(text);
  const sorted = Object.fromEntries(Object.keys(texts).sort().map((key) => [key, texts[key]]));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}
