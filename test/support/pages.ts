import { randomBytes } from 'node:crypto';
import type { TestApp } from './app.ts';
import { type Client, encodeForm, type FormParts, type Reply } from './client.ts';

const BOUNDARY_TYPE = 'multipart/form-data; boundary=----a-boundary-of-the-tests';

/** A browser on the pages: keeps a session cookie and sends forms as browsers do. It follows no redirects. */
export class Visitor {
  readonly #app: TestApp;
  /** The session cookie; empty for anonymous visitors. */
  session: string;

  constructor(app: TestApp, session = '') {
    this.#app = app;
    this.session = session;
  }

  #headers(headers: Record<string, string>): Record<string, string> {
    const { Cookie: other = '', ...rest } = headers;
    const cookies = [this.session === '' ? '' : `addons_session=${this.session}`, other].filter(Boolean).join('; ');
    return { Accept: 'text/html,*/*;q=0.8', ...(cookies === '' ? {} : { Cookie: cookies }), ...rest };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.request('GET', path, headers);
  }

  request(method: string, path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#app.anonymous.request(method, path, { headers: this.#headers(headers) });
  }

  /** A token of the visitor's session, from a page. */
  async csrfToken(path = '/preferences/'): Promise<string> {
    const { text } = await this.get(path);
    return /name="csrf" value="([\w-]+)"/.exec(text)?.[1] ?? '';
  }

  /** Sends the form `name` of the page `path`, with a valid token unless `fields` has `csrf`. A list repeats its field. */
  async submit(
    path: string,
    name: string,
    fields: Record<string, string | readonly string[]> = {},
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const all = { form: name, csrf: await this.csrfToken(), ...fields };
    const pairs = Object.entries(all).flatMap(([key, value]) => [value].flat().map((each) => [key, each as string]));
    return this.#app.anonymous.request('POST', path, {
      headers: this.#headers({
        'Content-Type': 'application/x-www-form-urlencoded',
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      }),
      body: new URLSearchParams(pairs).toString(),
    });
  }

  /** Sends a form with a file: the part `file`. */
  async upload(path: string, name: string, parts: FormParts, headers: Record<string, string> = {}): Promise<Reply> {
    const form = { form: name, csrf: await this.csrfToken(), ...parts };
    return this.#app.anonymous.request('POST', path, {
      headers: this.#headers({ 'Content-Type': BOUNDARY_TYPE, 'Sec-Fetch-Site': 'same-origin', ...headers }),
      body: encodeForm(form),
    });
  }
}

/** A visitor who is signed in with the account of a client. */
export async function visitorOf(app: TestApp, client: Client): Promise<Visitor> {
  const { openLabelledSession } = await import('../../src/domain/sessions/open-session.ts');
  const label = `test ${randomBytes(4).toString('hex')}`;
  const browser = { ip: null, locale: 'en-US', previous: null };
  const { pageSession } = await openLabelledSession(Number(client.accountId), label, browser);
  return new Visitor(app, pageSession);
}

/** The text of a page without markup, in one line. */
export function textOf({ text }: Pick<Reply, 'text'>): string {
  return text
    .replace(/<head>.*?<\/head>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/** Phrases of a Hebrew page in Latin letters, outside of code, names and parts that are English by design. */
export const englishIn = (html: string): string[] =>
  html
    .replace(/<head>.*?<\/head>|<(code|bdi|pre|kbd|svg|option|footer)\b.*?<\/\1>/gs, ' ')
    .replace(/<(div|span) [^>]*lang="en".*?<\/main>/gs, '')
    .replace(/<[^>]+>/g, '\n')
    .match(/[A-Za-z]{2,}[ ,:]+[a-z]{2,}/g) ?? [];

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/**
 * The fields of a form of a page, as a browser sends them unchanged, but for the name of the form and its token: hidden ones, lines,
 * texts, checked boxes and chosen options; of repeated ones the last.
 */
export async function formFields(
  visitor: Visitor,
  page: string | Reply,
  form: string,
): Promise<Record<string, string>> {
  const { text } = typeof page === 'string' ? await visitor.get(page) : page;
  const [, body = ''] = new RegExp(`<form[^>]* id="${form}"[^>]*>(.*?)</form>`, 's').exec(text) ?? [];
  const found: [string, string][] = [];
  const controls =
    /<input (?<input>[^>]*)>|<textarea[^>]* name="(?<area>[^"]+)"[^>]*>\n?(?<content>.*?)<\/textarea>|<select[^>]* name="(?<select>[^"]+)"[^>]*>(?<options>.*?)<\/select>/gs;
  const attribute = (input: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  for (const { groups = {} } of body.matchAll(controls)) {
    const { input = '', area, content = '', select, options = '' } = groups;
    const type = attribute(input, 'type');
    if (area !== undefined) found.push([area, content]);
    else if (select !== undefined) {
      const chosen = /<option value="([^"]*)" selected>/.exec(options) ?? /<option value="([^"]*)"/.exec(options);
      found.push([select, chosen?.[1] ?? '']);
    } else if (type !== 'file' && (!['checkbox', 'radio'].includes(type) || / checked/.test(input))) {
      found.push([attribute(input, 'name'), attribute(input, 'value')]);
    }
  }
  const own = found.filter(([name]) => !['form', 'csrf'].includes(name));
  return Object.fromEntries(own.map(([name, value]) => [name, unescaped(value)]));
}
