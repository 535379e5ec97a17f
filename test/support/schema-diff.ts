import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DiffTarget, SchemaEngine } from '@prisma/schema-engine-wasm';

/**
 * Prints the SQL between two states of `schema.prisma`, as the start of a new file of `migrations/` that is completed by hand.
 * Runs Prisma's engine as WebAssembly, without a download and without a database.
 *
 *     node test/support/schema-diff.ts [commit]     from the commit's schema (HEAD unless given) to the one in the working tree
 */

/**
 * The statements that change a database of the Prisma schema `from` (null = an empty database) to one of `to`.
 * @throws the engine's error if a schema is invalid.
 */
export async function schemaSql(from: string | null, to: string): Promise<string> {
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, adapter);
  try {
    const result = await engine.diff({
      from: from === null ? { tag: 'empty' } : datamodel(from),
      to: datamodel(to),
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return result.stdout ?? '';
  } finally {
    engine.free();
  }
}

const datamodel = (content: string): DiffTarget => ({
  tag: 'schemaDatamodel',
  files: [{ path: 'schema.prisma', content }],
});

const ok = <T>(value: T) => ({ ok: true, value });
const named = { provider: 'postgres', adapterName: 'none', errorRegistry: { consumeError: () => undefined } };

/**
 * The database connection of the engine. To compare two schemas, it only reads the server version: the oldest one that the
 * service supports.
 */
const connection = {
  ...named,
  getConnectionInfo: () => ok({ schemaName: 'public', supportsRelationJoins: true }),
  queryRaw: async () =>
    ok({
      columnNames: ['exists', 'version', 'numeric_version'],
      columnTypes: [5, 7, 0],
      rows: [[true, 'PostgreSQL 15.0', 150_000]],
    }),
  dispose: async () => ok(undefined),
};
const adapter = { ...named, connect: async () => ok(connection), connectToShadowDb: async () => ok(connection) };

if (import.meta.main) {
  const path = join(import.meta.dirname, '../../prisma/schema.prisma');
  const commit = process.argv[2] ?? 'HEAD';
  const before = execFileSync('git', ['show', `${commit}:./schema.prisma`], { cwd: dirname(path), encoding: 'utf8' });
  process.stdout.write(await schemaSql(before, readFileSync(path, 'utf8')));
}
