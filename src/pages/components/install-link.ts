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
  /** The names of these applications, for visitors who use none of them. */
  programs: readonly Html[];
}

/** Type of packages that browsers install from a link. */
const INSTALLABLE = 'application/x-xpinstall';

/** Address of the page that explains the root certificate. */
const INSTALL_HELP = '/docs/install/';

/**
 * The link that installs an add-on, the same for every browser, and how to install. What works in mail clients only is saved: they
 * install from a file. `install.js` adds whether it fits the browser.
 */
export function installLink(ui: Ui, link: InstallLink): Html {
  const { file, label, eulaHref, apps } = link;
  const source = withParameter(file.url, 'src', 'addondetail');
  const isForMail = apps.length > 0 && apps.every(({ app }) => app === MAIL_CLIENT);
  const button =
    eulaHref === null
      ? html`<a class="button primary" href="${isForMail ? withParameter(source, 'download', '1') : source}" type="${INSTALLABLE}">${icon(ui, 'download')}${isForMail ? ui.t('ui.install.save') : label}</a>`
      : html`<a class="button primary" href="${eulaHref}">${icon(ui, 'download')}${label}</a>`;
  return html`<div class="install-link" data-install data-apps="${JSON.stringify(apps)}">
${button}
<p class="muted">${ui.format.bytes(file.size)}</p>
${states(ui, link)}
<details>
<summary>${ui.t('ui.install.how')}</summary>
<ul>
${steps(ui, link, isForMail).map(
  (step) => html`<li>${step}</li>
`,
)}</ul>
</details>
</div>`;
}

const MAIL_CLIENT = 'MAIL_CLIENT';

/** Whether it works in mail clients, at least. */
const isForMailToo = (apps: InstallLink['apps']): boolean =>
  apps.length === 0 || apps.some(({ app }) => app === MAIL_CLIENT);

/** What `install.js` may find out. Each takes its room from the start, so that showing one moves nothing. */
const states = (ui: Ui, { apps, programs }: InstallLink): Html => html`<div role="status">
<p class="works" data-state="works" hidden>${icon(ui, 'check')}${ui.t('ui.install.works')}</p>
${isForMailToo(apps) && html`<p class="works" data-state="mail" hidden>${icon(ui, 'check')}${ui.t('ui.install.mail')}</p>`}
<p class="old" data-state="old" hidden>${icon(ui, 'warning')}${ui.t('ui.install.old')}</p>
<div class="other" data-state="other" hidden>${icon(ui, 'info')}<div>${ui.t('ui.install.other', { count: programs.length })}
<ul class="plain-list">
${programs.map(
  (program) => html`<li>${program}</li>
`,
)}</ul></div></div>
</div>`;

function steps(ui: Ui, { file, apps }: InstallLink, isForMail: boolean): Html[] {
  const save = html`<a href="${withParameter(file.url, 'download', '1')}">${ui.t('ui.install.how.file.link')}</a>`;
  const mail = ui.t('ui.install.how.mail', { link: save });
  if (isForMail) return [mail];
  return [
    ui.t('ui.install.how.browser'),
    isForMailToo(apps) ? mail : ui.t('ui.install.how.file', { link: save }),
    ui.t('ui.install.how.root', { link: html`<a href="${INSTALL_HELP}">${ui.t('ui.install.how.root.link')}</a>` }),
  ];
}

function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}
