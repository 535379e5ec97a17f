/*
 * Keys of the pages for reviewers: each moves the focus or follows a link of the page, and none sends a form. They work outside of
 * fields and without modifiers. The list of keys is a dialog of the page, which has the switch that turns them off.
 */

/** Time between the keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_500;

/** @param {string} selector */
const all = (selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);

/** @param {string} selector */
const follow = (selector) => all(selector)[0]?.click();

/**
 * Focuses the element, or the first control in it.
 * @param {HTMLElement | undefined} element
 */
function focusOn(element) {
  if (element === undefined) return;
  const control = element.matches('a, button, summary, input')
    ? element
    : element.querySelector('a, summary, input:not([type=hidden]), button');
  const target = /** @type {HTMLElement} */ (control ?? element);
  if (control === null) target.tabIndex = -1;
  target.focus();
  target.scrollIntoView({ block: 'center' });
}

/**
 * Focuses the next or the previous of some elements, seen from the focus.
 * @param {HTMLElement[]} elements
 * @param {1 | -1} step
 */
function move(elements, step) {
  const focused = document.activeElement ?? document.body;
  const isBeyond = (/** @type {HTMLElement} */ element) => {
    if (focused === document.body) return step === 1;
    if (element.contains(focused)) return false;
    const isAfter = (focused.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return isAfter === (step === 1);
  };
  const beyond = elements.filter(isBeyond);
  focusOn(step === 1 ? beyond[0] : beyond.at(-1));
}

const FILES =
  '.with-tree > :first-child a, main table a[href*="/files/"], main table a[href*="/compare/"], main .link-list a[href*="/compare/"]';
const MESSAGES = '.message-list > li, .code-note';

/** The first line of each change. */
const changes = () =>
  all('.code-table tr.inserted, .code-table tr.deleted').filter(({ previousElementSibling: before }) => {
    const line = before?.matches('.code-note') ? before.previousElementSibling : before;
    return !line?.matches('.inserted, .deleted');
  });

/** What each key does. @type {Record<string, () => void>} */
const ACTIONS = {
  j: () => move(all(FILES), 1),
  k: () => move(all(FILES), -1),
  n: () => move(changes(), 1),
  p: () => move(changes(), -1),
  m: () => move(all(MESSAGES), 1),
  M: () => move(all(MESSAGES), -1),
  t: () => focusOn(all('.with-tree > :first-child, main .link-list')[0]),
  d: () => focusOn(all('form#review-decision')[0]),
  c: () =>
    /** @type {HTMLElement | null | undefined} */ (
      document.activeElement?.closest('tr')?.querySelector('a[href*="comment="]')
    )?.click(),
  '?': () => /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog.shortcuts'))?.showModal(),
  'g q': () => follow('[data-key="g q"]'),
  'g n': () => follow('[data-key="g n"]'),
};

/** The first key of a sequence, and when it was pressed. */
let first = { key: '', at: 0 };

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (target instanceof Element && target.closest('input, select, textarea, dialog, [contenteditable]')) return;
  const isSequence = first.key !== '' && performance.now() - first.at < SEQUENCE_MS;
  const action = ACTIONS[isSequence ? `${first.key} ${key}` : key];
  first = { key: !isSequence && key === 'g' ? key : '', at: performance.now() };
  if (action === undefined) return;
  event.preventDefault();
  action();
});

for (const button of all('[data-shortcuts]')) {
  button.hidden = false;
  button.addEventListener('click', () => ACTIONS['?']?.());
}
