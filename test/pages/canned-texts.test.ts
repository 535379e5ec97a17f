/* Canned texts in the form of a decision. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { globalId } from '../support/global-ids.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { sent, waitingVersion } from '../support/waiting-version.ts';

const app = setUpApp();
const TEXT = { 'en-US': 'Please add a privacy policy.', de: 'Bitte ergänzen Sie eine Datenschutzerklärung.' };
let reviewer: Visitor;
let made: { id: number; path: string };
let canned: string;
beforeAll(async () => {
  reviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
  made = await waitingVersion(await app.developer());
  const [row] = await app.sql<{ id: number }>(
    "INSERT INTO canned_response (name, text) VALUES ('Privacy', $1) RETURNING id",
    [TEXT],
  );
  canned = globalId('CannedResponse', row?.id);
});

describe('canned texts', () => {
  it('are offered above the text, those in the language of the page first, and none is chosen', async () => {
    const offered = async (language: string) => {
      const $ = documentOf(await reviewer.get(made.path, { 'Accept-Language': language }));
      const values = $('#canned option').toArray();
      expect($('#review-decision :is(#canned, textarea)').first().attr('id')).toBe('canned');
      expect($('#canned option[selected]')).toHaveLength(0);
      return values.map(({ attribs }) => attribs.value);
    };
    expect(await offered('en')).toEqual(['', `${canned} en-US`, `${canned} de`]);
    expect(await offered('de')).toEqual(['', `${canned} de`, `${canned} en-US`]);
  });

  it('are put after the typed text, in the chosen language', async () => {
    const insert = async (chosen: string) => {
      const values = { ...sent(made.id), decision: 'request', comments: 'Hello,', canned: chosen, add: 'canned' };
      const reply = await reviewer.submit(made.path, 'review-decision', values);
      expect(reply.status).toBe(200);
      return documentOf(reply);
    };
    const shown = await insert(`${canned} de`);
    expect(shown('textarea[name=comments]').text().trim()).toBe(`Hello,\n\n${TEXT.de}`);
    // The enter key would insert it once more.
    expect(shown('#canned option[selected]')).toHaveLength(0);
    expect(shown('input[value=request]').attr('checked')).toBeDefined();
    expect((await insert(''))('textarea[name=comments]').text().trim()).toBe('Hello,');
    const [version] = await app.sql<{ stage: string }>('SELECT stage FROM version WHERE id = $1', [made.id]);
    expect(version?.stage).toBe('awaiting_review');
  });
});
