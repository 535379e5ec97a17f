/*
 * Forms with a file: a drop zone on the label, progress, cancelling. The form is sent as the browser would send it, and the response is
 * shown: the page that it redirects to, or the same form with errors.
 */
import { parsePage, swapContent } from './page.js';

/**
 * @param {HTMLElement} field
 * @returns {{ input: HTMLInputElement, drop: HTMLElement, form: HTMLFormElement } | null}
 */
function partsOf(field) {
  const input = /** @type {HTMLInputElement | null} */ (field.querySelector('input[type=file]'));
  const drop = /** @type {HTMLElement | null} */ (field.querySelector('.file-drop'));
  return input?.form && drop ? { input, drop, form: input.form } : null;
}

/** @param {HTMLElement} field */
function enhance(field) {
  const parts = partsOf(field);
  if (parts === null) return;
  const { input, drop, form } = parts;
  for (const type of ['dragenter', 'dragover']) {
    drop.addEventListener(type, (event) => {
      event.preventDefault();
      drop.classList.add('over');
    });
  }
  for (const type of ['dragleave', 'drop']) drop.addEventListener(type, () => drop.classList.remove('over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files;
    if (files?.length !== 1) return;
    input.files = files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    input.focus();
  });
  form.addEventListener('submit', (event) => {
    if (input.files?.length !== 1) return;
    event.preventDefault();
    send(form, event.submitter, field);
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 * @param {HTMLElement} field
 */
function send(form, submitter, field) {
  const state = /** @type {HTMLElement} */ (field.querySelector('.upload-state'));
  const [bar, cancel] = [state.querySelector('progress'), state.querySelector('button')];
  const request = new XMLHttpRequest();
  request.open('POST', addressOf(form));
  request.setRequestHeader('Accept', 'text/html');
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (bar) bar.value = total > 0 ? (100 * loaded) / total : 0;
  });
  const show = (/** @type {string} */ shown) => {
    for (const text of state.querySelectorAll('[role=status] span'))
      text.toggleAttribute('hidden', !text.hasAttribute(shown));
    state.hidden = false;
    const isSending = shown === 'data-sending';
    bar?.toggleAttribute('hidden', !isSending);
    cancel?.toggleAttribute('hidden', !isSending);
    submitter?.toggleAttribute('disabled', isSending);
    // Hiding the button to cancel would lose the focus.
    if (isSending) cancel?.focus();
    else submitter?.focus();
  };
  request.addEventListener('load', () => showResponse(request, form));
  request.addEventListener('error', () => show('data-failed'));
  request.addEventListener('abort', () => show('data-stopped'));
  cancel?.addEventListener('click', () => request.abort(), { once: true });
  if (bar) bar.value = 0;
  const body = new FormData(form, submitter);
  show('data-sending');
  request.send(body);
}

/**
 * @param {XMLHttpRequest} request
 * @param {HTMLFormElement} form
 */
function showResponse(request, form) {
  // A browser follows the redirect of a successful form by itself.
  if (request.status < 400 && request.responseURL !== addressOf(form)) return location.assign(request.responseURL);
  swapContent(parsePage(request.responseText));
  start();
}

/**
 * Not `form.action`, which a field of that name hides.
 * @param {HTMLFormElement} form
 */
function addressOf(form) {
  const address = new URL(form.getAttribute('action') ?? '', location.href);
  address.hash = '';
  return address.href;
}

function start() {
  for (const field of document.querySelectorAll('[data-upload]')) enhance(/** @type {HTMLElement} */ (field));
}

start();
