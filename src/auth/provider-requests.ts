import type { CustomFetch, ServerMetadata } from 'openid-client';
import { boundedResponse } from '../infra/bounded-body.ts';

/** Limit of one response of a provider, in bytes: many times what metadata, keys and tokens have. */
const MAX_RESPONSE = 1_048_576;

/** `fetch` for requests to providers and issuers, whose responses are read whole. @throws for a longer response. */
export const fetchBounded = async (...[url, options]: Parameters<typeof fetch>): Promise<Response> =>
  boundedResponse(await fetch(url, options), MAX_RESPONSE);

const KEYS_AGE_MS = 300_000;
const REREAD_MS = 60_000;

interface KeySet {
  /** The JSON Web Key Set as the provider sent it. */
  text: string;
  kids: ReadonlySet<unknown>;
  readAt: number;
}

/** The public keys of a provider, read when first needed, after five minutes, and for an unknown key at most once a minute. */
export class ProviderKeys {
  #keys: KeySet | null = null;
  #rereadAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Response> | null = null;

  /** The key set that has the key `kid`, if the provider has it. `fetchKeys` reads it from the provider. */
  async read(kid: string | undefined, fetchKeys: () => Promise<Response>): Promise<Response> {
    const now = performance.now();
    if (this.#keys !== null && this.#reading === null) {
      const isKnown = kid === undefined || this.#keys.kids.has(kid);
      if (isKnown ? now - this.#keys.readAt < KEYS_AGE_MS : now - this.#rereadAt < REREAD_MS) return jsonOf(this.#keys);
      if (!isKnown) this.#rereadAt = now;
    }
    this.#reading ??= this.#fetch(fetchKeys).finally(() => {
      this.#reading = null;
    });
    return (await this.#reading).clone();
  }

  async #fetch(fetchKeys: () => Promise<Response>): Promise<Response> {
    const response = await fetchKeys();
    const text = await response.clone().text();
    const kids = response.ok ? kidsOf(text) : null;
    if (kids !== null) this.#keys = { text, kids, readAt: performance.now() };
    return response;
  }
}

const jsonOf = ({ text }: KeySet): Response => new Response(text, { headers: { 'Content-Type': 'application/json' } });

/** The ids in a key set; null for a text that is none. */
function kidsOf(text: string): ReadonlySet<unknown> | null {
  try {
    const { keys } = JSON.parse(text) as { keys: { kid?: unknown }[] };
    return new Set(keys.map(({ kid }) => kid));
  } catch {
    return null;
  }
}

/** The key id in the header of the ID token of a token response; undefined without one. */
function kidOf(tokenResponse: string): string | undefined {
  try {
    const { id_token: token } = JSON.parse(tokenResponse) as { id_token: string };
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid?: unknown };
    return typeof header.kid === 'string' ? header.kid : undefined;
  } catch {
    return undefined;
  }
}

/** Sends the requests of one sign-in to the provider. */
export class ProviderRequests {
  /** Whether a request got no response, or a status of an outage. */
  isProviderDown = false;
  readonly #metadata: ServerMetadata;
  readonly #keys: ProviderKeys;
  #kid: string | undefined;

  constructor(metadata: ServerMetadata, keys: ProviderKeys) {
    this.#metadata = metadata;
    this.#keys = keys;
  }

  /** As `fetch`, with complete bodies and kept keys. */
  readonly fetch: CustomFetch = async (url, options) => {
    const { jwks_uri: keysUrl, token_endpoint: tokenUrl } = this.#metadata;
    if (keysUrl !== undefined && url === new URL(keysUrl).href) {
      return this.#keys.read(this.#kid, () => this.#send(url, options));
    }
    const response = await this.#send(url, options);
    if (tokenUrl !== undefined && url === new URL(tokenUrl).href) this.#kid = kidOf(await response.clone().text());
    return response;
  };

  async #send(...[url, options]: Parameters<CustomFetch>): Promise<Response> {
    try {
      const response = await fetchBounded(url, options as RequestInit);
      if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`);
      return response;
    } catch (error) {
      this.isProviderDown = true;
      throw error;
    }
  }
}
