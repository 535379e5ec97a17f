import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let writers: pg.Client[];
beforeAll(async () => {
  database = await createTestDatabase();
  writers = [1, 2].map(() => new pg.Client({ connectionString: database.url }));
  for (const writer of writers) await writer.connect();
  await writers[0]?.query('CREATE TABLE thing (id int PRIMARY KEY, word text NOT NULL)');
});
afterAll(async () => {
  for (const writer of writers) await writer.end();
  const { closeDatabase } = await import('../../src/infra/db.ts');
  await closeDatabase();
  await database.drop();
});
beforeEach(async () => {
  await writers[0]?.query(`TRUNCATE thing`);
  await writers[0]?.query(`INSERT INTO thing VALUES (1, 'one'), (2, 'two')`);
});

const THINGS = 'SELECT id AS key, to_json(word) AS value FROM thing WHERE id = ANY($2::int[])';

/** A memory of the table, and how many rows it has read so far. */
async function rememberedThings(select = THINGS) {
  const { SnapshotMemory } = await import('../../src/infra/snapshot-memory.ts');
  const rows = { read: 0 };
  const memory = new SnapshotMemory<number, string, string>(`things-${Math.random()}`, select, (word) => {
    rows.read++;
    return word;
  });
  const read = async (...keys: number[]) => {
    const found = await memory.read(keys);
    return keys.map((key) => found.get(key) ?? null);
  };
  return { read, rows };
}

/** Counts what has been read after each of some reads, until nobody else wrote to the server meanwhile, as tests beside do. */
async function inQuiet(expected: number[], count: () => Promise<number[]>) {
  await expect.poll(count, { timeout: 20_000 }).toEqual(expected);
}

function session(index: number): pg.Client {
  const writer = writers[index];
  if (writer === undefined) throw new Error(`there is no session ${index}`);
  return writer;
}

describe('a memory of what was read under one snapshot', () => {
  it('reads no row again while nothing is written', async () => {
    await inQuiet([2, 2, 2], async () => {
      const { read, rows } = await rememberedThings();
      const counts: number[] = [];
      for (const keys of [[1, 2], [2], [2, 1, 2]]) {
        expect(await read(...keys)).toEqual(keys.map((key) => (key === 1 ? 'one' : 'two')));
        counts.push(rows.read);
      }
      return counts;
    });
  });

  it('keeps what was read before when further keys are asked for', async () => {
    await inQuiet([1, 2, 2], async () => {
      const { read, rows } = await rememberedThings();
      const counts: number[] = [];
      for (const key of [1, 2, 1]) {
        expect(await read(key)).toEqual([key === 1 ? 'one' : 'two']);
        counts.push(rows.read);
      }
      return counts;
    });
  });

  it('sees at once what another session has committed, added or removed', async () => {
    const { read } = await rememberedThings();
    expect(await read(1, 2, 3)).toEqual(['one', 'two', null]);
    await session(0).query(`UPDATE thing SET word = 'eins' WHERE id = 1`);
    expect(await read(1, 2, 3)).toEqual(['eins', 'two', null]);
    await session(1).query(`INSERT INTO thing VALUES (3, 'three')`);
    expect(await read(1, 2, 3)).toEqual(['eins', 'two', 'three']);
    await session(0).query('DELETE FROM thing WHERE id = 2');
    expect(await read(2)).toEqual([null]);
  });

  it('takes another table that was written for a change, as it cannot know better', async () => {
    const { read, rows } = await rememberedThings();
    await read(1);
    await session(0).query(`INSERT INTO service_state (name, value) VALUES ('a-row', 'true')`);
    expect(await read(1)).toEqual(['one']);
    expect(rows.read).toBeGreaterThan(1);
  });

  it('shows what a transaction has written when it is committed, and never what is taken back', async () => {
    const step = fc.record({
      writer: fc.nat({ max: 1 }),
      action: fc.constantFrom('write', 'write', 'commit', 'rollback', 'savepoint'),
      word: fc.string({ unit: 'binary', maxLength: 3 }).filter((word) => !word.includes('\0')),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { read } = await rememberedThings();
        // Each session writes a row of its own, so that none waits for another.
        const committed = ['one', 'two'];
        const pending: (string | null)[] = [null, null];
        for (const client of writers) await client.query('ROLLBACK');
        await session(0).query(`INSERT INTO thing VALUES (1, 'one'), (2, 'two')
          ON CONFLICT (id) DO UPDATE SET word = excluded.word`);
        for (const client of writers) await client.query('BEGIN');
        for (const { writer, action, word } of steps) {
          const client = session(writer);
          if (action === 'write' || action === 'savepoint') {
            if (action === 'savepoint') await client.query('SAVEPOINT one_more');
            await client.query('UPDATE thing SET word = $1 WHERE id = $2', [word, writer + 1]);
            pending[writer] = word;
          } else {
            await client.query(action);
            await client.query('BEGIN');
            if (action === 'commit') committed[writer] = pending[writer] ?? committed[writer] ?? '';
            pending[writer] = null;
          }
          expect(await read(1, 2)).toEqual(committed);
        }
        for (const client of writers) await client.query('ROLLBACK');
      }),
      { numRuns: 60 },
    );
  });

  it('answers many at once, each with what was there after he asked', async () => {
    const { read } = await rememberedThings();
    for (let round = 1; round <= 30; round++) {
      await session(0).query('UPDATE thing SET word = $1 WHERE id = 1', [`round ${round}`]);
      const before = [read(1), read(2, 1), read(1)];
      await session(1).query('UPDATE thing SET word = $1 WHERE id = 2', [`round ${round}`]);
      const after = [read(2), read(1, 2)];
      expect((await Promise.all(before)).map((words) => words.at(-1))).toEqual(Array(3).fill(`round ${round}`));
      expect((await Promise.all(after)).map((words) => words.at(-1))).toEqual(Array(2).fill(`round ${round}`));
    }
  });

  it('lets go of everything when it would hold too much', async () => {
    const keys = Array.from({ length: 15_000 }, (_, index) => index);
    await inQuiet([15_000, 30_000, 30_000, 30_001], async () => {
      const { read, rows } = await rememberedThings('SELECT key, to_json(key) AS value FROM unnest($2::int[]) AS key');
      const counts: number[] = [];
      for (const asked of [keys, keys.map((key) => key + 15_000), [20_000], [7]]) {
        expect(await read(...asked)).toEqual(asked);
        counts.push(rows.read);
      }
      return counts;
    });
  });
});
