import { html } from 'hono/html';
import { type Html, joined } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

interface InstallLink {
  /** The package of the newest version; sizes in bytes. */
  file: { url: string; size: number };
  /** The text of the link. */
  label: Html | string;
  /** The text of the link where it saves the file: in programs that the add-on is not made for, and for mail clients. */
  saveLabel: Html | string;
  /** Page of the agreement that users must accept first; null without one. */
  eulaHref: string | null;
  /** The applications that it works with; an empty list means all. */
  apps: readonly { app: string; min: string; max: string }[];
  /** The names of these applications, for visitors who use none of them. */
  programs: readonly Html[];
}

/** Type of packages that browsers install from a link. */
const INSTALLABLE = 'application/x-xpinstall';

/** Address of the page about what each program needs. */
const INSTALL_HELP = '/docs/install/#programs';

/**
 * The link that installs an add-on, the same for every browser, and what programs do with the file. What works in mail clients only is
 * saved: they install from a file. `install.js` adds whether it is made for the browser; to other programs it offers a download.
 */
export function installLink(ui: Ui, link: InstallLink): Html {
  const { file, label, saveLabel, eulaHref, apps } = link;
  const source = withParameter(file.url, 'src', 'addondetail');
  const saved = withParameter(source, 'download', '1');
  const isForMail = apps.length > 0 && apps.every(({ app }) => app === MAIL_CLIENT);
  const button =
    eulaHref === null
      ? html`<a class="button primary" href="${isForMail ? saved : source}" type="${INSTALLABLE}">${icon(ui, 'download')}<span>${isForMail ? saveLabel : label}</span></a>`
      : html`<a class="button primary" href="${eulaHref}">${icon(ui, 'download')}<span>${label}</span></a>`;
  return html`<div class="install-link" data-install data-apps="${JSON.stringify(apps)}" data-saved="${eulaHref ?? saved}" data-save="${saveLabel}">
${button}
<p class="muted">${ui.format.bytes(file.size)}</p>
${states(ui, link)}
<p class="install-title">${ui.t('ui.install.builds')}</p>
${installabilityList(ui, [
  ...(isForMail ? [] : (['own', 'managed', 'release'] as const)),
  ...(isForMailToo(apps) ? (['mail'] as const) : []),
])}
<p><a href="${INSTALL_HELP}">${ui.t('ui.install.help')}</a></p>
${eulaHref === null && html`<p>${ui.t(isForMailToo(apps) ? 'ui.install.how.mail' : 'ui.install.how.file', { link: saveLink(ui, saved) })}</p>`}
</div>`;
}

const MAIL_CLIENT = 'MAIL_CLIENT';

/** Whether it works in mail clients, at least. */
const isForMailToo = (apps: InstallLink['apps']): boolean =>
  apps.length === 0 || apps.some(({ app }) => app === MAIL_CLIENT);

const saveLink = (ui: Ui, saved: string): Html => html`<a href="${saved}">${ui.t('ui.install.how.file.link')}</a>`;

/** What `install.js` may find out. Each takes its room from the start, so that showing one moves nothing. */
const states = (ui: Ui, { apps, programs }: InstallLink): Html => html`<div role="status">
<p class="fits" data-state="fits" hidden>${icon(ui, 'info')}<span>${ui.t('ui.install.fits')}</span></p>
${isForMailToo(apps) && html`<p class="works" data-state="mail" hidden>${icon(ui, 'check')}<span>${ui.t('ui.install.mail')}</span></p>`}
<p class="old" data-state="old" hidden>${icon(ui, 'warning')}<span>${ui.t('ui.install.old')}</span></p>
<p class="other" data-state="other" hidden>${icon(ui, 'info')}<span>${ui.t('ui.install.other', { programs: joined(programs) })}</span></p>
</div>`;

function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}

/**
 * Kinds of programs, best first, by what they do with a file of this site: pages of add-ons, the help and docs/browsers.md share the words.
 * A page cannot find out the build of a browser, so it lists them.
 */
export const PROGRAM_KINDS = ['own', 'managed', 'release', 'mail', 'other'] as const;
export type ProgramKind = (typeof PROGRAM_KINDS)[number];

/** What a kind of programs is called, and what it does with a file. */
export const installability = ({ t }: Ui, program: ProgramKind): { name: Html; does: Html } => ({
  name: t(`install.${program}`),
  does: t(`install.${program}.does`),
});

/** A list of what some kinds of programs do. */
export const installabilityList = (ui: Ui, programs: readonly ProgramKind[]): Html => html`<dl class="installability">
${programs.map((program) => {
  const { name, does } = installability(ui, program);
  return html`<div><dt>${name}</dt><dd>${does}</dd></div>
`;
})}</dl>`;
