import { html } from 'hono/html';
import { LANGUAGES } from '../../texts/languages.ts';
import { csrfField } from '../components/form.ts';
import { withoutDone } from '../form.ts';
import type { Html } from '../html.ts';
import type { PageTextKey } from '../texts.ts';
import { THEMES, type Ui } from '../ui.ts';

/** The names of the languages of the interface, each in itself. */
const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch', he: 'עברית' } as const;

const LINKS: readonly { href: string; text: PageTextKey }[] = [
  { href: '/about/', text: 'site.about' },
  { href: '/docs/', text: 'docs.title' },
  { href: '/docs/install/', text: 'site.install-help' },
  { href: '/docs/accessibility/', text: 'docs.accessibility.title' },
  { href: '/categories/', text: 'catalogue.categories' },
  { href: '/signing/', text: 'signing.title' },
  { href: '/graphql', text: 'docs.graphql.title' },
];

/** The end of every page: the preferences and the links of the site. */
export function siteFooter(ui: Ui): Html {
  const { t } = ui;
  return html`<footer class="site-footer">
<nav aria-label="${t('site.more')}"><ul>
${LINKS.map(({ href, text }) => html`<li><a href="${href}">${t(text)}</a></li>`)}
</ul></nav>
<form class="site-preferences" method="post" action="/preferences/">
<input type="hidden" name="form" value="preferences">
${csrfField(ui)}
<input type="hidden" name="next" value="${withoutDone(ui.path)}">
<label>${t('ui.language')} ${languageSelect(ui)}</label>
<label>${t('site.theme')} ${themeSelect(ui)}</label>
${
  ui.viewer?.opensQueue === true &&
  html`<label>${t('site.shortcuts')} ${shortcutsSelect(ui)}</label>
`
}<button>${t('ui.save')}</button>
</form>
</footer>`;
}

const option = (value: string, text: string | Html, isSelected: boolean, lang?: string): Html =>
  html`<option value="${value}"${lang ? html` lang="${lang}"` : ''}${isSelected ? html` selected` : ''}>${text}</option>`;

const languageSelect = ({ language }: Ui): Html =>
  html`<select name="language">${LANGUAGES.map((each) => option(each, LANGUAGE_NAMES[each], each === language, each))}</select>`;

const themeSelect = ({ theme, t }: Ui): Html =>
  html`<select name="theme">${option('', t('site.theme-system'), theme === null)}${THEMES.map((each) =>
    option(each, t(`site.theme-${each}`), each === theme),
  )}</select>`;

const shortcutsSelect = ({ hasShortcuts, t }: Ui): Html =>
  html`<select name="shortcuts">${option('', t('site.shortcuts-on'), hasShortcuts)}${option('off', t('site.shortcuts-off'), !hasShortcuts)}</select>`;
