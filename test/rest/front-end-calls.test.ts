/* Sends the calls of visitors' front ends. The installation has other words (setting API_WORDS), as such front ends know no others. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { Client, type Reply } from '../support/client.ts';
import { type Call, FRONT_END_CALLS, type Who } from '../support/front-end-calls.ts';
import { fullCatalogue } from '../support/full-catalogue.ts';

const app = setUpApp({
  settings: {
    API_WORDS: {
      desktop_browser: 'otter',
      mobile_browser: 'pocketotter',
      is_vendor_signed_extension: 'is_otter_signed_extension',
      idp_edit_email_url: 'otter_edit_email_url',
    },
  },
});

/** Values of earlier responses, which paths and bodies name as `{name}`. */
const known: Record<string, string> = { addon: 'full', guid: 'full@catalogue.example', collection: 'favourites' };

let clients: Record<Who, Client>;

beforeAll(async () => {
  const [visitor, author] = [await app.developer(), await app.developer()];
  const made = await fullCatalogue([author.accountId ?? 0]);
  known['addonId'] = String(made.full.id);
  known['version'] = String(made.full.versions[0]?.id);
  known['me'] = String(visitor.accountId);
  known['authorId'] = String(author.accountId);
  // Replies have words that the published documents do not have.
  const unchecked = ({ url, credentials, accountId }: Client) => new Client(url, () => {}, credentials, accountId);
  clients = {
    visitor: unchecked(await visitor.withSignIn()),
    author: unchecked(await author.withSignIn()),
    anonymous: unchecked(app.anonymous),
  };
});

const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_all, name: string) => known[name] ?? '');

async function send({ who = 'anonymous', request, body }: Call): Promise<Reply> {
  const [method = '', target = ''] = request.split(' ');
  const path = `/api/v4/${filled(target)}`;
  const lang = `${path.includes('?') ? '&' : '?'}${path.includes('lang=') ? '' : 'lang=en-US'}`;
  return clients[who].request(
    method,
    path + lang,
    body ? { headers: { 'Content-type': 'application/json' }, body: filled(JSON.stringify(body)) } : {},
  );
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((part, key) => (part === null || part === undefined ? part : (part as never)[key]), value);

describe.each(Object.entries(FRONT_END_CALLS))('a front end: %s', (_name, calls) => {
  it.each(calls)('$request', async (call) => {
    const { status = 200, reads = '', keeps = {} } = call;
    const reply = await send(call);
    expect([reply.status, status === reply.status ? '' : reply.text]).toEqual([status, '']);
    const paths = reads.split(/\s+/).filter((path) => path !== '' && !/[!?]/.test(path));
    expect(paths.filter((path) => at(reply.json, path) === undefined)).toEqual([]);
    const absent = reads.split(/\s+/).filter((path) => path.startsWith('!'));
    expect(absent.filter((path) => at(reply.json, path.slice(1)) !== undefined)).toEqual([]);
    for (const [name, path] of Object.entries(keeps)) known[name] = String(at(reply.json, path));
  });
});
