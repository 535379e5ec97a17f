/*
 * Suggestions below a search field with `data-suggest="<address>"`: a combobox (ARIA Authoring Practices, list autocomplete with manual
 * selection) over the list of links that the server renders. Enter without a choice searches.
 */
import { parsePage } from './swap.js';

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
