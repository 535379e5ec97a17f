/*
 * Next to an install link: whether the add-on is made for this browser. The link is the same for every browser that it is made for; other
 * programs get a plain download.
 */

/**
 * Product tokens in `User-Agent`, the special ones first: the browser for phones names the system next to that of the desktop browser.
 * @type {readonly (readonly [app: string, token: RegExp])[]}
 */
const PRODUCTS = [
  ['MAIL_CLIENT', /Thunderbird\/(\d+)/],
  ['SUITE_APP', /SeaMonkey\/(\d+)/],
  ['MOBILE_BROWSER', /Android.*Firefox\/(\d+)/],
  ['DESKTOP_BROWSER', /Firefox\/(\d+)/],
];

/** @param {string} userAgent */
function productOf(userAgent) {
  for (const [app, token] of PRODUCTS) {
    const version = token.exec(userAgent)?.[1];
    if (version !== undefined) return { app, version: Number(version) };
  }
  return null;
}

/**
 * @param {{ app: string, min: string, max: string }[]} ranges An empty list means all applications.
 * @param {ReturnType<typeof productOf>} product
 */
function stateOf(ranges, product) {
  if (product === null) return 'other';
  const fits = product.app === 'MAIL_CLIENT' ? 'mail' : 'fits';
  if (ranges.length === 0) return fits;
  const range = ranges.find(({ app }) => app === product.app);
  if (range === undefined) return 'other';
  if (product.version < Number.parseInt(range.min, 10)) return 'old';
  return product.version > Number.parseInt(range.max, 10) ? 'other' : fits;
}

/** @param {HTMLElement} element */
function offerDownload(element) {
  const { saved = '', save = '' } = element.dataset;
  const button = element.querySelector('a.primary');
  if (button === null) return;
  button.setAttribute('href', saved);
  button.removeAttribute('type');
  button.classList.remove('primary');
  const label = button.querySelector('span');
  if (label !== null) label.textContent = save;
}

for (const element of document.querySelectorAll('[data-install]')) {
  const box = /** @type {HTMLElement} */ (element);
  const state = stateOf(JSON.parse(box.dataset['apps'] ?? '[]'), productOf(navigator.userAgent));
  box.querySelector(`[data-state="${state}"]`)?.removeAttribute('hidden');
  if (state === 'other') offerDownload(box);
}
