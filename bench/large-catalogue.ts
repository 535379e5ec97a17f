/*
 * Writes a catalogue file of any size, for `addons import`: `node bench/large-catalogue.ts --size 20000 FILE` (`-` is standard
 * output). `--personas N` adds personas; the same options, `--seed` included, give the same file. Lines are streamed, so that memory
 * does not depend on the size.
 */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { benchmarkLines } from './world/large-catalogue.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string' },
    personas: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
const [file] = positionals;
if (file === undefined) throw new Error('Name the file, or - for standard output.');
const size = { addons: numberOf(values.size), personas: numberOf(values.personas), seed: numberOf(values.seed) };
const output = file === '-' ? process.stdout : createWriteStream(file);
await pipeline(Readable.from(text()), output);

function numberOf(words: string | undefined): number {
  if (words === undefined || !/^\d{1,7}$/.test(words))
    throw new Error(`'${words ?? ''}' is not a number of up to seven digits.`);
  return Number(words);
}

function* text(): Generator<string> {
  for (const line of benchmarkLines(size)) yield `${JSON.stringify(line)}\n`;
}
