import { html } from 'hono/html';
import {
  HubLicenseDocument,
  type HubLicenseQuery,
  HubUpdateAddonDocument,
} from '../../generated/operations/graphql.ts';
import { label } from '../../http/params.ts';
import { type FormPart, form as formBox } from '../components/form.ts';
import { optionalText, textField, translations } from '../fields.ts';
import { form } from '../form.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { addLanguage, readLocale } from './add-language.ts';
import { ADDON_PARAMS, addonContent, hidden, hubAddon } from './addon-frame.ts';
import { languagePart, languagesOf, licenseField, textIn } from './listing-fields.ts';

type Addon = NonNullable<HubLicenseQuery['addon']>;

/** Licence, agreement and privacy policy of an add-on, for its owners. */
export const licensePage = hidden(
  page({
    path: '/developers/addon/:ref/license/',
    visitor: 'account',
    params: ADDON_PARAMS,
    query: { add: label('A language to add.') },
    document: HubLicenseDocument,
    variables: ({ path }) => path,
    view: (data, { query }, ui) => {
      const addon = hubAddon(data.addon, 'OWN');
      const { t } = ui;
      const added = readLocale(query.add);
      const languages = languagesOf([addon.eula, addon.privacyPolicy], addon.defaultLocale, added);
      return {
        ...addonContent(ui, {
          addon,
          tab: 'license',
          body: html`<h2>${t('hub.field.license')}</h2>
${formBox(ui, { name: 'hub-license', hidden: { id: addon.id, locale: addon.defaultLocale }, parts: licenseParts(ui, addon, data), submit: t('hub.save') })}
<h2>${t('hub.license.policies')}</h2>
<p>${t('hub.license.policies-text')}</p>
${addLanguage(ui, languages)}
${formBox(ui, { name: 'hub-policies', hidden: { id: addon.id }, parts: languages.map((language) => policyTexts(ui, addon, language)), submit: t('hub.save') })}`,
        }),
        scripts: ['focus-errors.js'],
      };
    },
  }),
);

/** A built-in licence, or the developers' own text in the default language. */
function licenseParts(ui: Ui, { license, defaultLocale }: Addon, { licenses }: HubLicenseQuery): FormPart[] {
  const { t } = ui;
  const own = license?.isCustom === true ? license : null;
  return [
    licenseField(ui, licenses, own === null ? (license?.id ?? null) : null, false),
    {
      kind: 'group',
      legend: t('hub.license.own'),
      hint: t('hub.license.own-hint', { language: ui.format.languageName(defaultLocale) }),
      parts: [
        {
          kind: 'text',
          name: 'ownName',
          label: t('hub.license.own-name'),
          maxLength: 200,
          language: defaultLocale,
          value: textIn(own?.name, defaultLocale),
        },
        {
          kind: 'textarea',
          name: 'ownText',
          label: t('hub.license.own-text'),
          hint: t('hub.field.html-hint'),
          rows: 8,
          language: defaultLocale,
          value: textIn(own?.text, defaultLocale),
        },
      ],
    },
  ];
}

const policyTexts = (ui: Ui, addon: Addon, language: string): FormPart =>
  languagePart(language, addon.defaultLocale, [
    {
      kind: 'textarea',
      name: `eula.${language}`,
      label: ui.t('hub.field.eula'),
      hint: ui.t('hub.field.eula-hint'),
      language,
      value: textIn(addon.eula, language),
    },
    {
      kind: 'textarea',
      name: `privacyPolicy.${language}`,
      label: ui.t('hub.field.privacyPolicy'),
      hint: ui.t('hub.field.html-hint'),
      language,
      value: textIn(addon.privacyPolicy, language),
    },
  ]);

/** The own text counts without a built-in licence. */
export const licenseForm = form({
  page: licensePage,
  name: 'hub-license',
  fields: { id: textField, locale: textField, license: optionalText, ownName: optionalText, ownText: optionalText },
  document: HubUpdateAddonDocument,
  variables: ({ id, locale, license, ownName, ownText }) => {
    if (ownText === null || license !== null) return { input: { id, ...(license !== null && { license }) } };
    const name = ownName === null ? [] : [{ locale, value: ownName }];
    return { input: { id, customLicense: { name, text: [{ locale, value: ownText }] } } };
  },
});

export const policiesForm = form({
  page: licensePage,
  name: 'hub-policies',
  fields: { id: textField, eula: translations, privacyPolicy: translations },
  document: HubUpdateAddonDocument,
  variables: (input) => ({ input }),
});
