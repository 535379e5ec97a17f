import { html } from 'hono/html';
import { config } from '../../config.ts';
import { SigningPageDocument, type SigningPageQuery } from '../../generated/operations/graphql.ts';
import { facts } from '../components/facts.ts';
import { icon } from '../components/icon.ts';
import { notice } from '../components/notice.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';

type Root = NonNullable<SigningPageQuery['signingRoot']>;

const ROOT_FILE = '/signing/root.pem';

/** Commands that check a signed file. */
const CHECK = `curl -o root.pem ${config.BASE_URL}${ROOT_FILE}
npx addons verify --root root.pem file.xpi`;

/** How files are signed: the root certificate with its fingerprints, and the way to the log. */
export const signingPage = page({
  path: '/signing/',
  visitor: 'all',
  document: SigningPageDocument,
  variables: () => ({}),
  view: ({ signingRoot }, _input, ui) => {
    const { t } = ui;
    return {
      title: t('signing.title'),
      canonical: '/signing/',
      main: html`<div class="prose"><h1>${t('signing.title')}</h1>
<p>${t('signing.lead')}</p>
<h2>${t('signing.root')}</h2>
${signingRoot === null ? notice(ui, { kind: 'info', text: t('signing.no-root') }) : root(ui, signingRoot)}
<h2>${t('signing.log')}</h2>
<p>${t('signing.log-lead')}</p>
<p><a class="button" href="/signing/log/">${t('signing.open-log')}</a></p>
<h2>${t('signing.check')}</h2>
<p>${t('signing.check-lead')}</p>
<pre dir="ltr" tabindex="0"><code>${CHECK}</code></pre>
</div>`,
    };
  },
});

function root(ui: Ui, { subject, serial, sha256, sha1, validFrom, validTo }: Root): Html {
  const { t, format } = ui;
  return html`<p>${t('signing.root-lead')}</p>
${facts(ui, {
  items: [
    { term: t('signing.subject'), value: html`<bdi dir="ltr">${subject}</bdi>` },
    { term: t('signing.fingerprint', { hash: 'SHA-256' }), value: code(sha256) },
    { term: t('signing.fingerprint', { hash: 'SHA-1' }), value: code(sha1) },
    { term: t('signing.field.serial'), value: code(serial) },
    {
      term: t('signing.valid'),
      value: t('signing.valid-range', { from: format.date(validFrom), to: format.date(validTo) }),
    },
  ],
})}
<p class="cluster"><a class="button primary" href="${ROOT_FILE}">${icon(ui, 'download')}${t('signing.download-root')}</a>
<a href="/docs/install/">${t('signing.how-to-add')}</a></p>`;
}
