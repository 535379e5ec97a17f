/*
 * Follows a process: an element with an id and `data-events="<address of events>"` is fetched again after each event, or every few
 * seconds without an address, until the server renders it without that attribute.
 */
import { parsePage, swapRegion } from './page.js';

/** Between two requests where the server sends no events, in milliseconds. */
const POLL_INTERVAL = 4000;

/** @param {HTMLElement} region */
function follow(region) {
  const { id } = region;
  const source = new EventSource(region.dataset['events'] ?? '');
  let isLoading = false;
  let isOutdated = false;

  const refresh = async () => {
    isOutdated = isLoading;
    if (isLoading) return;
    isLoading = true;
    const [moving] = await fetchRegions([id]);
    isLoading = false;
    if (moving === undefined) source.close();
    else if (isOutdated) await refresh();
  };

  source.addEventListener('message', refresh);
  source.addEventListener('error', () => {
    // The browser connects again unless the server refused.
    if (source.readyState === EventSource.CLOSED) poll([id]);
  });
}

/** @param {string[]} ids */
async function poll(ids) {
  await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  const moving = await fetchRegions(ids);
  if (moving.length > 0) await poll(moving);
}

/**
 * Fetches the page once for all these elements.
 * @param {string[]} ids
 * @returns {Promise<string[]>} the ids of those whose process still moves.
 */
async function fetchRegions(ids) {
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (!response.ok) return response.status >= 500 || response.status === 429 ? ids : [];
    const page = parsePage(await response.text());
    return ids.filter((id) => swapRegion(id, page)?.hasAttribute('data-events') === true);
  } catch {
    return ids;
  }
}

const polled = [];
for (const region of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-events]'))) {
  if (region.dataset['events'] === '') polled.push(region.id);
  else follow(region);
}
if (polled.length > 0) poll(polled);
