import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { authorOf, signedInLongAgo, usernameOf } from '../support/account-pages.ts';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../support/pages.ts';
import { jpeg, png, rawPng, refusedPictures } from '../support/pictures.ts';

const app = setUpApp();
let anonymous: Visitor;
/** An account without add-ons. */
let client: Client;
let visitor: Visitor;
let early: Visitor;
let others: Visitor[];

beforeAll(async () => {
  anonymous = new Visitor(app);
  client = await app.developer();
  visitor = await visitorOf(app, client);
  early = await signedInLongAgo(app);
  others = [await visitorOf(app, await app.reviewer()), await visitorOf(app, await app.admin())];
});
afterEach(() => {
  app.config.READ_ONLY = false;
});

const PATHS = ['', 'notifications/', 'keys/', 'sessions/', 'invitations/', 'delete/'].map((rest) => `/account/${rest}`);

/** Every form of these pages, with fields that are valid; `shown` are texts that a refusal shows again. */
const FORMS: [path: string, name: string, fields: Record<string, string>, shown: string[]][] = [
  ['/account/', 'profile', { displayName: 'Typed before', biography: 'Two\nlines' }, ['Typed before', 'Two\nlines']],
  ['/account/', 'remove-picture', {}, []],
  ['/account/', 'accept-agreement', {}, []],
  ['/account/notifications/', 'notifications', { shown: 'new_features', new_features: 'true' }, ['new_features']],
  ['/account/keys/', 'new-key', { label: 'Typed label', days: '30' }, ['Typed label']],
  ['/account/sessions/', 'end-session', { id: 'U2Vzc2lvbjox' }, ['U2Vzc2lvbjox']],
  ['/account/sessions/', 'end-other-sessions', {}, []],
  ['/account/delete/', 'delete-account', { username: 'typed-name' }, ['typed-name']],
];

const NEED_RECENT = ['/account/keys/', '/account/delete/'];

/** What the forms of these pages can change. */
const stateOf = () =>
  Promise.all([
    app.sql('select username, display_name, biography, deleted_at, read_dev_agreement from account order by id'),
    app.sql('select id, revoked_at from access_token order by id'),
    app.sql('select id, label, revoked_at from api_key order by id'),
    app.sql('select * from notification_setting order by account_id, name'),
  ]);

describe.each(PATHS)('the page %s', (path) => {
  it('leads anonymous visitors to the sign-in and back', async () => {
    const { status, headers } = await anonymous.get(path);
    expect([status, headers.location]).toEqual([303, `/login/?next=${encodeURIComponent(path)}`]);
  });

  it('is for its account, whatever its rights, and never stored', async () => {
    for (const each of [visitor, ...others]) {
      const reply = await each.get(path);
      expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'private, no-store']);
      expect(documentOf(reply)('h1')).toHaveLength(1);
      expect(reply.text).toContain(`<a href="${path}" aria-current="page">`);
      expect(reply.text).toContain('<meta name="robots" content="noindex, nofollow">');
    }
  });

  it('is in German and Hebrew', async () => {
    expect((await visitor.get(path, { Cookie: 'addons_language=de' })).text).toContain(
      'aria-label="Seiten Ihres Kontos"',
    );
    expect((await visitor.get(path, { Cookie: 'addons_language=he' })).text).toContain('aria-label="דפי החשבון"');
  });

  it('needs a recent sign-in where credentials are made or deleted', async () => {
    const { status, headers } = await early.get(path);
    const login = `/login/?next=${encodeURIComponent(path)}&again=1`;
    expect([status, headers.location]).toEqual(NEED_RECENT.includes(path) ? [303, login] : [200, undefined]);
  });
});

