/* Sorts the texts of the interface and the messages by key: `node .config/sort-texts.mjs`. A test fails for unsorted files. */
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

// The tables of messages. An entry starts with a quote two spaces deep; a long text is on a line of its own.
for (const language of ['en', 'de', 'he']) {
  const file = new URL(`../src/texts/messages.${language}.ts`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const sorted = text.replace(/^(export const \w+[^\n]* = \{\n)(.*?)(^\}[^\n]*;$)/gms, (_, start, body, end) => {
    const entries = [...new Set(body.split(/^(?= {2}['"])/m))].filter((entry) => entry.trim() !== '');
    const keyOf = (entry) => /['"]([^'"]+)['"]/.exec(entry)?.[1] ?? '';
    return start + entries.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).join('') + end;
  });
  writeFileSync(file, sorted);
}
