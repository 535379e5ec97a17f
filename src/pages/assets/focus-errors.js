/* Moves the focus to the summary of errors of a refused form, which screen readers then read. */
/** @type {HTMLElement | null} */ (document.querySelector('.error-summary'))?.focus();