describe.each(FORMS)('at %s the form %s', (path, name, fields, shown) => {
  const attempt = async (sender: Visitor, more: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const before = await stateOf();
    const reply = await sender.submit(path, name, { ...fields, ...more }, headers);
    expect(await stateOf()).toEqual(before);
    expect(reply.headers['cache-control']).toBe('no-store');
    return reply;
  };

  it('needs the token of the session, and shows what was typed without it', async () => {
    for (const csrf of ['', 'wrong', (await others[0]?.csrfToken()) ?? '']) {
      const reply = await attempt(visitor, { csrf });
      expect(reply.status).toBe(403);
      for (const text of shown) expect(reply.text).toContain(text);
    }
  });

  it('is refused when another site sends it', async () => {
    expect((await attempt(visitor, {}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await attempt(visitor, {}, { 'Sec-Fetch-Site': 'none', Origin: 'https://evil.example' })).status).toBe(403);
  });

  it('is refused in read-only mode, with what was typed', async () => {
    app.config.READ_ONLY = true;
    const reply = await attempt(visitor, name === 'delete-account' ? { username: await usernameOf(app, client) } : {});
    expect(reply.status).toBe(503);
    if (name === 'profile' || name === 'new-key') for (const text of shown) expect(reply.text).toContain(text);
  });

  it('keeps what was typed when the session has ended', async () => {
    const reply = await attempt(anonymous);
    expect(reply.status).toBe(401);
    expect(reply.text).toContain('target="_blank"');
    for (const text of shown) expect(reply.text).toContain(text);
    expect(reply.text).toContain(`name="form" value="${name}"`);
  });
});

it.each(FORMS.filter(([path]) => NEED_RECENT.includes(path)))(
  'at %s the form %s keeps what was typed when the sign-in was too long ago',
  async (path, name, fields, shown) => {
    const reply = await early.submit(path, name, fields);
    expect(reply.status).toBe(401);
    for (const text of shown) expect(reply.text).toContain(text);
  },
);

describe('the profile', () => {
  const stored = () =>
    app.sql('select display_name, biography, homepage, location, occupation from account where id = $1', [
      client.accountId,
    ]);

  it('is saved and shown', async () => {
    const fields = {
      ...{ displayName: 'Eve <b>', username: await usernameOf(app, client), biography: 'One\r\nTwo' },
      ...{ homepage: 'https://example.org/', location: '', occupation: ' Writer ' },
    };
    const { status, headers } = await visitor.submit('/account/', 'profile', fields);
    expect([status, headers.location]).toEqual([303, '/account/?done=profile']);
    expect(await stored()).toEqual([
      {
        ...{ display_name: 'Eve <b>', biography: 'One\nTwo', homepage: 'https://example.org/' },
        ...{ location: null, occupation: 'Writer' },
      },
    ]);
    const page = await visitor.get('/account/?done=profile');
    expect(textOf(page)).toContain('Your profile is saved.');
    expect(page.text).toContain('value="Eve &lt;b&gt;"');
  });

  it('shows the messages of all refused fields in their places, and keeps all values', async () => {
    const before = await stored();
    const { status, text } = await visitor.submit('/account/?done=profile', 'profile', {
      ...{ displayName: '\u202eEve', username: 'has spaces', biography: 'See www.example.org', homepage: 'ftp://x' },
      ...{ location: 'Here', occupation: 'x'.repeat(256) },
    });
    expect(status).toBe(422);
    expect(await stored()).toEqual(before);
    expect(text).not.toContain('Your profile is saved.');
    for (const [field, message] of [
      ['displayName', 'Control characters are not allowed.'],
      ['username', 'Enter a valid username'],
      ['biography', 'No links are allowed.'],
      ['homepage', 'Enter a valid URL.'],
      ['occupation', 'Ensure this field has no more than 255 characters.'],
    ] as const) {
      expect(text).toMatch(new RegExp(`id="profile-${field}-error">.*?${message}`, 's'));
    }
    expect(text).toContain('value="has spaces"');
    expect(text).toContain('value="Here"');
    expect(text).toContain('See www.example.org</textarea>');
  });

  it('is refused in the language of the interface', async () => {
    const german = { Cookie: 'addons_language=de' };
    const { text } = await visitor.submit('/account/', 'profile', { username: 'a b' }, german);
    expect(text).toMatch(/id="profile-username-error">.*?Verwenden Sie nur Buchstaben/s);
  });

  it('refuses a username that is taken, and makes one when it is empty', async () => {
    const developer = await app.developer();
    const other = await visitorOf(app, developer);
    const taken = await other.submit('/account/', 'profile', { username: await usernameOf(app, client) });
    expect(taken.status).toBe(422);
    expect(taken.text).toContain('This username is already in use.');
    expect((await other.submit('/account/', 'profile')).status).toBe(303);
    const anonymousName = await usernameOf(app, developer);
    expect(anonymousName).toMatch(/^anonymous-[0-9a-f]{32}$/);
    expect((await other.submit('/account/', 'profile', { location: 'There' })).status).toBe(303);
    expect(await usernameOf(app, developer)).toBe(anonymousName);
  });

  it('links the e-mail address to the identity provider by a wrapped link', async () => {
    app.config.IDP_EDIT_EMAIL_URL = 'https://idp.example/email';
    const { text } = await visitor.get('/account/');
    expect(text).toContain('/outgoing/');
    expect(text).not.toContain('href="https://idp.example');
    app.config.IDP_EDIT_EMAIL_URL = undefined;
  });
});

describe('the picture', () => {
  const upload = (bytes: Buffer, more: Record<string, string> = {}) =>
    visitor.upload('/account/', 'picture', { ...more, file: { bytes, fileName: 'me.png', type: 'image/png' } });
  const pictureUrl = async () => documentOf(await visitor.get('/account/'))('img.account-picture').attr('src');

  it('is stored, replaced and removed', async () => {
    const placeholder = await pictureUrl();
    const { status, headers } = await upload(await png(300, 200));
    expect([status, headers.location]).toEqual([303, '/account/?done=picture']);
    const first = await pictureUrl();
    expect(first).not.toBe(placeholder);
    expect((await upload(await jpeg(64, 64))).status).toBe(303);
    expect(await pictureUrl()).not.toBe(first);
    const removed = await visitor.submit('/account/', 'remove-picture');
    expect([removed.status, removed.headers.location]).toEqual([303, '/account/?done=remove-picture']);
    expect(await pictureUrl()).toBe(placeholder);
  });

  it('is refused with the message at its field', async () => {
    const refused = new Map((await refusedPictures()).map(([name, bytes]) => [name, bytes]));
    const called = (name: string) => refused.get(name) ?? Buffer.alloc(0);
    for (const [bytes, message] of [
      [called('an animated PNG'), 'Images cannot be animated.'],
      [called('a GIF'), 'Images must be either PNG or JPG.'],
      [rawPng(64, 64, { rows: 32 }), 'Upload a valid image.'],
      [Buffer.alloc(4 * 1024 * 1024 + 1), 'The file is larger than 4 MB.'],
      [Buffer.alloc(6 * 1024 * 1024), 'The file is larger than 4 MB.'],
    ] as const) {
      const { status, text } = await upload(bytes);
      expect(status).toBe(422);
      expect(text).toMatch(new RegExp(`id="picture-file-error">.*?${message}`, 's'));
    }
    expect((await visitor.upload('/account/', 'picture', {})).text).toContain('Choose a file.');
  });

  it('needs the token, the origin and a session', async () => {
    const bytes = await png(8, 8);
    expect((await upload(bytes, { csrf: 'wrong' })).status).toBe(403);
    const parts = { file: { bytes, fileName: 'me.png' } };
    const foreign = await visitor.upload('/account/', 'picture', parts, { 'Sec-Fetch-Site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect((await anonymous.upload('/account/', 'picture', parts)).status).toBe(401);
    app.config.READ_ONLY = true;
    expect((await upload(bytes)).status).toBe(503);
    expect(await app.sql('select from account where picture_sha256 is not null')).toEqual([]);
  });
});

describe('the developer agreement', () => {
  it('is accepted once', async () => {
    const developer = await app.developer();
    await app.sql('update account set read_dev_agreement = null where id = $1', [developer.accountId]);
    const reader = await visitorOf(app, developer);
    expect((await reader.get('/account/')).text).toContain('id="accept-agreement"');
    const { status, headers } = await reader.submit('/account/', 'accept-agreement');
    expect([status, headers.location]).toEqual([303, '/account/?done=accept-agreement']);
    const { text } = await reader.get('/account/');
    expect(text).not.toContain('id="accept-agreement"');
    expect(text).toContain('You have accepted the developer agreement.');
  });
});

describe('the notifications', () => {
  it('are two for an account without add-ons, which it switches off and on', async () => {
    const $ = documentOf(await visitor.get('/account/notifications/'));
    expect($('[type=checkbox]')).toHaveLength(2);
    const off = await visitor.submit('/account/notifications/', 'notifications', { shown: 'new_features,reply' });
    expect([off.status, off.headers.location]).toEqual([303, '/account/notifications/?done=notifications']);
    const settings = () =>
      app.sql('select name, enabled from notification_setting where account_id = $1 order by name', [client.accountId]);
    expect(await settings()).toEqual([
      { name: 'new_features', enabled: false },
      { name: 'reply', enabled: false },
    ]);
    await visitor.submit('/account/notifications/', 'notifications', { shown: 'reply', reply: 'true' });
    expect(await settings()).toEqual([
      { name: 'new_features', enabled: false },
      { name: 'reply', enabled: true },
    ]);
  });

  it('are ten for a developer, with the mandatory ones locked', async () => {
    const { visitor: author } = await authorOf(app, 'first-of-author');
    const $ = documentOf(await author.get('/account/notifications/'));
    expect($('[type=checkbox]')).toHaveLength(10);
    expect($('[type=checkbox][disabled]')).toHaveLength(4);
    const { status } = await author.submit('/account/notifications/', 'notifications', {
      shown: 'new_features,announcements,reviewer_reviewed',
      announcements: 'true',
    });
    expect(status).toBe(303);
    expect((await author.get('/account/notifications/')).text).toMatch(/name="announcements"[^>]* checked/);
  });
});
