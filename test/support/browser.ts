import type { TestApp } from './app.ts';
import type { Reply } from './client.ts';

/** The HTTP behaviour of a browser: keeps cookies by host, follows no redirects. */
export class Browser {
  readonly #app: TestApp;
  readonly #jars = new Map<string, Map<string, string>>();

  constructor(app: TestApp) {
    this.#app = app;
  }

  /** A request to the service, checked against the OpenAPI documents. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.request('GET', path, headers);
  }

  async request(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
    const cookies = this.cookieHeader(this.#app.url);
    const reply = await this.#app.anonymous.request(method, path, {
      headers: { ...(cookies === '' ? {} : { Cookie: cookies }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    this.#keep(this.#app.url, reply.headers['set-cookie'] ?? []);
    return reply;
  }

  /** Starts a sign-in and follows redirects up to the one back to the service. Returns its path and query. */
  async signInAtProvider(start = '/api/v4/accounts/login/start/'): Promise<string> {
    const { headers } = await this.get(start);
    return this.#follow(String(headers.location));
  }

  /** Opens an address of the provider as a person who is not signed in there. Returns path and query of the way back. */
  async followProvider(location: string): Promise<string> {
    this.#jars.delete(new URL(location).origin);
    return this.#follow(location);
  }

  async #follow(location: string): Promise<string> {
    let url = location;
    while (!url.startsWith(this.#app.url)) {
      const { origin } = new URL(url);
      const response = await fetch(url, { redirect: 'manual', headers: { Cookie: this.cookieHeader(origin) } });
      this.#keep(origin, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider returned ${response.status}: ${await response.text()}`);
      url = new URL(location, url).href;
    }
    return url.slice(this.#app.url.length);
  }

  cookie(name: string): string | undefined {
    return this.#jars.get(this.#app.url)?.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#keep(this.#app.url, [`${name}=${value}`]);
  }

  cookieHeader(origin: string): string {
    return [...(this.#jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(origin: string, headers: readonly string[]): void {
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    for (const header of headers) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '' || /max-age=0/i.test(header)) jar.delete(name);
      else jar.set(name, value);
    }
  }
}
