import { html } from 'hono/html';
import {
  HubAddPreviewDocument,
  HubDeletePreviewDocument,
  HubMediaDocument,
  type HubMediaQuery,
  HubSetIconDocument,
  HubUpdatePreviewDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam, orNull, recordId } from '../../http/params.ts';
import { changed, changedInput, changedTexts, expectedName, expectedTexts } from '../changes.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { picture } from '../components/picture.ts';
import { integerField, textField } from '../fields.ts';
import { type FileRule, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import { requireFile } from '../submit.ts';
import type { Ui } from '../ui.ts';
import { addLanguage } from './add-language.ts';
import { addonContent, backTo, HUB_ADDON_PAGE, hubAddon, hubUrl } from './hub-addon.ts';
import { languageParts, languagesOfForm, pictureField, writtenIn } from './listing-fields.ts';
import { personaSection } from './persona.ts';

type Addon = NonNullable<HubMediaQuery['addon']>;
type Preview = Addon['previews'][number];

/** Larger than every limit of pictures, which the mutation checks. */
export const PICTURE_FILE: FileRule = { limitBytes: 5 * 1024 * 1024, isCounted: false };

/** Icon and previews of an add-on, or header and colours of a persona. `?edit=` and `?delete=` are ids of previews. */
export const mediaPage = page({
  path: '/developers/addon/:ref/media/',
  ...HUB_ADDON_PAGE,
  query: {
    add: labelParam('A language to add.'),
    edit: orNull(recordId('Id of the preview whose caption is edited.')),
    delete: orNull(recordId('Id of a preview to delete.')),
  },
  document: HubMediaDocument,
  view: (data, { query }, ui) => {
    const addon = hubAddon(data.addon, 'EDIT');
    const preview = addon.previews.find(({ databaseId }) => databaseId === query.edit || databaseId === query.delete);
    const body = (own: Ui): Html => {
      if (preview === undefined) return allMedia(own, addon);
      return preview.databaseId === query.delete
        ? deletion(own, addon, preview)
        : captions(own, addon, preview, query.add);
    };
    return { ...addonContent(ui, { addon, tab: 'media', body }), scripts: ['upload.js'] };
  },
});

const allMedia = (ui: Ui, addon: Addon): Html =>
  addon.type === 'PERSONA' ? personaSection(ui, addon) : html`${iconSection(ui, addon)}${previewSection(ui, addon)}`;

function iconSection(ui: Ui, { id, icons }: Addon): Html {
  const { t } = ui;
  return html`<h2>${t('hub.media.icon')}</h2>
<p class="cluster">${icons.map(({ size, url }) => picture(ui, { url, width: size, height: size, alt: t('hub.media.icon-of', { size }) }))}</p>
${formElement(ui, { name: 'hub-icon', hidden: { id }, parts: [pictureField(ui, t('hub.media.icon-hint'))], submit: t('hub.media.icon-save') })}
${buttonForm(ui, { name: 'hub-icon-remove', hidden: { id }, button: t('hub.media.icon-remove') })}`;
}

function previewSection(ui: Ui, addon: Addon): Html {
  const { t } = ui;
  const { previews } = addon;
  return html`<h2>${t('addon.previews')}</h2>
${previews.length === 0 ? html`<p>${t('hub.media.none')}</p>` : html`<ol class="hub-previews">${previews.map((preview, index) => previewItem(ui, addon, preview, index))}</ol>`}
<h3>${t('hub.media.add')}</h3>
${formElement(ui, { name: 'hub-preview-add', hidden: { addon: addon.id }, parts: [pictureField(ui, t('hub.media.preview-hint'))], submit: t('hub.media.add') })}`;
}

function previewItem(
  ui: Ui,
  addon: Addon,
  { id, databaseId, thumbnailUrl, thumbnailSize, caption }: Preview,
  index: number,
): Html {
  const { t } = ui;
  const number = index + 1;
  const text = writtenIn(caption, addon.defaultLocale);
  const move = (position: number, name: Html, describe: Html) =>
    buttonForm(ui, {
      name: 'hub-preview-move',
      hidden: { id, position: String(position), [expectedName('position')]: String(index) },
      button: html`${name}<span class="visually-hidden">: ${describe}</span>`,
    });
  return html`<li>${picture(ui, { url: thumbnailUrl, ...sizeOf(thumbnailSize), alt: text === '' ? t('addon.preview', { number }) : text })}
<p>${text === '' ? html`<span class="muted">${t('hub.media.no-caption')}</span>` : text}</p>
<div class="cluster">${index > 0 && move(index - 1, t('hub.up'), t('hub.media.up-of', { number }))}
${index < addon.previews.length - 1 && move(index + 1, t('hub.down'), t('hub.media.down-of', { number }))}
<a class="button" href="${hubUrl(addon, `media?edit=${databaseId}`)}">${t('hub.media.caption')}<span class="visually-hidden">: ${t('hub.media.caption-of', { number })}</span></a>
<a class="button" href="${hubUrl(addon, `media?delete=${databaseId}`)}">${t('hub.media.delete')}<span class="visually-hidden">: ${t('hub.media.delete-of', { number })}</span></a></div>
</li>
`;
}

/** The size of a thumbnail; that of the placeholder for a preview without a picture. */
const sizeOf = ({ width, height }: { width: number; height: number }) =>
  width > 0 && height > 0 ? { width, height } : { width: 200, height: 150 };

function captions(
  ui: Ui,
  addon: Addon,
  { id, thumbnailUrl, thumbnailSize, caption }: Preview,
  add: string | null,
): Html {
  const { t } = ui;
  const { defaultLocale } = addon;
  const place = { form: 'hub-preview-caption', defaultLocale };
  const languages = languagesOfForm(ui, { ...place, fields: { caption }, add });
  return html`<h2>${t('hub.media.caption')}</h2>
<p>${picture(ui, { url: thumbnailUrl, ...sizeOf(thumbnailSize), alt: '' })}</p>
${formElement(ui, {
  name: 'hub-preview-caption',
  hidden: { id },
  expected: expectedTexts({ caption }, languages),
  parts: languageParts(ui, { ...place, languages }, (language) => [
    {
      kind: 'text',
      name: `caption.${language}`,
      label: t('hub.media.caption'),
      maxLength: 500,
      language,
      value: writtenIn(caption, language),
    },
  ]),
  submit: t('ui.save'),
  actions: html`<a class="button" href="${hubUrl(addon, 'media')}">${t('ui.cancel')}</a>`,
})}
${addLanguage(ui, { ...place, present: languages })}`;
}

const deletion = (
  ui: Ui,
  addon: Addon,
  { id, thumbnailUrl, thumbnailSize }: Preview,
): Html => html`<h2>${ui.t('hub.media.delete')}</h2>
<p>${picture(ui, { url: thumbnailUrl, ...sizeOf(thumbnailSize), alt: '' })}</p>
${confirmForm(ui, {
  name: 'hub-preview-delete',
  consequences: [ui.t('hub.media.delete-text')],
  submit: ui.t('hub.media.delete'),
  cancelHref: hubUrl(addon, 'media'),
  hidden: { id },
})}`;

export const iconForm = form({
  page: mediaPage,
  name: 'hub-icon',
  fields: { id: textField },
  file: PICTURE_FILE,
  document: HubSetIconDocument,
  variables: ({ id }, _input, file) => ({ id, file: Promise.resolve(requireFile(file)) }),
});

export const removeIconForm = form({
  page: mediaPage,
  name: 'hub-icon-remove',
  fields: { id: textField },
  document: HubSetIconDocument,
  variables: ({ id }) => ({ id, file: null }),
});

export const addPreviewForm = form({
  page: mediaPage,
  name: 'hub-preview-add',
  fields: { addon: textField },
  file: PICTURE_FILE,
  document: HubAddPreviewDocument,
  variables: ({ addon }, _input, file) => ({ input: { addon, file: Promise.resolve(requireFile(file)) } }),
});

export const captionForm = form({
  page: mediaPage,
  name: 'hub-preview-caption',
  isExtensible: true,
  fields: { id: textField, caption: changedTexts },
  document: HubUpdatePreviewDocument,
  variables: (input) => ({ input }),
  done: backTo('media', 'hub-preview-caption'),
});

export const movePreviewForm = form({
  page: mediaPage,
  name: 'hub-preview-move',
  fields: { id: textField, position: changed(integerField) },
  document: HubUpdatePreviewDocument,
  variables: ({ id, ...values }) => ({ input: { id, ...changedInput(values) } }),
});

export const deletePreviewForm = form({
  page: mediaPage,
  name: 'hub-preview-delete',
  fields: { id: textField },
  document: HubDeletePreviewDocument,
  variables: (values) => values,
  done: backTo('media', 'hub-preview-delete'),
});
