/* The script of every page: parts of pages that the server rendered, and suggestions of search fields. */

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

/*
 * Suggestions below a search field with `data-suggest="<address>"`: a combobox (ARIA Authoring Practices, list autocomplete with manual
 * selection) over the list of links that the server renders. Enter without a choice searches.
 */

const DELAY = 150;
const SHORTEST = 2;

/** @param {HTMLInputElement} input */
function enhance(input) {
  const list = document.createElement('ul');
  list.id = `${input.id}-suggestions`;
  list.className = 'suggestions';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', input.labels?.[0]?.textContent ?? input.getAttribute('aria-label') ?? '');
  input.after(list);
  for (const [name, value] of Object.entries({
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
    'aria-expanded': 'false',
  })) {
    input.setAttribute(name, value);
  }
  const box = combobox(input, list);
  let timer = 0;
  let request = new AbortController();
  input.addEventListener('input', () => {
    clearTimeout(timer);
    request.abort();
    if (input.value.trim().length < SHORTEST) return box.close();
    request = new AbortController();
    const { signal } = request;
    timer = window.setTimeout(() => load(input, signal).then(box.show, () => {}), DELAY);
  });
  input.addEventListener('keydown', box.press);
  // The field keeps the focus while a suggestion is pressed, however long.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  input.addEventListener('blur', () => setTimeout(box.close, DELAY));
}

/**
 * @param {HTMLInputElement} input
 * @param {AbortSignal} signal
 * @returns {Promise<Element[]>} the items of the server's list.
 */
async function load(input, signal) {
  const address = new URL(input.dataset['suggest'] ?? '', location.href);
  address.searchParams.set('q', input.value);
  const response = await fetch(address, { signal, headers: { Accept: 'text/html' } });
  if (!response.ok) return [];
  return [...parsePage(await response.text()).querySelectorAll('#suggestions > li')];
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 */
function combobox(input, list) {
  let chosen = -1;
  const choose = (/** @type {number} */ index) => {
    chosen = index;
    for (const [place, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(place === index));
    const option = list.children[index];
    if (option === undefined) return input.removeAttribute('aria-activedescendant');
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const toggle = (/** @type {boolean} */ isOpen) => {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    choose(-1);
  };
  const close = () => toggle(false);
  const show = (/** @type {Element[]} */ items) => {
    list.replaceChildren(...items.map((item, index) => optionOf(item, `${list.id}-${index}`)));
    toggle(items.length > 0 && document.activeElement === input);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const count = list.children.length;
    if (list.hidden || event.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown') choose(chosen + 1 < count ? chosen + 1 : -1);
    else if (event.key === 'ArrowUp') choose(chosen === -1 ? count - 1 : chosen - 1);
    else if (event.key === 'Enter' && chosen >= 0) list.children[chosen]?.querySelector('a')?.click();
    else return;
    event.preventDefault();
  };
  return { show, close, press };
}

/**
 * @param {Element} item
 * @param {string} id
 */
function optionOf(item, id) {
  const option = document.adoptNode(item);
  option.id = id;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  option.querySelector('a')?.setAttribute('tabindex', '-1');
  return option;
}

for (const input of document.querySelectorAll('input[data-suggest]')) enhance(/** @type {HTMLInputElement} */ (input));
