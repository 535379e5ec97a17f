import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../src/errors.ts';
import { runPicture } from '../../../src/infra/pictures/picture-processes.ts';
import { animated, hostileAnimations, png, rawPng } from '../../support/pictures.ts';
import { childrenRunning } from '../../support/processes.ts';

const FORMS = [{ name: 'small', width: 8, height: 8, fit: 'inside' as const }];

/** The memory of a process that is in use. */
const residentMb = async (pid: number): Promise<number> =>
  Number(/^VmRSS:\s*(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

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

  it.each(['gif', 'webp'] as const)(
    'decodes the first frame of a %s only where any format is accepted',
    async (format) => {
      const bytes = await animated(format);
      expect(await runPicture(bytes, FORMS)).toMatchObject({ kind: 'flawed', flaw: { kind: 'foreign' } });
      const result = await runPicture(bytes, FORMS, 'any');
      if (result.kind !== 'made') throw new Error(result.kind);
      expect(result).toMatchObject({ size: { width: 8, height: 6 }, isAnimated: true });
      const { data, info } = await sharp(result.pictures[0]?.bytes).raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([8, 6]);
      const [red = 0, , blue = 0] = data;
      expect([red > 200, blue < 50]).toEqual([true, true]);
    },
  );

  it('says that a picture of one frame is not animated', async () => {
    for (const bytes of [
      await png(8, 8),
      await sharp(await png(8, 8))
        .gif()
        .toBuffer(),
    ]) {
      expect(await runPicture(bytes, FORMS, 'any')).toMatchObject({ kind: 'made', isAnimated: false });
    }
  });

  it('decodes hostile GIF and WebP files within its limits, in the same processes', async () => {
    await runPicture(await png(8, 8), FORMS);
    for (const [name, bytes, expected] of await hostileAnimations()) {
      const before = await children();
      const result = await runPicture(bytes, FORMS, 'any');
      expect([name, result.kind === 'flawed' ? result.flaw.kind : result.kind]).toEqual([name, expected]);
      // None has crashed.
      expect(await children(), name).toEqual(expect.arrayContaining(before));
      for (const pid of await children()) expect(await residentMb(pid), name).toBeLessThan(400);
    }
  });

  it('throws UnavailableError if every process fails, for example without an input file', async () => {
    await expect(runPicture('/nowhere/picture.png', FORMS)).rejects.toThrow(UnavailableError);
    expect(await runPicture(await png(64, 64), FORMS)).toMatchObject({ kind: 'made' });
  });
});
