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
    const isMoving = await fetchRegion(id);
    isLoading = false;
    if (!isMoving) source.close();
    else if (isOutdated) await refresh();
  };

  source.addEventListener('message', refresh);
  source.addEventListener('error', () => {
    // The browser connects again unless the server refused.
    if (source.readyState === EventSource.CLOSED) poll(id);
  });
}

/** @param {string} id */
async function poll(id) {
  await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  if (await fetchRegion(id)) await poll(id);
}

/**
 * @param {string} id
 * @returns {Promise<boolean>} whether the process still moves.
 */
async function fetchRegion(id) {
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (!response.ok) return response.status >= 500 || response.status === 429;
    return swapRegion(id, parsePage(await response.text()))?.hasAttribute('data-events') === true;
  } catch {
    return true;
  }
}

for (const region of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-events]'))) {
  if (region.dataset['events'] === '') poll(region.id);
  else follow(region);
}
