import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';

const app = setUpApp();
let activity: typeof import('../../../src/domain/activity/checkpoints.ts');
let audit: typeof import('../../../src/domain/activity/record-audit.ts');
let signing: typeof import('../../../src/domain/signature-log/signature-log.ts');
let infra: typeof import('../../../src/infra/db.ts');

beforeAll(async () => {
  activity = await import('../../../src/domain/activity/checkpoints.ts');
  audit = await import('../../../src/domain/activity/record-audit.ts');
  signing = await import('../../../src/domain/signature-log/signature-log.ts');
  infra = await import('../../../src/infra/db.ts');
  for (let index = 1; index <= 20; index++) await record(index);
  for (let index = 1; index <= 3; index++) await certify(index);
});

const record = (index: number): Promise<void> =>
  infra.db.$transaction((tx) => audit.recordAudit(tx, 'test', 'wrote', { index }));

/** Logs a certificate of the file of a new add-on, which then has it. */
async function certify(index: number): Promise<void> {
  const { versions } = await addon({
    guid: `a${index}@example`,
    versions: [{ files: [{ certificateSerial: `0${index}` }] }],
  });
  const fileId = versions[0]?.files[0]?.id ?? 0;
  const facts = { serial: `0${index}`, issuer: 'CN=test', guid: `a${index}@example`, version: '1.0' };
  await signing.logCertificate({ ...facts, inputSha256: '0'.repeat(64), fileId });
}

