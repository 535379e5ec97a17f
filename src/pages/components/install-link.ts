import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

interface InstallLink {
  /** The package of the newest version; sizes in bytes. */
  file: { url: string; size: number };
  /** What the add-on is called, for the text of the link. */
  label: Html | string;
  /** Page of the agreement that users must accept first; null without one. */
  eulaHref: string | null;
  /** The applications that it works with; an empty list means all. */
  apps: readonly { app: string; min: string; max: string }[];
}

/** Type of packages that browsers install from a link. */
const INSTALLABLE = 'application/x-xpinstall';

/** Address of the page that explains the root certificate. */
const INSTALL_HELP = '/docs/install/';

/** The link that installs an add-on, the same for every browser, and how to install. `install.js` adds whether it fits the browser. */
export function installLink(ui: Ui, { file, label, eulaHref, apps }: InstallLink): Html {
  const link =
    eulaHref === null
      ? html`<a class="button primary" href="${withParameter(file.url, 'src', 'addondetail')}" type="${INSTALLABLE}">${icon(ui, 'download')}${label}</a>`
      : html`<a class="button primary" href="${eulaHref}">${icon(ui, 'download')}${label}</a>`;
  return html`<div class="install-link" data-install data-apps="${JSON.stringify(apps)}">
${link}
<p class="muted">${ui.format.bytes(file.size)}</p>
<div role="status">
<p class="works" data-state="works" hidden>${icon(ui, 'check')}${ui.t('ui.install.works')}</p>
<p class="old" data-state="old" hidden>${icon(ui, 'warning')}${ui.t('ui.install.old')}</p>
<p class="other" data-state="other" hidden>${icon(ui, 'info')}${ui.t('ui.install.other')}</p>
</div>
<details>
<summary>${ui.t('ui.install.how')}</summary>
<ul>
<li>${ui.t('ui.install.how.browser')}</li>
<li>${ui.t('ui.install.how.file', { link: html`<a href="${withParameter(file.url, 'download', '1')}">${ui.t('ui.install.how.file.link')}</a>` })}</li>
<li>${ui.t('ui.install.how.root', { link: html`<a href="${INSTALL_HELP}">${ui.t('ui.install.how.root.link')}</a>` })}</li>
</ul>
</details>
</div>`;
}

function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}
