import { expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';

const app = setUpApp();

async function act(client: Client, name: string, versionId: number | undefined): Promise<string> {
  const query = `mutation($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { result: ${name}(input: $input) { __typename } }`;
  const input = { id: globalId('Version', versionId), comments: 'Text.' };
  return (await client.graphql<{ result: { __typename: string } }>(query, { input })).result.__typename;
}

it('requests about older versions of a channel end with a reply of the developer on its newest version', async () => {
  const [author, reviewer] = [await app.developer(), await app.memberWith('Addons:Review', 'Addons:ReviewUnlisted')];
  const waiting = { stage: 'awaiting_review', files: [{ status: 1 }] };
  const { id, versions } = await addon({
    authors: [author.accountId ?? 0],
    status: 'nominated',
    versions: [
      { ...waiting, version: '1.0' },
      { ...waiting, version: '2.0' },
      { ...waiting, version: '3.0', channel: 'unlisted' },
    ],
  });
  for (const index of [0, 2]) {
    expect(await act(reviewer, 'requestInformation', versions[index]?.id)).toBe('RequestInformationPayload');
  }
  expect(await act(author, 'replyToReview', versions[0]?.id)).toBe('InvalidInputError');
  expect(await act(author, 'replyToReview', versions[1]?.id)).toBe('ReplyToReviewPayload');
  const query = 'SELECT is_information_requested AS open FROM review_queue WHERE addon_id = $1 ORDER BY version_id';
  expect(await app.sql(query, [id])).toEqual([{ open: false }, { open: false }, { open: true }]);
});
