import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

const database = await createTestDatabase();
const { closeDatabase, db, pool } = await import('../../../src/infra/db.ts');
const { brokenAuditRows, recordAudit } = await import('../../../src/domain/activity/record-audit.ts');

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('the audit log', () => {
  it('stays one hash chain under concurrent writes', async () => {
    const write = (index: number) =>
      db.$transaction((tx) => recordAudit(tx, 'test', 'wrote', { index, z: 1, a: [null] }));
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(index)));
    expect(await brokenAuditRows()).toEqual([]);
  });

  it('removes characters that PostgreSQL cannot store and keeps the chain intact', async () => {
    const details = { reason: 'x\ud800y\0z', texts: [{ de: '\udc00' }] };
    await db.$transaction((tx) => recordAudit(tx, 'te\0st\ud800', 'cleaned', details));
    const kept = { actor: 'test\ufffd', details: { reason: 'x\ufffdyz', texts: [{ de: '\ufffd' }] } };
    expect(await db.auditEntry.findFirst({ where: { action: 'cleaned' } })).toMatchObject(kept);
    expect(await brokenAuditRows()).toEqual([]);
  });

  it('detects changed and deleted rows', async () => {
    const { id } = await db.auditEntry.findFirstOrThrow({ where: { action: 'wrote' } });
    await expect(db.auditEntry.update({ where: { id }, data: { actor: 'other' } })).rejects.toThrow('append-only');
    // The table owner can disable the trigger that rejects changes.
    await pool.query('ALTER TABLE audit_entry DISABLE TRIGGER append_only');
    await pool.query("UPDATE audit_entry SET details = '{}' WHERE id = $1", [id]);
    expect(await brokenAuditRows()).toEqual([id]);
    await pool.query('DELETE FROM audit_entry WHERE id = $1', [id]);
    expect(await brokenAuditRows()).toEqual([id + 1n]);
  });
});
