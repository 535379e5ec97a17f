import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let author: Client;
let reviewer: Client;
beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
});

const WAITING = { version: '2.0', stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };

async function made(type = 'extension') {
  const { id, versions } = await addon({
    ...{ type, authors: [author.accountId ?? 0] },
    versions: [{ version: '1.0' }, { ...WAITING, created: new Date() }],
  });
  return { id, versionId: versions[1]?.id ?? 0 };
}

const subscribe = async (client: Client, id: number, isSubscribed = true) =>
  (
    await client.graphql<{ setReviewSubscription: { __typename: string; isSubscribed?: boolean } }>(
      `mutation($input: SetReviewSubscriptionInput!) { setReviewSubscription(input: $input) { __typename
        ... on SetReviewSubscriptionPayload { addonId isSubscribed } } }`,
      { input: { id: globalId('Addon', id), isSubscribed } },
    )
  ).setReviewSubscription;

/** Makes the version wait now, and runs the job. */
async function enterQueue({ id, versionId }: { id: number; versionId: number }) {
  const { mailSubscribers } = await import('../../../src/domain/reviewing/subscription.ts');
  await app.sql(
    "INSERT INTO activity (action, account_id, addon_id, version_id) VALUES ('review-requested', $1, $2, $3)",
    [author.accountId, id, versionId],
  );
  await app.sql("UPDATE review_queue SET waiting_since = now() + interval '1 second' WHERE version_id = $1", [
    versionId,
  ]);
  await mailSubscribers();
  await mailSubscribers();
}

const mailsTo = async (client: Client, id: number) =>
  (
    await app.sql<{ text: string }>(
      `SELECT m.text FROM outgoing_mail m JOIN version v ON v.id = m.version_id
       WHERE m.account_id = $1 AND v.addon_id = $2 ORDER BY m.id`,
      [client.accountId, id],
    )
  ).map(({ text }) => text);

describe('setReviewSubscription', () => {
  it('mails subscribers once when a version waits, and when a developer replies', async () => {
    const each = await made();
    expect(await subscribe(reviewer, each.id)).toMatchObject({ isSubscribed: true });
    expect(await subscribe(reviewer, each.id)).toMatchObject({ isSubscribed: true });
    await enterQueue(each);
    const [mail, ...more] = await mailsTo(reviewer, each.id);
    expect([mail, more]).toEqual([expect.stringContaining('A new version waits for review: version 2.0 of'), []]);
    expect(await mailsTo(author, each.id)).toEqual([]);
    await author.graphql('mutation($input: ReplyToReviewInput!) { replyToReview(input: $input) { __typename } }', {
      input: { id: globalId('Version', each.versionId), comments: 'An answer.' },
    });
    expect((await mailsTo(reviewer, each.id)).at(-1)).toContain('An answer.');
    expect(await subscribe(reviewer, each.id, false)).toMatchObject({ isSubscribed: false });
    await enterQueue(each);
    expect(await mailsTo(reviewer, each.id)).toHaveLength(2);
  });

  it('ends without the permission and for disabled accounts', async () => {
    const [former, disabled] = [await app.memberWith('Addons:Review'), await app.memberWith('Addons:Review')];
    const each = await made();
    await subscribe(former, each.id);
    await subscribe(disabled, each.id);
    await app.sql('DELETE FROM group_member WHERE account_id = $1', [former.accountId]);
    await app.sql('UPDATE account SET disabled_at = now() WHERE id = $1', [disabled.accountId]);
    await enterQueue(each);
    expect([...(await mailsTo(former, each.id)), ...(await mailsTo(disabled, each.id))]).toEqual([]);
    expect(await app.sql('SELECT FROM review_subscription WHERE addon_id = $1', [each.id])).toEqual([]);
  });

  it('is ended and listed by its subscriber, also once the add-on is not visible', async () => {
    const [shown, hidden] = [await made(), await made()];
    const former = await app.memberWith('Addons:Review');
    for (const { id } of [shown, hidden]) await subscribe(former, id);
    await app.sql('DELETE FROM group_member WHERE account_id = $1', [former.accountId]);
    const input = { id: globalId('Addon', hidden.id), by: 'OPERATOR', isDisabled: true };
    await (await app.admin()).graphql(
      'mutation($input: SetAddonDisabledInput!) { setAddonDisabled(input: $input) { __typename } }',
      { input },
    );
    const listed = async (client: Client) =>
      (
        await client.graphql<{ reviewSubscriptions: { nodes: { addonId: string; addon: object | null }[] } }>(
          '{ reviewSubscriptions { nodes { addonId addonGuid addon { id } } } }',
        )
      ).reviewSubscriptions.nodes.map(({ addonId, addon: seen }) => [addonId, seen !== null]);
    expect(await listed(former)).toEqual([
      [globalId('Addon', shown.id), true],
      [globalId('Addon', hidden.id), false],
    ]);
    expect(await listed(author)).toEqual([]);
    const anonymous = await app.anonymous.graphqlResult('{ reviewSubscriptions { nodes { addonId } } }');
    expect(anonymous.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_AUTHENTICATED' });
    expect(await subscribe(former, hidden.id, false)).toEqual({
      ...{ __typename: 'SetReviewSubscriptionPayload', addonId: globalId('Addon', hidden.id), isSubscribed: false },
    });
    expect(await subscribe(former, hidden.id, false)).toEqual({ __typename: 'NotPermittedError' });
    expect((await listed(former)).map(([id]) => id)).toEqual([globalId('Addon', shown.id)]);
    const visitor = await visitorOf(app, former);
    const PATH = '/reviewers/subscriptions/';
    const fields = await visitor.submit(PATH, 'review-unsubscribe', { id: globalId('Addon', shown.id) });
    expect([fields.status, fields.headers.location]).toEqual([303, `${PATH}?done=review-unsubscribe`]);
    expect(await listed(former)).toEqual([]);
  });

  it('is for reviewers of the add-on', async () => {
    const [extension, theme] = [await made(), await made('statictheme')];
    expect(await subscribe(author, extension.id)).toEqual({ __typename: 'NotPermittedError' });
    expect(await subscribe(reviewer, theme.id)).toEqual({ __typename: 'NotPermittedError' });
    expect(await subscribe(reviewer, 999_999)).toEqual({ __typename: 'NotFoundError' });
  });
});