/** Removes the newest rows as the owner of the tables can, and returns a function that restores them. */
async function loseRows(table: string, count: number): Promise<() => Promise<void>> {
  const newest = `id IN (SELECT id FROM ${table} ORDER BY id DESC LIMIT ${count})`;
  await app.sql(`CREATE TABLE lost_rows AS SELECT * FROM ${table} WHERE ${newest}`);
  await app.sql(`GRANT DELETE ON ${table} TO CURRENT_USER`);
  await app.sql(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await app.sql(`DELETE FROM ${table} WHERE ${newest}`);
  await app.sql(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  return async () => {
    await app.sql(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await app.sql(`INSERT INTO ${table} SELECT * FROM lost_rows`);
    await app.sql(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await app.sql('DROP TABLE lost_rows');
  };
}

const setHead = (log: string, table: string): Promise<unknown> =>
  app.sql(
    `UPDATE log_head SET (size, hash) = (SELECT count(*), (SELECT hash FROM ${table} ORDER BY id DESC LIMIT 1) FROM ${table})
     WHERE log = $1`,
    [log],
  );

describe('a log that lost its newest rows', () => {
  it('differs from its head', async () => {
    const restore = await loseRows('audit_entry', 8);
    expect(await audit.verifyAuditLog()).toMatchObject({
      entries: 12,
      broken: [],
      problems: [
        expect.stringMatching(/^the head of the log names entry 20 with hash \w{64}, which the log of 12 entries/),
      ],
    });
    await restore();
    expect(await audit.verifyAuditLog()).toEqual({ entries: 20, broken: [], problems: [] });
  });

  it('differs from its head after new rows, too', async () => {
    const restore = await loseRows('signing_certificate', 1);
    const facts = { serial: '77', issuer: 'CN=test', guid: 'new@example', version: '1.0', inputSha256: '0'.repeat(64) };
    await signing.logCertificate({ ...facts, fileId: 0 });
    const { broken, problems } = await signing.verifySignatureLog();
    expect(broken).toEqual([]);
    expect(problems).toEqual([
      expect.stringMatching(/^the head of the log counts 4 entries up to hash \w{64}, the log has 3$/),
      expect.stringMatching(
        /^1 signed file\(s\) have a certificate that is not in the log, the first is 03 of file \d+$/,
      ),
    ]);
    await app.sql('ALTER TABLE signing_certificate DISABLE TRIGGER USER');
    await app.sql("DELETE FROM signing_certificate WHERE serial = '77'");
    await restore();
    await setHead('signature', 'signing_certificate');
    expect(await signing.verifySignatureLog()).toEqual({ entries: 3, broken: [], problems: [] });
  });
});

describe('a checkpoint', () => {
  it('is a signed note of size and newest hashes, which the site serves with its key', async () => {
    expect((await app.anonymous.get('/signing/log/checkpoint')).status).toBe(404);

    await activity.signFirstCheckpoint();
    const note = await activity.signCheckpoint();
    await activity.signFirstCheckpoint();
    expect(await app.sql('SELECT note FROM log_checkpoint')).toEqual([{ note }]);

    const served = await app.anonymous.get('/signing/log/checkpoint');
    expect([served.status, served.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(served.text).toBe(note);
    expect(await readFile(activity.checkpointFile(), 'utf8')).toBe(note);
    const [log] = await app.sql<{ hash: string }>('SELECT hash FROM signing_certificate ORDER BY id DESC LIMIT 1');
    const [entry] = await app.sql<{ hash: string }>('SELECT hash FROM audit_entry ORDER BY id DESC LIMIT 1');
    const base64 = (hex = '') => Buffer.from(hex, 'hex').toString('base64');
    const [text = '', signature = ''] = note.split(/(?<=\n)\n/);
    const [name = '', ...facts] = text.split('\n');
    expect(facts).toEqual(['3', base64(log?.hash), `audit-log ${base64(entry?.hash)}`, '']);
    // As C2SP signed-note defines both, independent of the program.
    const key = (await app.anonymous.get('/signing/log/key')).text.trim();
    const [, keyName, id, body = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(key) ?? [];
    expect(keyName).toBe(name);
    const bytes = Buffer.from(body, 'base64');
    expect(createHash('sha256').update(`${name}\n`).update(bytes).digest('hex').slice(0, 8)).toBe(id);
    const [, by, signed = ''] = /^— (\S+) (\S+)\n$/.exec(signature) ?? [];
    expect(by).toBe(name);
    expect(Buffer.from(signed, 'base64').subarray(0, 4).toString('hex')).toBe(id);
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify(null, Buffer.from(text), publicKey, Buffer.from(signed, 'base64').subarray(4))).toBe(true);
  });

  it('is signed once for one state of the logs', async () => {
    const note = await activity.signCheckpoint();
    await rm(activity.checkpointFile());
    expect(await activity.signCheckpoint()).toBe(note);
    expect(await readFile(activity.checkpointFile(), 'utf8')).toBe(note);
    await record(21);
    expect(await activity.signCheckpoint()).not.toBe(note);
  });

  it('shows lost rows although the head was changed as well, and no other is signed then', async () => {
    const before = await readFile(activity.checkpointFile(), 'utf8');
    const restore = await loseRows('audit_entry', 8);
    await setHead('audit', 'audit_entry');
    const { problems } = await audit.verifyAuditLog();
    expect(problems).toEqual([
      expect.stringMatching(
        /^the newest checkpoint of the database names the entry with hash \w{64}, which the log of 13/,
      ),
      expect.stringMatching(/^the checkpoint \S+log\.checkpoint names the entry with hash \w{64}, which the log of 13/),
    ]);
    await expect(activity.signCheckpoint()).rejects.toThrow(
      'The logs do not have the entries of the newest checkpoint',
    );
    expect(await readFile(activity.checkpointFile(), 'utf8')).toBe(before);
    await restore();
    await setHead('audit', 'audit_entry');
    expect(await audit.verifyAuditLog()).toMatchObject({ broken: [], problems: [] });
  });

  it('kept elsewhere shows lost rows when the installation has lost all others', async () => {
    const kept = join(app.config.DATA_DIR, 'kept');
    const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
    await writeFile(kept, await activity.signCheckpoint());
    await app.sql('GRANT DELETE ON log_checkpoint TO CURRENT_USER');
    await app.sql('ALTER TABLE log_checkpoint DISABLE TRIGGER USER');
    await app.sql('DELETE FROM log_checkpoint');
    await rm(activity.checkpointFile());
    await loseRows('signing_certificate', 1);
    const [file] = await app.sql<{ addon_id: number }>(
      `UPDATE file SET certificate_serial = NULL FROM version v
       WHERE certificate_serial = '03' AND v.id = version_id RETURNING addon_id`,
    );
    await infra.db.$transaction((tx) => publishAddons(tx, [file?.addon_id ?? 0]));
    await setHead('signature', 'signing_certificate');

    expect(await signing.verifySignatureLog()).toMatchObject({ broken: [], problems: [] });
    const { problems } = await signing.verifySignatureLog({ files: [kept] });
    expect(problems).toEqual([expect.stringMatching(/^the checkpoint \S+kept names entry 3 with hash/)]);
    expect((await audit.verifyAuditLog({ files: [kept] })).problems).toEqual([]);
  });

  it('is refused if another key has signed it, or it was changed', async () => {
    const kept = join(app.config.DATA_DIR, 'kept');
    const note = await readFile(kept, 'utf8');
    await writeFile(kept, note.replace('\n3\n', '\n2\n'));
    await expect(signing.verifySignatureLog({ files: [kept] })).rejects.toThrow('It has no valid signature of the key');
    await writeFile(kept, 'nothing');
    await expect(signing.verifySignatureLog({ files: [kept] })).rejects.toThrow('It is no signed note');
  });
});
