/* The page about an author: its numbers are those of its list of decisions. */
import { expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { documentOf, visitorOf } from '../support/pages.ts';

const app = setUpApp();

it('says which rejections have no decision, and has the texts of the others', async () => {
  const author = await app.developer();
  const authors = [author.accountId ?? 0];
  const reviewer = await app.memberWith('Addons:Review', 'Personas:Review');
  const rejected = (version: string) => ({ version, stage: 'rejected', files: [{ status: 5 }] });
  const { id, versions } = await addon({ authors, versions: [rejected('1.1'), rejected('1.2')] });
  await app.sql(
    `INSERT INTO activity (action, account_id, addon_id, version_id, comments) VALUES ('rejected', $1, $2, $3, 'Sends too much.')`,
    [reviewer.accountId, id, versions[0]?.id],
  );
  await addon({ authors, type: 'persona', status: 'rejected', versions: [] });
  const [account] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', authors);
  const visitor = await visitorOf(app, reviewer);
  const $ = documentOf(await visitor.get(`/reviewers/author/${account?.username}/`));
  const cells = $('tbody tr')
    .toArray()
    .map((row) => [2, 5].map((index) => $(row).children().eq(index).text()));
  expect(cells).toEqual([
    ['Rejecteddecided as a whole, not by version', '0'],
    ['Public', '21 imported without a decision'],
  ]);
  expect($('[aria-labelledby=earlier] > details > summary').text()).toContain('1 rejection');
  expect($('[aria-labelledby=earlier] li details .thread-text').text()).toBe('Sends too much.');
});
