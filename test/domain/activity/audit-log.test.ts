import { createHash } from 'node:crypto';
import { graphql } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../../../src/auth/viewer.ts';
import { createTestDatabase } from '../../support/database.ts';

const database = await createTestDatabase();
const { closeDatabase, db, pool } = await import('../../../src/infra/db.ts');
const { recordAudit, verifyAuditLog } = await import('../../../src/domain/activity/record-audit.ts');

const { publicSchema: schema } = await import('../../../src/execution/schema.ts');

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

const via = { scheme: 'bearer', tokenId: 1, signedInAt: new Date() } as const;
const auditor: Viewer = { kind: 'account', accountId: 1, username: 'auditor', rules: ['Admin:Audit'], via };

interface Log {
  edges: { cursor: string; node: Record<string, unknown> }[];
}

describe('the audit log', () => {
  it('stays one hash chain under concurrent writes', async () => {
    const write = (index: number) =>
      db.$transaction((tx) => recordAudit(tx, 'test', 'wrote', { index, z: 1, a: [null] }));
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(index)));
    expect((await verifyAuditLog()).broken).toEqual([]);
  });

  it('removes characters that PostgreSQL cannot store and keeps the chain intact', async () => {
    const details = { reason: 'x\ud800y\0z', texts: [{ de: '\udc00' }] };
    await db.$transaction((tx) => recordAudit(tx, 'te\0st\ud800', 'cleaned', details));
    const kept = { actor: 'test\ufffd', details: { reason: 'x\ufffdyz', texts: [{ de: '\ufffd' }] } };
    expect(await db.auditEntry.findFirst({ where: { action: 'cleaned' } })).toMatchObject(kept);
    expect((await verifyAuditLog()).broken).toEqual([]);
  });

  it('is read in GraphQL with Admin:Audit, oldest first, in both directions', async () => {
    const read = async (args: string, viewer: Viewer = auditor) => {
      const source = `{ auditLog(${args}) { edges { cursor node { index actor action details created previousHash hash hashInput } }
        pageInfo { hasNextPage hasPreviousPage } totalCount } }`;
      const contextValue = { viewer, locale: 'en-US', ip: null, requestId: 'test' };
      const { data, errors } = await graphql({ schema, source, contextValue });
      return { log: data?.auditLog as Log | undefined, code: errors?.[0]?.extensions.code };
    };
    const rows = await db.auditEntry.findMany({ orderBy: { id: 'asc' } });
    const expected = rows.map(({ id, created, ...row }) => ({
      ...row,
      index: String(id),
      created: `${created.toISOString().slice(0, 19)}Z`,
    }));
    const { log } = await read('first: 2');
    const nodesOf = (page: Log | undefined) =>
      (page?.edges ?? []).map(({ node: { hashInput, ...node } }) => {
        expect(createHash('sha256').update(String(hashInput)).digest('hex')).toBe(node['hash']);
        return node;
      });
    expect(nodesOf(log)).toEqual(expected.slice(0, 2));
    expect(log).toMatchObject({ pageInfo: { hasNextPage: true, hasPreviousPage: false }, totalCount: rows.length });
    const cursor = JSON.stringify(log?.edges[1]?.cursor);
    expect(nodesOf((await read(`first: 100, after: ${cursor}`)).log)).toEqual(expected.slice(2));
    expect(nodesOf((await read('last: 2')).log)).toEqual(expected.slice(-2));
    expect(nodesOf((await read(`last: 5, before: ${cursor}`)).log)).toEqual(expected.slice(0, 1));
    expect((await read('first: 101')).code).toBe('INVALID_INPUT');
    expect((await read('first: 1', { kind: 'anonymous' })).code).toBe('NOT_AUTHENTICATED');
    const counted = await graphql({
      schema,
      source: '{ auditLog { totalCount } }',
      contextValue: { viewer: { kind: 'anonymous' } },
    });
    expect(counted.errors?.[0]?.extensions.code).toBe('NOT_AUTHENTICATED');
    const others = ['Admin:Groups', 'Users:Edit', 'Addons:*'];
    expect((await read('first: 1', { ...auditor, rules: others })).code).toBe('NOT_PERMITTED');
  });

  it('detects changed and deleted rows', async () => {
    const { id } = await db.auditEntry.findFirstOrThrow({ where: { action: 'wrote' } });
    // The table owner can give itself the right to change rows, and disable the trigger that rejects changes.
    for (const change of [`UPDATE audit_entry SET actor = 'x'`, 'DELETE FROM audit_entry', 'TRUNCATE audit_entry']) {
      await expect(pool.query(change)).rejects.toThrow('permission denied for table audit_entry');
    }
    await pool.query('GRANT UPDATE, DELETE ON audit_entry TO CURRENT_USER');
    await expect(db.auditEntry.update({ where: { id }, data: { actor: 'other' } })).rejects.toThrow('append-only');
    await pool.query('ALTER TABLE audit_entry DISABLE TRIGGER append_only');
    await pool.query("UPDATE audit_entry SET details = '{}' WHERE id = $1", [id]);
    expect(await verifyAuditLog()).toEqual({ entries: 21, broken: [id], problems: [] });
    await pool.query('DELETE FROM audit_entry WHERE id = $1', [id]);
    expect((await verifyAuditLog()).broken).toEqual([id + 1n]);
  });
});
