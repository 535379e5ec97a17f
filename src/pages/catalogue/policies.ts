/* The texts behind an add-on: licence, end-user agreement, privacy policy. */

import { html } from 'hono/html';
import { PolicyPageDocument, type PolicyPageQuery } from '../../generated/operations/graphql.ts';
import type { Html } from '../html.ts';
import { type PageRow, page } from '../page.ts';
import type { KeyWith, PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonNameHtml, addonPath, toCanonical } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';
import { installOf, licenseLink, licenseName, writtenText } from './version-parts.ts';

type PolicyAddon = NonNullable<PolicyPageQuery['addon']>;

interface Policy {
  kind: 'license' | 'eula' | 'privacy';
  title: KeyWith<'name'>;
  /** The short title, for the way to the page. */
  short: PageTextKey;
  /** Null without such a text. */
  content(ui: Ui, addon: PolicyAddon): Html | null;
}

const policyPage = ({ kind, title, short, content }: Policy): PageRow =>
  page({
    ...ADDON_PAGE,
    path: `/addon/:ref/${kind}/`,
    document: PolicyPageDocument,
    view: ({ addon }, input, ui) => {
      const main = addon && content(ui, addon);
      if (addon === null || main === null) return null;
      return (
        toCanonical(addon, input, `${kind}/`) ?? {
          title: ui.t(title, { name: addonName(addon) }),
          canonical: addonPath(addon, `${kind}/`),
          scripts: kind === 'eula' ? ['install.js'] : [],
          main: html`${addonHeader(ui, addon, { current: null, title: ui.t(short) })}
<h1>${ui.t(title, { name: addonNameHtml(ui, addon) })}</h1>
${main}`,
        }
      );
    },
  });

function licenseText(ui: Ui, addon: PolicyAddon): Html | null {
  const license = addon.currentVersion?.license ?? addon.license;
  if (license === null) return null;
  const name = license.isCustom ? licenseName(ui, license) : licenseLink(ui, license, '');
  return html`<p class="lead">${name}</p>
${writtenText(license.text) ?? html`<p>${ui.t('addon.license.elsewhere')}</p>`}`;
}

/** The agreement with the link that installs, which accepts it. */
function agreement(ui: Ui, addon: PolicyAddon): Html | null {
  const text = writtenText(addon.eula);
  const { currentVersion } = addon;
  if (text === null) return null;
  const labels = { label: ui.t('addon.eula.accept'), saveLabel: ui.t('addon.eula.accept-save') };
  return html`<p>${ui.t('addon.eula.why')}</p>
${text}
${currentVersion !== null && html`<div class="accept">${installOf(ui, { ...addon, hasEula: false }, currentVersion, labels)}</div>`}`;
}

export const policyPages: readonly PageRow[] = [
  policyPage({ kind: 'license', title: 'addon.license.title', short: 'addon.license', content: licenseText }),
  policyPage({ kind: 'eula', title: 'addon.eula.title', short: 'addon.eula', content: agreement }),
  policyPage({
    kind: 'privacy',
    title: 'addon.privacy.title',
    short: 'addon.privacy',
    content: (_ui, addon) => writtenText(addon.privacyPolicy),
  }),
];
