import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LinterPool, linterCommand, probeIsolation } from '../../../src/package/validation/linter-pool.ts';
import { readReport } from '../../../src/package/validation/linter-protocol.ts';
import { makePoolFolder, warmUpFolder } from '../../../src/package/validation/pool-folder.ts';
import { writeExtension } from './sample-packages.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'validation-test-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** Starts a linter process that may read `readable`, lints `path` and resolves to the first response. */
async function lintWith(readable: string, path: string): Promise<unknown> {
  const warmUp = warmUpFolder((await makePoolFolder(folder)).path);
  const { program, args } = linterCommand((await probeIsolation()).prefix, 1024, readable, warmUp);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    expect((await once(child, 'message'))[0]).toEqual({ kind: 'ready' });
    child.send({ id: 1, request: { path, settings: { selfHosted: true, messageLimit: 10 } } });
    return (await once(child, 'message'))[0];
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

describe('a linter process', () => {
  it('can read its own folder only', async () => {
    const own = await mkdtemp(join(folder, 'own-'));
    const inside = await writeExtension(join(own, 'package.zip'), '');
    const outside = await writeExtension(join(folder, 'package.zip'), '');
    await writeFile(join(folder, 'signing-key.pem'), 'secret');

    expect(await lintWith(own, inside)).toMatchObject({ reply: { kind: 'report', report: { errors: 0 } } });
    expect(await lintWith(own, outside)).toMatchObject({
      reply: { kind: 'refused', reason: expect.stringMatching(/restricted/) },
    });
  });
});

it('a pool that could not create its folder creates it for the next package', async () => {
  const later = join(folder, 'later');
  const pool = new LinterPool({ concurrency: 1, folder: later });
  const outcome = await pool.run(join(folder, 'package.zip'), { selfHosted: true, messageLimit: 10 });
  expect(outcome).toMatchObject({ ok: false, reason: 'unavailable' });
  await mkdir(later);
  expect((await pool.isolation()).network).toMatch(/none|shared/);
  await pool.close();
});

const error = { _type: 'error', code: 'A' };
const warning = { _type: 'warning', code: 'B' };
const clean = { errors: 0, warnings: 0, notices: 0, metadata: {}, messages: [] };

describe('a report of the linter', () => {
  it.each([
    ['nothing found', clean],
    ['a message of each count', { ...clean, errors: 1, warnings: 1, messages: [error, warning] }],
    ['more messages than requested', { ...clean, errors: 7, messages: [error, error, error] }],
    ['an archive that cannot be opened', { ...clean, errors: 1, metadata: null, messages: [error] }],
  ])('is accepted with %s', (_what, report) => {
    expect(readReport(report, 3)).toEqual({ ...report, metadata: {} });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', [clean]],
    ['no counts', {}],
    ['a missing count', { ...clean, errors: undefined }],
    ['a count that is text', { ...clean, errors: '0' }],
    ['a count that is no number', { ...clean, errors: Number.NaN }],
    ['a negative count', { ...clean, errors: -1 }],
    ['half an error', { ...clean, errors: 0.5 }],
    ['no messages', { ...clean, messages: undefined }],
    ['errors without their messages', { ...clean, errors: 1 }],
    ['messages without their errors', { ...clean, messages: [error] }],
    ['an error counted as a warning', { ...clean, warnings: 1, messages: [error] }],
    ['a message without a code', { ...clean, warnings: 1, messages: [{ _type: 'warning' }] }],
    ['a message of an unknown type', { ...clean, warnings: 1, messages: [{ _type: 'fatal', code: 'A' }] }],
    ['no errors, but no metadata either', { ...clean, metadata: null }],
  ])('is refused with %s', (_what, report) => {
    expect(readReport(report, 3)).toBeNull();
  });
});
