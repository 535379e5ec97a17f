import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type BenchmarkSize, benchmarkLines } from '../../prisma/demo/world/benchmark.ts';
import { written } from '../../prisma/demo/world/catalogue-line.ts';
import { CommandError, type Invocation } from './command.ts';

const MOST = 5_000_000;

/** Writes a made-up catalogue of any size for benchmarks, line by line, so that its size costs no memory. */
export async function makeDemo(invocation: Invocation): Promise<void> {
  const size: BenchmarkSize = {
    addons: readNumber('size', invocation.text('size')),
    personas: readNumber('personas', invocation.optionalText('personas') ?? '0'),
    seed: readNumber('seed', invocation.optionalText('seed') ?? '1'),
  };
  await writeCatalogue(invocation.text('output'), written(benchmarkLines(size)));
}

/** @throws {CommandError} for what is no number, or one that is too large for anything. */
function readNumber(option: string, text: string): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= MOST) return number;
  throw new CommandError(`--${option}: '${text}' is no number from 0 to ${MOST}`);
}

async function* asText(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** `-` is standard output; a name that ends in `.gz` is compressed. */
async function writeCatalogue(file: string, lines: AsyncIterable<string>): Promise<void> {
  const source = Readable.from(asText(lines));
  if (file === '-') await pipeline(source, process.stdout, { end: false });
  else if (file.endsWith('.gz')) await pipeline(source, createGzip(), createWriteStream(file));
  else await pipeline(source, createWriteStream(file));
}
