import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DiffTarget, SchemaEngine } from '@prisma/schema-engine-wasm';

/**
 * Prints the SQL that leads from one state of `schema.prisma` to another, to be put into a new file of `migrations/` and
 * completed by hand. Prisma's engine runs as WebAssembly here: its downloaded twin is not needed, and neither is a database.
 *
 *     node test/support/schema-diff.ts [commit]     from the commit's schema (HEAD unless given) to the one in the working tree
 */

/**
 * The statements that turn a database of the Prisma schema `from` (null = an empty database) into one of `to`.
 * @throws the engine's error when a schema is not valid.
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
 * What the engine takes for a database: comparing two schemas, it asks for nothing but the server's version. The answer is
 * the oldest one that the service runs on.
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
