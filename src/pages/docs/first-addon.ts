import { html } from 'hono/html';
import { config } from '../../config.ts';
import { code } from '../html.ts';
import { commandBlock, helpPage, pointList, stepList } from './article.ts';

const MANIFEST = `{
  "manifest_version": 2,
  "name": "First",
  "version": "1.0",
  "background": { "scripts": ["first.js"] },
  "browser_specific_settings": { "gecko": { "id": "first@example.org" } }
}`;

const signCommand = (): string => `npx --yes web-ext@10 sign --source-dir first --channel unlisted \\
  --amo-base-url ${config.BASE_URL}/api/v5/ \\
  --api-key KEY --api-secret SECRET`;

/** From an empty folder to a signed and published add-on. */
export const firstAddonPage = helpPage({
  path: '/docs/first-addon/',
  intro: 'docs.first.intro',
  body: (ui) => {
    const { t } = ui;
    return html`<h2 id="write">${t('docs.first.write')}</h2>
<p>${t('docs.first.write-text', { folder: code('first'), file: code('manifest.json') })}</p>
${commandBlock(MANIFEST)}
<p>${t('docs.first.script', { file: code('first.js') })}</p>
${commandBlock('console.log("Hello from my first add-on.");')}
<h2 id="browser">${t('docs.first.browser')}</h2>
${stepList([
  html`${t('docs.first.sign-in')} <a href="/login/?next=/developers/submit/">${t('docs.first.sign-in-link')}</a>`,
  t('docs.first.zip', { command: code('cd first && zip -r ../first.xpi .') }),
  html`${t('docs.first.submit')} <a href="/developers/submit/">${t('hub.submit.title')}</a>`,
  t('docs.first.follow'),
  t('docs.first.download'),
])}
<h2 id="command">${t('docs.first.command')}</h2>
<p>${t('docs.first.key')} <a href="/account/keys/">${t('account.keys.title')}</a></p>
${commandBlock(signCommand())}
<p>${t('docs.first.wait')}</p>
<h2 id="publish">${t('docs.first.publish')}</h2>
<p>${t('docs.first.channels')}</p>
${pointList([t('docs.first.unlisted'), t('docs.first.listed')])}
${stepList([
  t('docs.first.listing'),
  t('docs.first.listed-version', { version: code('1.1') }),
  html`${t('docs.first.reviewed')} <a href="/docs/review/">${t('docs.review.title')}</a>`,
])}
<h2 id="next">${t('docs.first.next')}</h2>
${pointList([
  html`<a href="/docs/verify/">${t('docs.verify.title')}</a>`,
  html`<a href="/docs/api/v5/">${t('docs.api.of', { version: code('v5') })}</a>`,
  html`<a href="/graphql">${t('docs.graphql.title')}</a>`,
])}`;
  },
});
