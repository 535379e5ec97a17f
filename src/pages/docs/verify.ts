import { html } from 'hono/html';
import { config } from '../../config.ts';
import { code } from '../html.ts';
import { commandBlock, helpPage, pointList } from './article.ts';

/** Three ways to check a file. */
export const verifyPage = helpPage({
  path: '/docs/verify/',
  intro: 'docs.verify.intro',
  body: (ui) => {
    const { t } = ui;
    return html`<h2 id="hash">${t('docs.verify.hash')}</h2>
<p>${t('docs.verify.hash-text')}</p>
<h3>${t('catalogue.platform.LINUX')}</h3>
${commandBlock('sha256sum addon.xpi')}
<h3>${t('catalogue.platform.MAC')}</h3>
${commandBlock('shasum -a 256 addon.xpi')}
<h3>${t('catalogue.platform.WINDOWS')}</h3>
${commandBlock('certutil -hashfile addon.xpi SHA256')}
<h2 id="log">${t('docs.verify.log')}</h2>
<p>${t('docs.verify.log-text')}</p>
<p><a href="/signing/log/">${t('signing.open-log')}</a></p>
<h2 id="signature">${t('docs.verify.signature')}</h2>
<p>${t('docs.verify.signature-text', { command: code('addons verify') })}</p>
${commandBlock(`curl -sSO ${config.BASE_URL}/signing/root.pem\nnpx addons verify addon.xpi --id first@example.org --root root.pem`)}
<p>${t('docs.verify.result')}</p>
<h2 id="failed">${t('docs.verify.failed')}</h2>
${pointList([t('docs.verify.failed-install'), t('docs.verify.failed-again'), t('docs.verify.failed-report')])}`;
  },
});
