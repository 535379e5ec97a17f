import { randomBytes } from 'node:crypto';
import { type CheerioAPI, load } from 'cheerio';
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
    const $ = documentOf(await this.get(path));
    return $('input[name=csrf]').attr('value') ?? '';
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

/** The document of a page or a part of one, for `$(selector)`. */
export const documentOf = ({ text }: Pick<Reply, 'text'>): CheerioAPI => load(text);

type Node = Extract<Parameters<typeof load>[0], readonly unknown[]>[number];

/** The texts below nodes, in the order of the document. */
function textsOf(nodes: Iterable<Node>): string[] {
  return [...nodes].flatMap((node) =>
    node.type === 'text' ? [node.data] : 'children' in node ? textsOf(node.children) : [],
  );
}

/** The text of a page without markup, in one line. */
export function textOf(page: Pick<Reply, 'text'>): string {
  const $ = documentOf(page);
  $('head').remove();
  return textsOf($.root().toArray()).join(' ').replace(/\s+/g, ' ').trim();
}

/** Phrases of a Hebrew page in Latin letters, outside of code, names and parts that are English by design. */
export function englishIn(html: string): string[] {
  const $ = documentOf({ text: html });
  $('head, code, bdi, pre, kbd, svg, option, footer, div[lang=en], span[lang=en]').remove();
  return textsOf($.root().toArray()).flatMap((text) => text.match(/[A-Za-z]{2,}[ ,:]+[a-z]{2,}/g) ?? []);
}

/**
 * The fields of a form of a page, as a browser sends them unchanged, but for the name of the form and its token: hidden ones, lines,
 * texts, checked boxes and chosen options; of repeated ones the last. Lines end with a line feed.
 */
export async function formFields(
  visitor: Visitor,
  page: string | Reply,
  form: string,
): Promise<Record<string, string>> {
  const $ = documentOf(typeof page === 'string' ? await visitor.get(page) : page);
  const fields = $(`form[id="${form}"]`).first().serializeArray();
  return Object.fromEntries(
    fields
      .filter(({ name }) => !['form', 'csrf'].includes(name))
      .map(({ name, value }) => [name, value.replaceAll('\r\n', '\n')]),
  );
}

/** Status and target of a response. */
export const outcomeOf = ({ status, headers }: Pick<Reply, 'status' | 'headers'>) => [status, headers.location];
