import { html } from 'hono/html';
import { config } from '../../config.ts';
import {
  HubCreatePersonaDocument,
  HubThemeChoicesDocument,
  HubUpdatePersonaDocument,
} from '../../generated/operations/graphql.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { changed, changedInput } from '../changes.ts';
import { PICTURE_TYPES } from '../components/file-field.ts';
import { formElement } from '../components/form.ts';
import { optionalText, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import { page, redirect } from '../page.ts';
import { requireFile } from '../submit.ts';
import { hubUrl } from './hub-addon.ts';
import { categoryOptions, licenseField, newText } from './listing-fields.ts';
import { mediaPage, PICTURE_FILE } from './media.ts';
import { colourFields, contrastText } from './persona.ts';

/** Making a persona: a picture, two colours, a name. */
export const newThemePage = page({
  path: '/developers/themes/new/',
  visitor: 'account',
  document: HubThemeChoicesDocument,
  variables: () => ({}),
  view: ({ categories, licenses }, _input, ui) => {
    const { t } = ui;
    const refused = ui.form('hub-theme');
    const typed = (name: string): string | null => refused?.values.get(name)?.[0] ?? null;
    return {
      title: t('hub.theme.title'),
      robots: 'noindex',
      section: 'developers',
      scripts: ['upload.js'],
      main: html`<h1>${t('hub.theme.title')}</h1>
<p>${t('hub.theme.how')}</p>
${refused !== null && contrastText(ui, typed('accentColor'), typed('textColor'))}
${formElement(ui, {
  name: 'hub-theme',
  parts: [
    newText(ui, 'name', config.DEFAULT_LOCALE),
    newText(ui, 'summary', config.DEFAULT_LOCALE),
    {
      kind: 'select',
      name: 'category',
      label: t('hub.theme.category'),
      isRequired: true,
      options: categoryOptions(ui, categories),
    },
    licenseField(ui, licenses, { chosen: null, isRequired: true }),
    ...colourFields(ui, null, null),
    {
      kind: 'file',
      name: 'file',
      label: t('hub.theme.header'),
      hint: t('hub.theme.header-hint'),
      accept: PICTURE_TYPES,
      isRequired: true,
    },
  ],
  submit: t('hub.theme.send'),
})}`,
    };
  },
});

/** In the default language of the site; others are added on the page of the listing. */
const inDefault = (value: string) => [{ locale: config.DEFAULT_LOCALE, value }];

export const newThemeForm = form({
  page: newThemePage,
  name: 'hub-theme',
  fields: {
    name: textField,
    summary: textField,
    category: textField,
    license: textField,
    accentColor: optionalText,
    textColor: optionalText,
  },
  file: PICTURE_FILE,
  document: HubCreatePersonaDocument,
  variables: ({ name, summary, ...values }, _input, file) => ({
    input: {
      ...values,
      name: inDefault(name),
      summary: inDefault(summary),
      header: Promise.resolve(requireFile(file)),
    },
  }),
  done: ({ createPersona }) =>
    redirect('addon' in createPersona ? withDone(hubUrl(createPersona.addon), 'hub-theme') : '/developers/', 303),
});

type Picture = Promise<UploadedFile>;

const personaFile = (name: string, pictureOf: (file: Picture) => { header: Picture } | { footer: Picture }) =>
  form({
    page: mediaPage,
    name,
    fields: { id: textField },
    file: PICTURE_FILE,
    document: HubUpdatePersonaDocument,
    variables: ({ id }, _input, file) => ({ input: { id, picture: pictureOf(Promise.resolve(requireFile(file))) } }),
  });

export const personaForms = [
  personaFile('hub-persona-header', (header) => ({ header })),
  personaFile('hub-persona-footer', (footer) => ({ footer })),
  form({
    page: mediaPage,
    name: 'hub-persona-footer-remove',
    fields: { id: textField },
    document: HubUpdatePersonaDocument,
    variables: ({ id }) => ({ input: { id, removeFooter: true } }),
  }),
  form({
    page: mediaPage,
    name: 'hub-persona-colours',
    fields: { id: textField, accentColor: changed(optionalText), textColor: changed(optionalText) },
    document: HubUpdatePersonaDocument,
    variables: ({ id, ...colours }) => ({ input: { id, ...changedInput(colours) } }),
  }),
];
