/*
 * Keys of the pages for reviewers: each moves the focus or follows a link of the page, and none sends a form. They work outside of
 * fields that take letters and without modifiers. The list of keys is a dialog of the page, which has the switch that turns them off.
 */

/** Time between the keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_500;

/** @param {string} selector */
const all = (selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);

/** @param {string} selector */
const follow = (selector) => all(selector)[0]?.click();

const CONTROLS = 'a, button, summary, input:not([type=hidden])';

/**
 * Focuses the element, or the first control in it. Opens what it is folded in.
 * @param {HTMLElement | undefined} element
 */
function focusOn(element) {
  if (element === undefined) return;
  for (let fold = closedAround(element); fold; fold = closedAround(fold)) fold.open = true;
  const controls = /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(CONTROLS));
  const control = element.matches(CONTROLS) ? element : [...controls].find((each) => each.checkVisibility());
  if (control === undefined) element.tabIndex = -1;
  (control ?? element).focus();
  element.scrollIntoView({ block: 'center' });
}

/** @param {HTMLElement} element */
const closedAround = (element) =>
  /** @type {HTMLDetailsElement | null | undefined} */ (element.parentElement?.closest('details:not([open])'));

/**
 * Focuses the next or the previous of some elements, seen from the focus; without one, from the file or the line that the page shows.
 * @param {HTMLElement[]} elements
 * @param {1 | -1} step
 */
function move(elements, step) {
  const { activeElement, body } = document;
  const hasFocus = activeElement !== null && activeElement !== body;
  const shown = elements.find((each) => each.matches('[aria-current]')) ?? document.querySelector(':target');
  const origin = hasFocus ? activeElement : (shown ?? body);
  const isBeyond = (/** @type {HTMLElement} */ element) => {
    if (element.contains(origin)) return false;
    const isAfter = (origin.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return isAfter === (step === 1);
  };
  const beyond = elements.filter(isBeyond);
  focusOn(step === 1 ? beyond[0] : beyond.at(-1));
}

/** Files, and entries of the queue. */
const FILES = [
  '.file-tree a:not(.badge)',
  'main table:not(.code-table table) :is(a[href*="/files/"], a[href*="/compare/"]):not(.badge)',
  'main .link-list a[href*="/compare/"]',
  '[aria-labelledby=queue] a[href^="/reviewers/review/"]',
].join();
const MESSAGES = '.message-list > li, .line-comment';

/** The first line of each change. */
const changes = () =>
  all('.code-table tr:is(.inserted, .deleted)').filter((row) => !lineBefore(row)?.matches('.inserted, .deleted'));

/**
 * The row of the line before a row, without notes.
 * @param {Element} row
 */
function lineBefore(row) {
  let before = row.previousElementSibling;
  while (before?.matches('.code-note')) before = before.previousElementSibling;
  return before;
}

/**
 * Follows the link for a comment on the line with the focus, or else on that of the fragment. A deleted line has none: there it is that of the
 * line after it, and at the end of the file that of the line before.
 */
function comment() {
  let row = document.activeElement?.closest('.code-table tr') ?? document.querySelector('.code-table tr:target');
  if (row?.matches('.code-note')) row = lineBefore(row);
  if (row == null) return;
  const links = /** @type {HTMLElement[]} */ ([...(row.parentElement?.querySelectorAll('.code-action a') ?? [])]);
  const { DOCUMENT_POSITION_FOLLOWING } = Node;
  const isHereOrAfter = (/** @type {HTMLElement} */ link) =>
    row.contains(link) || (row.compareDocumentPosition(link) & DOCUMENT_POSITION_FOLLOWING) !== 0;
  (links.find(isHereOrAfter) ?? links.at(-1))?.click();
}

/** The choices of the decision; on pages without them, the link to the page that has them. */
function decide() {
  const choice = all('form#review-decision [name=decision]')[0];
  if (choice === undefined) follow('[data-key=d]');
  else focusOn(choice);
}

/** What each key does. @type {Record<string, () => void>} */
const ACTIONS = {
  j: () => move(all(FILES), 1),
  k: () => move(all(FILES), -1),
  n: () => move(changes(), 1),
  p: () => move(changes(), -1),
  m: () => move(all(MESSAGES), 1),
  M: () => move(all(MESSAGES), -1),
  t: () => focusOn(all('.file-tree')[0] ?? all('main .link-list')[0]),
  d: decide,
  c: comment,
  '?': () => /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog.shortcuts'))?.showModal(),
  'g q': () => follow('[data-key="g q"]'),
  'g n': () => follow('[data-key="g n"]'),
};

/** Where keys are not those of this script: fields that take letters, and the list of keys. */
const TYPED = 'input:not([type=radio], [type=checkbox]), select, textarea, dialog, [contenteditable]';

/** The first key of a sequence, and when it was pressed. */
let first = { key: '', at: 0 };

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (target instanceof Element && target.closest(TYPED)) return;
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
