import { expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { untilSessionsWait } from '../../support/locks.ts';
import { mutate } from '../../support/mutate.ts';

const app = setUpApp();

it('deleteVersion refuses a version whose validation fails at the same time', async () => {
  const developer = await app.developer();
  const { id, versions } = await addon({
    authors: [developer.accountId ?? 0],
    status: 'incomplete',
    versions: [{ stage: 'validating', channel: 'unlisted', files: [{ status: 1 }] }],
  });
  const versionId = versions[0]?.id ?? 0;
  const { db } = await import('../../../src/infra/db.ts');
  const { deletion } = await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM addon WHERE id = ${id} FOR NO KEY UPDATE`;
    const begun = mutate(developer, 'deleteVersion', { id: versionId });
    await untilSessionsWait(app, '%FROM addon%');
    await tx.version.update({ where: { id: versionId }, data: { stage: 'invalid' } });
    return { deletion: begun };
  });
  expect(await deletion).toMatchObject({ code: 'NOT_FOUND' });
  expect(await app.sql('SELECT stage, deleted_at FROM version')).toEqual([{ stage: 'invalid', deleted_at: null }]);
});
