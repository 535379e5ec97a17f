/* A version that a reviewer has referred, on the pages of those who decide about it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { decide, waitingVersion } from '../support/waiting-version.ts';

const app = setUpApp();
let author: Client;
let reviewer: Visitor;
beforeAll(async () => {
  author = await app.developer();
  reviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
});

const stageOf = async (id: number) =>
  (await app.sql<{ stage: string }>('SELECT stage FROM version WHERE id = $1', [id]))[0]?.stage;

describe('a version that is referred to an administrator', () => {
  it('is found, read, compared and decided by holders of Addons:Edit alone', async () => {
    const editor = await visitorOf(app, await app.memberWith('Addons:Edit'));
    const made = await waitingVersion(author);
    const slug = made.path.split('/')[3];
    const code = [`/addon/${slug}/versions/2.0/files/`, `/addon/${slug}/compare/1.0...2.0/`];
    const statuses = () => Promise.all([made.path, ...code].map(async (path) => (await editor.get(path)).status));
    expect(await statuses()).toEqual([404, 404, 404]);
    expect(documentOf(await editor.get('/reviewers/'))(`a[href="${made.path}"]`).length).toBe(0);

    await decide(reviewer, made, 'refer', 'Please look at this.');
    expect(await statuses()).toEqual([200, 200, 200]);
    const queue = documentOf(await editor.get('/reviewers/'));
    expect(queue(`table a[href="${made.path}"]`).length).toBe(1);
    expect(queue('.tabs a').text()).toMatch(/^To decide (\d+)Referred \1$/);
    expect(
      queue('[name=form][value=queue-claim], a[href="/reviewers/log/"], a[href^="/reviewers/author/"]').length,
    ).toBe(0);
    // No column for claims.
    expect(queue('thead th').last().text()).toBe('State');
    const page = documentOf(await editor.get(made.path));
    expect(page('main').text()).toContain('Please look at this.');
    expect(page(`a[href="${code[1]}"]`).length).toBe(1);
    const choices = page('[name=decision]').map((_, input) => page(input).attr('value'));
    expect(choices.get()).toEqual(['approve', 'reject']);
    expect(page('[name=form][value=review-subscription], [name=form][value=review-claim], #canned').length).toBe(0);
    expect((await editor.get('/reviewers/log/')).status).toBe(403);

    const reply = await decide(editor, made, 'reject', 'No.');
    expect([reply.status, reply.headers.location]).toEqual([303, `${made.path}&done=review-decision`]);
    const next = await editor.get(reply.headers.location ?? '');
    expect([next.status, next.headers.location]).toEqual([302, '/reviewers/?done=review-decision']);
    expect(await stageOf(made.id)).toBe('rejected');
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it('leads reviewers of another channel to the queue after their decision', async () => {
    const editor = await visitorOf(app, await app.memberWith('Addons:Edit', 'Addons:Review'));
    const made = await waitingVersion(author, { channel: 'unlisted' });
    await decide(await visitorOf(app, await app.memberWith('Addons:ReviewUnlisted')), made, 'refer', 'Look at it.');
    const reply = await decide(editor, made, 'approve');
    const next = await editor.get(reply.headers.location ?? '');
    expect([next.status, next.headers.location]).toEqual([302, '/reviewers/?done=review-decision']);
    const queue = await editor.get(next.headers.location ?? '');
    expect([queue.status, documentOf(queue)('.notice').text()]).toEqual([
      200,
      expect.stringContaining('It was recorded'),
    ]);
    const outsider = await visitorOf(app, await app.developer());
    expect((await outsider.get(reply.headers.location ?? '')).status).toBe(404);
  });

  it('shows no other waiting or rejected version of its add-on', async () => {
    const editor = await app.memberWith('Addons:Edit');
    const rejected = { version: '0.9', stage: 'rejected', files: [{ status: 5 }] };
    const awaiting = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
    const { versions } = await addon({
      status: 'nominated',
      versions: [rejected, { ...awaiting, version: '1.0' }, { ...awaiting, version: '2.0' }],
    });
    const [, referred, other] = versions;
    await app.sql('UPDATE review_queue SET is_referred = true WHERE version_id = $1', [referred?.id]);
    const seen = async (id: number | undefined) =>
      (await editor.graphqlResult('query($id: ID!) { node(id: $id) { id } }', { id: globalId('Version', id) }))
        .errors === undefined;
    expect([await seen(versions[0]?.id), await seen(referred?.id), await seen(other?.id)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
