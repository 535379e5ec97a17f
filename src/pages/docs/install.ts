import { html } from 'hono/html';
import { config } from '../../config.ts';
import { dataTable } from '../components/data-table.ts';
import { installability, PROGRAM_KINDS } from '../components/install-link.ts';
import { code } from '../html.ts';
import type { Ui } from '../ui.ts';
import { commandBlock, helpPage, pointList, stepList } from './article.ts';

const SIGNATURES_PREFERENCE = 'xpinstall.signatures.required';
const UPDATE_PREFERENCE = 'extensions.update.url';

/** How to install an add-on, the root certificate, and how to undo both. */
export const installHelpPage = helpPage({
  path: '/docs/install/',
  intro: 'docs.install.intro',
  body: (ui) => {
    const { t } = ui;
    return html`<h2 id="programs">${t('docs.install.programs')}</h2>
${programs(ui)}
<p>${t('docs.install.operator', { command: code('addons policies') })}</p>
${commandBlock(`npx addons policies --base ${config.BASE_URL} --allow-unsigned > policies.json`)}
<h2 id="browser">${t('docs.install.browser')}</h2>
${stepList([t('docs.install.browser-open'), t('docs.install.browser-confirm'), t('docs.install.browser-done')])}
<p>${t('docs.install.updates')}</p>
<h2 id="mail">${t('docs.install.mail')}</h2>
${stepList([t('docs.install.mail-save'), t('docs.install.mail-open'), t('docs.install.mail-confirm')])}
<h2 id="root">${t('docs.install.root')}</h2>
<p>${t('docs.install.root-what')}</p>
<p><a href="/signing/root.pem" download>${t('signing.download-root')}</a> · <a href="/signing/">${t('docs.install.root-fingerprints')}</a></p>
<h3>${t('docs.install.why')}</h3>
<p>${t('docs.install.why-text')}</p>
<h2 id="check">${t('docs.install.check')}</h2>
${pointList([
  t('docs.install.check-policies', { page: code('about:policies') }),
  t('docs.install.check-address', { page: code('about:config'), preference: code(UPDATE_PREFERENCE) }),
])}
<h2 id="undo">${t('docs.install.undo')}</h2>
${stepList([
  t('docs.install.undo-addon', { page: code('about:addons') }),
  t('docs.install.undo-preference', { preference: code(SIGNATURES_PREFERENCE), page: code('about:config') }),
  t('docs.install.undo-policies', { file: code('policies.json') }),
])}
<h2 id="problems">${t('docs.install.problems')}</h2>
${pointList([t('docs.install.problem-corrupt'), t('docs.install.problem-saved'), t('docs.install.problem-version')])}`;
  },
});

/** What each kind of program does with a file of this site, and what is to do. */
function programs(ui: Ui) {
  const { t } = ui;
  const preference = code(SIGNATURES_PREFERENCE);
  return dataTable(ui, {
    id: 'programs-table',
    caption: t('docs.install.programs-caption'),
    isCaptionHidden: true,
    columns: ['docs.install.program', 'docs.install.program-does', 'docs.install.program-do'],
    rows: PROGRAM_KINDS.map((program) => {
      const { name, does } = installability(ui, program);
      return [name, does, t(`install.${program}.do`, { preference })];
    }),
  });
}
