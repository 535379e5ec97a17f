import { html } from 'hono/html';
import { wrapLink } from '../../auth/outgoing-links.ts';
import { config } from '../../config.ts';
import { facts } from '../components/facts.ts';
import { type PageRow, page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { contactAddress, contactLink } from './operator.ts';

/** The operator, how to reach them, what the service stores. */
export const aboutPage = page({
  path: '/about/',
  visitor: 'all',
  view: (_data, _input, ui) => {
    const { t } = ui;
    return {
      title: t('about.title', { site: config.SITE_NAME }),
      description: String(t('about.lead', { site: config.SITE_NAME })),
      canonical: '/about/',
      main: html`<div class="prose">
<h1>${t('about.title', { site: config.SITE_NAME })}</h1>
<p class="lead">${t('about.lead', { site: config.SITE_NAME })}</p>
<h2 id="operator">${t('about.operator')}</h2>
${operator(ui)}
<h2 id="problems">${t('ui.report-problem')}</h2>
<ul>
<li>${t('about.problem-addon', { link: html`<a href="/report/">${t('about.problem-addon.link')}</a>` })}</li>
<li>${t('about.problem-install', { link: html`<a href="/docs/install/">${t('docs.install.title')}</a>` })}</li>
${securityContact() !== undefined && html`<li>${t('about.problem-security', { contact: contactLink(securityContact() ?? '') })}</li>`}
</ul>
<h2 id="privacy">${t('about.privacy')}</h2>
<p>${t('about.privacy-lead')}</p>
<ul>
${(['visits', 'cookies', 'counts', 'accounts', 'reports'] as const).map((each) => html`<li>${t(`about.privacy-${each}`)}</li>`)}
<li>${t('about.privacy-own-data', { link: html`<a href="/account/">${t('about.privacy-own-data.link')}</a>` })}</li></ul>
<h2 id="retention">${t('about.kept')}</h2>
<p>${t('about.kept-lead')}</p>
${periods(ui)}
${config.PRIVACY_URL !== undefined && html`<p><a href="${wrapLink(config.PRIVACY_URL)}">${t('about.privacy-policy')}</a></p>`}
</div>`,
    };
  },
});

/** How long each kind of data is kept, by the settings. */
function periods(ui: Ui) {
  const { t } = ui;
  const days = {
    'about.kept-tokens': config.TOKEN_RETENTION_DAYS,
    'about.kept-mails': config.MAIL_RETENTION_DAYS,
    'about.kept-reports': config.REPORT_RETENTION_DAYS,
    'about.kept-uploads': config.UPLOAD_RETENTION_DAYS,
    'about.kept-checks': config.UPDATE_CHECK_RETENTION_DAYS,
    'about.kept-downloads': config.DOWNLOAD_RETENTION_DAYS,
    'about.kept-statistics': config.STATISTICS_RETENTION_DAYS,
  } as const;
  const terms = Object.keys(days) as (keyof typeof days)[];
  return facts(ui, {
    items: [
      ...terms.map((key) => ({ term: t(key), value: t('about.kept-days', { count: days[key] }) })),
      { term: t('about.kept-log'), value: t('about.kept-for-ever') },
    ],
  });
}

function operator(ui: Ui) {
  const { OPERATOR_NAME = config.SITE_NAME, OPERATOR_CONTACT: contact, IMPRINT_URL: imprint } = config;
  const { t } = ui;
  return facts(ui, {
    items: [
      { term: t('about.name'), value: html`<bdi>${OPERATOR_NAME}</bdi>` },
      { term: t('about.contact'), value: contact === undefined ? t('about.no-contact') : contactLink(contact) },
      {
        term: t('about.imprint'),
        value: imprint === undefined ? null : html`<a href="${wrapLink(imprint)}"><bdi dir="ltr">${imprint}</bdi></a>`,
      },
    ],
  });
}

const securityContact = (): string | undefined => config.SECURITY_CONTACT ?? config.OPERATOR_CONTACT;

/** How long the file is valid; it is made for each request, by the day. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

/** How to report security problems (RFC 9116). There is none without a contact. */
export const securityTextPage: PageRow = page({
  path: '/.well-known/security.txt',
  visitor: 'all',
  view: () => {
    const contact = securityContact();
    if (contact === undefined) return null;
    const expires = new Date((Math.floor(Date.now() / DAY_MS) + VALID_DAYS) * DAY_MS);
    return {
      kind: 'file',
      contentType: 'text/plain; charset=utf-8',
      text: [
        `Contact: ${contactAddress(contact)}`,
        `Expires: ${expires.toISOString()}`,
        'Preferred-Languages: en, de, he',
        `Canonical: ${config.BASE_URL}/.well-known/security.txt`,
        '',
      ].join('\n'),
    };
  },
});
