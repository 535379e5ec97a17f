import { expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { untilSessionsWait } from '../../support/locks.ts';
import { flags, path, type Status, upload } from '../../support/signing-steps.ts';

const app = setUpApp();

it('reads stage and files of an upload in one snapshot while the version is being signed', async () => {
  const developer = await app.developer();
  const guid = 'snapshot@example';
  await upload(developer, guid);
  await app.sql(`UPDATE version SET stage = 'signing'`);
  const { pool } = await import('../../../src/infra/db.ts');
  const signer = await pool.connect();
  try {
    await signer.query('BEGIN');
    await signer.query('LOCK TABLE file IN ACCESS EXCLUSIVE MODE');
    const response = developer.get(path(guid));
    await untilSessionsWait(app, '%manifestLocale%');
    await signer.query(`UPDATE file SET signed_sha256 = sha256, signed_at = now(), status = 4`);
    await signer.query(`UPDATE version SET stage = 'signed', reviewed = now()`);
    await signer.query('COMMIT');
    const { active, reviewed, signed } = flags((await response).json as Status);
    expect(signed).toHaveLength(1);
    expect({ active, reviewed, signed: signed[0] }).toEqual({
      active: signed[0],
      reviewed: signed[0],
      signed: signed[0],
    });
  } finally {
    signer.release();
  }
  await app.sql('DELETE FROM graphile_worker._private_jobs');
});
