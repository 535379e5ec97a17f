import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import { MAX_PIXELS } from '../../src/infra/pictures/inspect-picture.ts';
import { runPicture } from '../../src/infra/pictures/picture-processes.ts';
import { png, rawPng } from '../support/pictures.ts';

const FORMS = [{ name: 'small', width: 8, height: 8, fit: 'inside' as const }];

/** The picture processes of this one. */
async function children(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]);
  const lines = stdout.split('\n').filter((line) => line.includes('picture-process.ts'));
  return lines.map((line) => Number.parseInt(line, 10));
}

describe('runPicture', () => {
  afterAll(async () => {
    for (const pid of await children()) process.kill(pid, 'SIGKILL');
  });

  it('works on many pictures with few processes', async () => {
    const picture = await png(64, 64);
    const replies = await Promise.all(Array.from({ length: 40 }, () => runPicture(picture, FORMS)));
    expect(replies.every(({ kind }) => kind === 'made')).toBe(true);
    expect((await children()).length).toBeLessThanOrEqual(2);
  });

  it('is unavailable for the picture that a process ends with, and goes on with another one', async () => {
    const large = rawPng(4_000, 4_000);
    expect(4_000 * 4_000).toBe(MAX_PIXELS);
    const running = Promise.allSettled([runPicture(large, FORMS), runPicture(large, FORMS)]);
    for (const pid of await children()) process.kill(pid, 'SIGKILL');
    const outcomes = await running;
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toBeInstanceOf(UnavailableError);
    expect(await runPicture(await png(64, 64), FORMS)).toMatchObject({ kind: 'made', size: { width: 64, height: 64 } });
  });

  it('is unavailable when the file is not there', async () => {
    await expect(runPicture('/nowhere/picture.png', FORMS)).rejects.toThrow(UnavailableError);
    expect(await runPicture(await png(64, 64), FORMS)).toMatchObject({ kind: 'made' });
  });
});
