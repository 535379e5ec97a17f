import { html } from 'hono/html';
import {
  type CustomLicenseInput,
  type ExpectedAddonInput,
  HubLicenseDocument,
  type HubLicenseQuery,
  HubUpdateAddonDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { textDigest } from '../../texts/text-digest.ts';
import { changedTexts, type Expected, expectedName, expectedTexts } from '../changes.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { type FieldReader, textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { addLanguage } from './add-language.ts';
import { addonContent, HUB_ADDON_PAGE, hubAddon } from './hub-addon.ts';
import { languageParts, languagesOfForm, licenseField, writtenIn } from './listing-fields.ts';

type Addon = NonNullable<HubLicenseQuery['addon']>;

/** Licence, agreement and privacy policy of an add-on, for its owners. */
export const licensePage = page({
  path: '/developers/addon/:ref/license/',
  ...HUB_ADDON_PAGE,
  query: { add: labelParam('A language to add.') },
  document: HubLicenseDocument,
  view: (data, { query }, ui) => {
    const addon = hubAddon(data.addon, 'OWN');
    const { t } = ui;
    return addonContent(ui, {
      addon,
      tab: 'license',
      body: (own) => html`<h2>${t('hub.field.license')}</h2>
${formElement(own, {
  name: 'hub-license',
  hidden: { id: addon.id, locale: addon.defaultLocale },
  expected: expectedLicense(addon),
  parts: licenseParts(own, addon, data),
  submit: t('ui.save'),
})}
<h2>${t('hub.license.policies')}</h2>
<p>${t('hub.license.policies-text')}</p>
${policiesBox(own, addon, query.add)}`,
    });
  },
});

/** The licence that the developers wrote; null for a built-in one. */
const ownLicense = ({ license }: Addon) => (license?.isCustom === true ? license : null);

/** Each own licence has an id of its own, which changes with its text. */
const expectedLicense = (addon: Addon): Expected => ({
  license: addon.license?.id ?? '',
  'license.name': textDigest(writtenIn(ownLicense(addon)?.name, addon.defaultLocale).trim()),
  'license.text': textDigest(writtenIn(ownLicense(addon)?.text, addon.defaultLocale).trim()),
});

/** A built-in licence, or the developers' own text in the default language. */
function licenseParts(ui: Ui, addon: Addon, { licenses }: HubLicenseQuery): FormPart[] {
  const { t } = ui;
  const { license, defaultLocale } = addon;
  const own = ownLicense(addon);
  return [
    licenseField(ui, licenses, { chosen: license, isRequired: false }),
    {
      kind: 'group',
      legend: t('hub.license.own'),
      hint: t('hub.license.own-hint', { language: ui.format.languageName(defaultLocale) }),
      parts: [
        {
          kind: 'text',
          name: 'license.name',
          label: t('hub.license.own-name'),
          maxLength: 200,
          language: defaultLocale,
          value: writtenIn(own?.name, defaultLocale),
        },
        {
          kind: 'textarea',
          name: 'license.text',
          label: t('hub.license.own-text'),
          hint: t('hub.field.html-hint'),
          rows: 8,
          language: defaultLocale,
          value: writtenIn(own?.text, defaultLocale),
        },
      ],
    },
  ];
}

function policiesBox(ui: Ui, addon: Addon, add: string | null): Html {
  const { defaultLocale, eula, privacyPolicy } = addon;
  const fields = { eula, privacyPolicy };
  const languages = languagesOfForm(ui, { form: 'hub-policies', fields, defaultLocale, add });
  return html`${formElement(ui, {
    name: 'hub-policies',
    hidden: { id: addon.id },
    expected: expectedTexts(fields, languages),
    parts: languageParts(ui, { form: 'hub-policies', defaultLocale, languages }, (language) =>
      (['eula', 'privacyPolicy'] as const).map((name) => ({
        kind: 'textarea',
        name: `${name}.${language}`,
        label: ui.t(`hub.field.${name}`),
        hint: ui.t(name === 'eula' ? 'hub.field.eula-hint' : 'hub.field.html-hint'),
        language,
        value: writtenIn(fields[name], language),
      })),
    ),
    submit: ui.t('ui.save'),
  })}
${addLanguage(ui, { form: 'hub-policies', present: languages })}`;
}

/** The licence that a form chooses, and the one that its editor saw. The own text counts without a built-in licence. */
const licenseChoice: FieldReader<{
  license?: string;
  customLicense?: CustomLicenseInput;
  expected?: ExpectedAddonInput;
}> = {
  read(typed, name) {
    const fields = [name, `${name}.name`, `${name}.text`];
    const [license = '', ownName = '', ownText = ''] = fields.map((each) => textField.read(typed, each));
    const [before, nameBefore, textBefore] = fields.map((each) => textField.read(typed, expectedName(each)));
    const expected = { license: before || null };
    if (license !== '') return license === before ? {} : { license, expected };
    if (ownText === '' || (textDigest(ownText) === textBefore && textDigest(ownName) === nameBefore)) return {};
    const inDefault = (value: string) => [{ locale: textField.read(typed, 'locale'), value }];
    return { customLicense: { name: ownName === '' ? [] : inDefault(ownName), text: inDefault(ownText) }, expected };
  },
};

export const licenseForm = form({
  page: licensePage,
  name: 'hub-license',
  fields: { id: textField, license: licenseChoice },
  document: HubUpdateAddonDocument,
  variables: ({ id, license }) => ({ input: { id, ...license } }),
});

export const policiesForm = form({
  page: licensePage,
  name: 'hub-policies',
  isExtensible: true,
  fields: { id: textField, eula: changedTexts, privacyPolicy: changedTexts },
  document: HubUpdateAddonDocument,
  variables: (input) => ({ input }),
});
