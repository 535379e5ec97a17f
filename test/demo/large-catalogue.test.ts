import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddonLine } from '../../bench/world/addon-line.ts';
import type { CatalogueLine } from '../../bench/world/catalogue-line.ts';
import { benchmarkLines } from '../../bench/world/large-catalogue.ts';
import { wordOf } from '../../bench/world/words.ts';
import { createTestDatabase } from '../support/database.ts';
import { addons } from '../support/program.ts';

const SIZE = { addons: 2_000, personas: 0, seed: 1 };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-benchmark-test-'));
});

afterAll(() => rm(folder, { recursive: true }));

const LINES = [...benchmarkLines(SIZE)];
const isAddon = (line: CatalogueLine): line is AddonLine => line.kind === 'addon';
const ADDONS = LINES.filter(isAddon);

/** The part of the add-ons that have a word anywhere in their English texts. */
function partWith(word: string): number {
  const found = ADDONS.filter(({ name, summary, description, tags }) =>
    new RegExp(`\\b${word}\\b`, 'i').test(JSON.stringify([name, summary, description, tags])),
  );
  return found.length / ADDONS.length;
}

describe('a catalogue for benchmarks', () => {
  it('has the requested number of add-ons, a quarter as many accounts, and three versions per add-on', () => {
    expect(ADDONS).toHaveLength(2_000);
    expect(LINES.filter(({ kind }) => kind === 'account')).toHaveLength(500);
    const others = ADDONS.filter(({ type }) => type !== 'persona');
    expect(new Set(others.map(({ versions }) => versions.length))).toEqual(new Set([3]));
    expect(new Set(ADDONS.map(({ guid }) => guid)).size).toBe(2_000);
    expect(new Set(ADDONS.map(({ slug }) => slug)).size).toBe(2_000);
  });

  it('has a bounded number of language packs and dictionaries at any size', () => {
    const lines = [...benchmarkLines({ ...SIZE, addons: 20_500 })].filter(isAddon);

    expect(lines.filter(({ type }) => type === 'language' || type === 'dictionary')).toHaveLength(300);
  });

  it('has additional personas on request', () => {
    const all = [...benchmarkLines({ addons: 100, personas: 1_000, seed: 1 })].filter(isAddon);

    expect(all).toHaveLength(1_100);
    expect(all.slice(100).every(({ type, theme_data }) => type === 'persona' && theme_data !== undefined)).toBe(true);
  });

  it('has Zipf-distributed words', () => {
    expect(partWith('the')).toBeGreaterThan(0.98);
    for (const word of ['browser', 'theme', 'dark']) {
      expect(partWith(word), word).toBeGreaterThan(0.2);
      expect(partWith(word), word).toBeLessThan(0.8);
    }
    const words = new Set(JSON.stringify(ADDONS.map(({ description }) => description)).match(/[a-z]+/gi));
    expect(words.size).toBeGreaterThan(10_000);
    expect(new Set(Array.from({ length: 60_000 }, (_, rank) => wordOf(rank))).size).toBe(60_000);
  });

  it('has Pareto-distributed users', () => {
    const users = ADDONS.map(({ average_daily_users }) => average_daily_users).sort((one, other) => one - other);

    expect(users[1_000]).toBeGreaterThanOrEqual(3);
    expect(users[1_000]).toBeLessThanOrEqual(5);
    expect(users.slice(-20).reduce((sum, each) => sum + each)).toBeGreaterThan(
      users.slice(0, 1_000).reduce((sum, each) => sum + each),
    );
  });

  it('is deterministic for a size and seed', () => {
    const text = (seed: number): string => JSON.stringify([...benchmarkLines({ ...SIZE, addons: 50, seed })]);

    expect(text(1)).toBe(text(1));
    expect(text(1)).not.toBe(text(2));
  });
});

describe('bench/large-catalogue.ts', () => {
  const run = promisify(execFile);
  const program = join(import.meta.dirname, '../../bench/large-catalogue.ts');

  it('writes a catalogue to a file and to standard output', async () => {
    const words = [program, '--size', '20', '--personas', '5', '--seed', '7'];
    const file = join(folder, 'catalogue.jsonl');

    const [, { stdout }] = await Promise.all([
      run(process.execPath, [...words, file]),
      run(process.execPath, [...words, '-'], { maxBuffer: 2 ** 25 }),
    ]);

    const text = await readFile(file, 'utf8');
    expect(stdout).toBe(text);
    expect(text).toBe(
      [...benchmarkLines({ addons: 20, personas: 5, seed: 7 })].map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  });

  it('writes what `addons import` reads', async () => {
    const database = await createTestDatabase();
    try {
      const file = join(folder, 'imported.jsonl');
      await run(process.execPath, [program, '--size', '60', '--personas', '5', file]);

      const { code, stdout } = await addons(['import', file, '--json']);

      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ imported: { account: 15, addon: 65 } });
    } finally {
      await database.drop();
    }
  });
});
