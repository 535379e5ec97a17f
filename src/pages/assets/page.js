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

/*
 * What was typed into other forms of a page stays when one of them is sent, and when a link leads to the same page: a note, while a draft
 * is edited. The next page that the tab opens gets it if it is the same page, or drops it.
 */

const KEPT = 'typed';

/** Null where the viewer's browser refuses storage. */
const storage = (() => {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
})();

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */
/** @typedef {[form: string, contents: [control: string, content: string][]]} KeptForm */

/** Controls whose content is kept: also values that others may have changed, which the server compares. */
const CONTROLS =
  'textarea[name], select[name], [name^="expected."], input[name]:not([type=file], [type=password], [type=hidden])';

/** What a form contains that its viewer does not see, and that differs between two responses. */
const MACHINE_FIELDS = ['csrf', 'once', 'check'];

/** The forms that the server reads, by what they carry, with their controls by name and place. */
function postForms() {
  return [...document.forms].flatMap((form) => {
    const hidden = /** @type {HTMLInputElement[]} */ (
      [...form.elements].filter((each) => each.matches('[type=hidden]'))
    );
    if (!hidden.some(({ name }) => name === 'form')) return [];
    const carried = hidden.filter(({ name }) => !MACHINE_FIELDS.includes(name) && !name.startsWith('expected.'));
    const controls = /** @type {Control[]} */ ([...form.elements].filter((each) => each.matches(CONTROLS)));
    return [{ form, key: JSON.stringify(carried.map(({ name, value }) => [name, value])), controls: byName(controls) }];
  });
}

/** @param {Control[]} controls */
function byName(controls) {
  const found = /** @type {Map<string, Control>} */ (new Map());
  for (const control of controls) {
    const same = [...found.values()].filter(({ name }) => name === control.name);
    found.set(`${control.name} ${isBox(control) ? control.value : same.length}`, control);
  }
  return found;
}

/**
 * @param {Control} control
 * @returns {control is HTMLInputElement}
 */
const isBox = (control) => ['checkbox', 'radio'].includes(control.type);

/**
 * The content of a control: its value, or of a box whether it is checked. `made`: as the server made it.
 * @param {Control} control
 */
function contentOf(control, made = false) {
  if (control instanceof HTMLSelectElement) {
    const first = [...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0];
    return made ? (first?.value ?? '') : control.value;
  }
  if (isBox(control)) return String(made ? control.defaultChecked : control.checked);
  return made ? control.defaultValue : control.value;
}

/**
 * Puts what was typed into a control, and opens what hides it.
 * @param {Control} control
 * @param {string} content
 */
function fill(control, content) {
  if (contentOf(control) === content) return;
  if (isBox(control)) control.checked = content === 'true';
  else control.value = content;
  for (let outer = control.closest('details'); outer !== null; outer = outer.parentElement?.closest('details') ?? null)
    outer.open = true;
}

/** @type {EventTarget | null} */
let sent = null;
addEventListener('submit', (event) => {
  sent = event.defaultPrevented ? null : event.target;
});
addEventListener('pagehide', () => {
  const forms = postForms().flatMap(({ form, key, controls }) => {
    const isChanged = [...controls.values()].some((each) => contentOf(each) !== contentOf(each, true));
    if (form === sent || !isChanged) return [];
    return [[key, [...controls].map(([name, control]) => [name, contentOf(control)])]];
  });
  if (forms.length > 0) storage?.setItem(KEPT, JSON.stringify({ path: location.pathname, forms }));
});

/** Fills the forms of this page in. Those that a page lacks, because it refuses another one, are kept for the next. */
function restore() {
  /** @type {{ path: string, forms: KeptForm[] }} */
  const { path, forms } = JSON.parse(storage?.getItem(KEPT) ?? '{"forms":[]}');
  storage?.removeItem(KEPT);
  if (path !== location.pathname) return;
  const shown = new Map(postForms().map(({ key, controls }) => [key, controls]));
  for (const [key, contents] of forms) {
    for (const [name, content] of contents) {
      const control = shown.get(key)?.get(name);
      if (control !== undefined) fill(control, content);
    }
  }
  const rest = forms.filter(([key]) => !shown.has(key));
  if (rest.length > 0) storage?.setItem(KEPT, JSON.stringify({ path, forms: rest }));
}

restore();

// The link for a comment on a line leads here: its field is what is used next.
if (new URLSearchParams(location.search).has('comment')) {
  const focusField = () =>
    /** @type {HTMLElement | null} */ (document.querySelector('#line-comment textarea'))?.focus();
  // The browser takes the focus away when it scrolls to the fragment, which it does in the first frame.
  addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(focusField)));
}

/* A link that leaves a form behind a summary folds it instead, and the focus returns to the summary. */
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-closes-details]') : null;
  const details = link?.closest('details');
  if (details == null) return;
  event.preventDefault();
  details.open = false;
  details.querySelector('summary')?.focus();
});
