/*
 * Loaded into a tool by `node --import`: sends its requests to the vendor's service, the only address that it contains, to the
 * address in SERVICE_URL.
 */
const VENDOR = 'https://addons.mozilla.org';

const { fetch: originalFetch } = globalThis;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.origin !== VENDOR) throw new Error(`unexpected request to ${url.origin}`);
  return originalFetch(process.env['SERVICE_URL'] + url.pathname + url.search, init);
};
