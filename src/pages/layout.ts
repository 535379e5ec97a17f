import { html } from 'hono/html';
import { config } from '../config.ts';
import { notice } from './components/notice.ts';
import { hasKeys, shortcutList } from './components/shortcuts.ts';
import { head } from './head.ts';
import type { Html } from './html.ts';
import type { Content } from './page.ts';
import { siteFooter } from './site/footer.ts';
import { siteHeader, type Waiting } from './site/header.ts';
import { isTextKey } from './texts.ts';
import type { Ui } from './ui.ts';

/** The whole document of a page. `waiting` is what waits for a viewer who is staff. */
export async function layout(ui: Ui, content: Content, waiting: Waiting | null): Promise<string> {
  const { language, direction, theme, t } = ui;
  const document = html`<!doctype html>
<html lang="${language}" dir="${direction}"${theme === null ? '' : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${content.title} – ${config.SITE_NAME}</title>
${head(ui, content)}
</head>
<body>
<a class="skip-link" href="#main">${t('site.skip')}</a>
${siteHeader(ui, content.section, waiting)}
<main id="main" tabindex="-1" data-live>
${doneNotice(ui)}
${content.main}
</main>
${siteFooter(ui)}
${hasKeys(ui) && shortcutList(ui)}
</body>
</html>
`;
  return String(await document);
}

/** What the form before this page did: the text `done.<code>` of the parameter `done`. */
function doneNotice(ui: Ui): Html {
  const code = new URL(ui.path, 'http://localhost').searchParams.get('done');
  const key = `done.${code}`;
  if (code === null || !isTextKey(key)) return html``;
  return notice(ui, { kind: 'ok', text: ui.t(key), isResult: true });
}
