/*
 * Replaces regions of the page with those of a page that the server rendered. Only this file turns text into HTML: it holds the one
 * Trusted Types policy. The server escapes what people wrote.
 */

/**
 * The part of Trusted Types that is used here.
 * @typedef {{ createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string } }} TrustedTypes
 */

const trustedTypes = /** @type {{ trustedTypes?: TrustedTypes }} */ (globalThis).trustedTypes;
const rules = { createHTML: (/** @type {string} */ text) => text };
const policy = trustedTypes?.createPolicy('server-html', rules) ?? rules;

/**
 * Parses a page of this site. Scripts in it never run.
 * @param {string} text
 */
export const parsePage = (text) => new DOMParser().parseFromString(policy.createHTML(text), 'text/html');

/**
 * Replaces the element with the id `id` by that of `page`. Focus and open `<details>` stay where the new region has the same ids.
 * @param {string} id
 * @param {Document} page
 * @returns {Element | null} the new element; null where the page has none.
 */
export function swapRegion(id, page) {
  const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
  if (old === null || fresh === null) return null;
  const focused = old.contains(document.activeElement) ? document.activeElement?.id : '';
  for (const details of old.querySelectorAll('details[id][open]'))
    fresh.querySelector(`#${details.id}`)?.setAttribute('open', '');
  const region = document.adoptNode(fresh);
  old.replaceWith(region);
  if (focused) document.getElementById(focused)?.focus();
  return region;
}

/**
 * Replaces the content and the title of the page, as if the browser had followed a form, and moves the focus to the errors or the top.
 * @param {Document} page
 */
export function swapContent(page) {
  const [old, fresh] = [document.querySelector('main'), page.querySelector('main')];
  if (old === null || fresh === null) return;
  document.title = page.title;
  const region = document.adoptNode(fresh);
  old.replaceWith(region);
  region.tabIndex = -1;
  const target = /** @type {HTMLElement} */ (region.querySelector('.error-summary') ?? region);
  target.focus();
  target.scrollIntoView({ block: 'nearest' });
}
