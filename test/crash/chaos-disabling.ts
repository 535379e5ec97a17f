import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, type HttpResponse, NoResponseError } from './support/http-exchange.ts';

/** A public add-on that is disabled and enabled while anonymous clients read it. */
export interface WatchedAddon {
  id: string;
  slug: string;
}

export interface DisablingOptions {
  urls: readonly string[];
  /** Returns a new access token of an operator: disabling needs one of the last 15 minutes. */
  signIn: () => Promise<string>;
  addon: WatchedAddon;
  stop: AbortSignal;
  problems: string[];
}

const HOLD_MS = 1_000;
/** Age from which a token is replaced. */
const SIGN_IN_MS = 600_000;
const TIMEOUT_MS = 20_000;
const pause = () => sleep(20 + Math.random() * 30);

/** Set from the acknowledgement of a disabling until the next enabling is sent. */
interface State {
  disabledSince: number | null;
}

/** Disables and enables the add-on and reads it through every server. Returns the numbers of disablings and reads. */
export async function watchDisabling(options: DisablingOptions): Promise<{ changes: number; reads: number }> {
  const state: State = { disabledSince: null };
  const [changes, ...reads] = await Promise.all([
    toggle(options, state),
    ...options.urls.flatMap((url) => [readRest(options, url, state), readGraphql(options, url, state)]),
  ]);
  return { changes, reads: reads.reduce((sum, count) => sum + count, 0) };
}

async function toggle(options: DisablingOptions, state: State): Promise<number> {
  let changes = 0;
  let token = await options.signIn();
  let signedIn = performance.now();
  while (!options.stop.aborted) {
    if (performance.now() - signedIn > SIGN_IN_MS) {
      token = await options.signIn();
      signedIn = performance.now();
    }
    if (!(await setDisabled(options, token, true))) break;
    state.disabledSince = performance.now();
    await sleep(HOLD_MS);
    state.disabledSince = null;
    if (await setDisabled(options, token, false)) changes++;
    await sleep(HOLD_MS);
  }
  return changes;
}

/** Sends the change to one server after the other until one acknowledges it. False when the load stopped before. */
async function setDisabled(
  { urls, addon, stop }: DisablingOptions,
  token: string,
  disabled: boolean,
): Promise<boolean> {
  const query = `mutation { setAddonDisabled(input: {id: "${addon.id}", by: OPERATOR, isDisabled: ${disabled}}) { __typename } }`;
  for (let turn = 0; !stop.aborted; turn++) {
    const response = await send('POST', `${urls[turn % urls.length]}/graphql`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ query })),
    });
    if (response?.status === 200 && response.body.includes('SetAddonDisabledPayload')) return true;
    await pause();
  }
  return false;
}

/** Reads the detail, with the newest ETag, as a cache does. */
async function readRest(options: DisablingOptions, url: string, state: State): Promise<number> {
  let reads = 0;
  let etag = '';
  while (!options.stop.aborted) {
    const began = performance.now();
    const headers: Record<string, string> = etag === '' || reads % 2 === 0 ? {} : { 'if-none-match': etag };
    const response = await send('GET', `${url}/api/v4/addons/addon/${options.addon.slug}/`, { headers });
    if (response !== null) {
      reads++;
      etag = response.headers.etag ?? etag;
      const isPublic = response.status === 200 || response.status === 304;
      if (isPublic && isStale(state, began))
        options.problems.push(`REST responded ${response.status} after a disabling`);
    }
    await pause();
  }
  return reads;
}

async function readGraphql(options: DisablingOptions, url: string, state: State): Promise<number> {
  const body = Buffer.from(JSON.stringify({ query: `{ addon(by: { slug: "${options.addon.slug}" }) { slug } }` }));
  let reads = 0;
  while (!options.stop.aborted) {
    const began = performance.now();
    const response = await send('POST', `${url}/graphql`, { headers: { 'content-type': 'application/json' }, body });
    if (response !== null) {
      reads++;
      const isPublic = response.body.includes(`"slug":"${options.addon.slug}"`);
      if (isPublic && isStale(state, began)) options.problems.push('GraphQL returned the add-on after a disabling');
    }
    await pause();
  }
  return reads;
}

/** Whether the add-on was disabled from before a request was sent until now. */
function isStale({ disabledSince }: State, began: number): boolean {
  return disabledSince !== null && disabledSince < began;
}

async function send(
  method: string,
  url: string,
  message: { headers: Record<string, string>; body?: Buffer },
): Promise<HttpResponse | null> {
  try {
    return await exchange({ method, url, ...message, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    if (error instanceof NoResponseError) return null;
    throw error;
  }
}
