import { afterAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../src/errors.ts';
import { runPicture } from '../../../src/infra/pictures/picture-processes.ts';
import { png, rawPng } from '../../support/pictures.ts';
import { childrenRunning } from '../../support/processes.ts';

const FORMS = [{ name: 'small', width: 8, height: 8, fit: 'inside' as const }];

const children = () => childrenRunning('picture-process.ts');

describe('runPicture', () => {
  afterAll(async () => {
    for (const pid of await children()) process.kill(pid, 'SIGKILL');
  });

  it('processes many pictures with few processes', async () => {
    const picture = await png(64, 64);
    const replies = await Promise.all(Array.from({ length: 40 }, () => runPicture(picture, FORMS)));
    expect(replies.every(({ kind }) => kind === 'made')).toBe(true);
    expect((await children()).length).toBeLessThanOrEqual(2);
  });

  it('retries a picture whose process was killed', async () => {
    const picture = rawPng(64, 64);
    await Promise.all([runPicture(picture, FORMS), runPicture(picture, FORMS)]);
    const pids = await children();
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const running = Promise.all([runPicture(picture, FORMS), runPicture(picture, FORMS)]);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    for (const reply of await running) expect(reply).toMatchObject({ kind: 'made', size: { width: 64, height: 64 } });
  });

  it('works after an idle process was killed', async () => {
    const picture = rawPng(64, 64);
    await runPicture(picture, FORMS);
    for (const pid of await children()) process.kill(pid, 'SIGKILL');
    await expect.poll(children).toEqual([]);
    expect(await runPicture(picture, FORMS)).toMatchObject({ kind: 'made' });
  });

  it('throws UnavailableError if every process fails, for example without an input file', async () => {
    await expect(runPicture('/nowhere/picture.png', FORMS)).rejects.toThrow(UnavailableError);
    expect(await runPicture(await png(64, 64), FORMS)).toMatchObject({ kind: 'made' });
  });
});
