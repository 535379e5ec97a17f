import { html } from 'hono/html';
import { safeNextPath } from '../../auth/next-path.ts';
import type { Cookie } from '../../http/cookies.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { choice, textField } from '../fields.ts';
import { form } from '../form.ts';
import { page, redirect } from '../page.ts';
import { LANGUAGE_COOKIE, SHORTCUTS_COOKIE, THEME_COOKIE } from '../page-context.ts';
import { THEMES } from '../ui.ts';

const YEAR_S = 365 * 86_400;

/** A page for browsers that come here by a link: the footer of each page has the form. */
export const preferencesPage = page({
  path: '/preferences/',
  visitor: 'all',
  view: (_data, _input, { t }) => ({
    title: t('preferences.title'),
    robots: 'noindex',
    main: html`<h1>${t('preferences.title')}</h1>
<p>${t('preferences.where')}</p>`,
  }),
});

/** A cookie of a preference; an empty value deletes it. */
const preference = (name: string, value: string): Cookie => ({ name, value, maxAge: value === '' ? 0 : YEAR_S });

export const preferencesForm = form({
  page: preferencesPage,
  name: 'preferences',
  limit: 'page-preferences',
  fields: {
    language: choice(...LANGUAGES),
    theme: choice('', ...THEMES),
    shortcuts: choice('', 'off'),
    next: textField,
  },
  done: (_result, { viewer }, { language, theme, shortcuts, next }) => ({
    ...redirect(withoutLanguage(safeNextPath(next) ?? '/'), 303),
    cookies: [
      preference(LANGUAGE_COOKIE, language),
      preference(THEME_COOKIE, theme),
      ...(viewer?.opensQueue ? [preference(SHORTCUTS_COOKIE, shortcuts)] : []),
    ],
  }),
});

/** The path without the parameter that would override the chosen language. */
function withoutLanguage(path: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.delete('lang');
  return `${url.pathname}${url.search}${url.hash}`;
}
