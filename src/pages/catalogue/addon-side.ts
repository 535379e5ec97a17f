/* The side column of an add-on's page: facts, links, policies. */

import { html } from 'hono/html';
import { facts } from '../components/facts.ts';
import { icon } from '../components/icon.ts';
import { rating } from '../components/rating.ts';
import { day } from '../components/time.ts';
import { code, type Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { addonPath, type ShownAddon } from './addon-head.ts';
import { pathOf } from './addresses.ts';
import { applications, fileOf, licenseLink, serialLink } from './version-parts.ts';

/** The side column. */
export function addonSide(ui: Ui, addon: ShownAddon): Html {
  const { currentVersion: version } = addon;
  return html`${mainFacts(ui, addon)}
${links(ui, addon)}
${version !== null && verification(ui, addon)}`;
}

function mainFacts(ui: Ui, addon: ShownAddon): Html {
  const { t } = ui;
  const { currentVersion: version, targetLocale } = addon;
  return facts(ui, {
    isNarrow: true,
    items: [
      { term: t('addon.users'), value: ui.format.number(addon.averageDailyUsers) },
      { term: t('addon.downloads'), value: ui.format.number(addon.weeklyDownloads) },
      { term: t('addon.rating'), value: html`<a href="${pathOf(addon.ratingsUrl)}">${rating(ui, addon.ratings)}</a>` },
      { term: t('ui.language'), value: targetLocale === null ? null : ui.format.languageName(targetLocale) },
      {
        term: t('addon.version'),
        value: version && html`<a href="${pathOf(version.url)}"><bdi dir="ltr">${version.version}</bdi></a>`,
      },
      { term: t('addon.updated'), value: day(ui, addon.lastUpdated) },
      { term: t('addon.works-with'), value: version && applications(ui, version.compatibility) },
      {
        term: t('addon.license'),
        value: version?.license ? licenseLink(ui, version.license, addonPath(addon, 'license/')) : null,
      },
    ],
  });
}

/** Addresses of the developers; those of other sites are wrapped. */
function links(ui: Ui, addon: ShownAddon): Html {
  const { t } = ui;
  const mail = addon.supportEmail?.value;
  const outside = (href: string | null | undefined, text: Html) =>
    href ? [html`<a href="${href}" rel="nofollow ugc noopener">${text}${icon(ui, 'external')}</a>`] : [];
  const inside = (isThere: boolean, rest: string, text: Html) =>
    isThere ? [html`<a href="${addonPath(addon, rest)}">${text}</a>`] : [];
  const items = [
    ...outside(addon.homepage?.value, t('addon.homepage')),
    ...outside(addon.supportUrl?.value, t('addon.support')),
    ...(mail ? [html`<a href="mailto:${mail}">${t('addon.support-mail')}</a>`] : []),
    ...outside(addon.contributionsUrl, t('addon.contribute')),
    ...inside(addon.hasPrivacyPolicy, 'privacy/', t('addon.privacy')),
    ...inside(addon.hasEula, 'eula/', t('addon.eula')),
    ...inside(true, 'feed.atom', t('addon.feed-link')),
    ...inside(true, 'report/', t('addon.report')),
  ];
  return html`<nav aria-labelledby="links"><h2 id="links" class="side-title">${t('addon.links')}</h2>
<ul class="link-list">
${items.map((item) => html`<li>${item}</li>`)}</ul></nav>`;
}

/** What proves that a download is the published file. */
function verification(ui: Ui, { currentVersion }: ShownAddon): Html {
  const file = currentVersion === null ? undefined : fileOf(currentVersion);
  if (file === undefined) return html``;
  const serial = file.certificateSerial;
  return html`<details><summary>${ui.t('addon.verify')}</summary>
${facts(ui, {
  isNarrow: true,
  items: [
    { term: ui.t('addon.hash'), value: code(file.hash) },
    { term: ui.t('addon.serial'), value: serial === null ? ui.t('addon.unsigned') : serialLink(serial) },
  ],
})}
<p class="small"><a href="/docs/verify/">${ui.t('addon.verify.how')}</a></p></details>`;
}
