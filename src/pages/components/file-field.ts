import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { fieldErrors, fieldId } from './form-field.ts';
import { icon } from './icon.ts';

export interface FileField {
  kind: 'file';
  /** Every file part of a form has this name. */
  name: 'file';
  label: Html | string;
  hint?: Html | string;
  /** As in HTML, such as `.xpi,.zip`. */
  accept: string;
  isRequired?: boolean;
}

/** `accept` of pictures. */
export const PICTURE_TYPES = 'image/png,image/jpeg';

/** A file to choose or to drop on the same label. With scripts, `upload.js` adds progress and cancelling. */
export function fileField(ui: Ui, { form, field }: { form: string; field: FileField }): Html {
  const id = fieldId(form, field.name);
  const errors = ui.form(form)?.errors[field.name] ?? [];
  const described = [field.hint === undefined ? [] : `${id}-hint`, errors.length === 0 ? [] : `${id}-error`].flat();
  return html`<div class="${errors.length > 0 ? 'form-field file-field invalid' : 'form-field file-field'}" data-upload>
<label class="file-drop" for="${id}">${icon(ui, 'upload')}<span class="file-drop-title">${field.label}</span>${
    field.hint !== undefined && html`<span class="field-hint" id="${id}-hint">${field.hint}</span>`
  }</label>
<input type="file" id="${id}" name="file" accept="${field.accept}"${field.isRequired === true && html` required`}${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }${errors.length > 0 && html` aria-invalid="true"`}>
${fieldErrors(ui, id, errors)}
<div class="upload-state" hidden>
<p role="status"><span data-sending>${ui.t('ui.upload.sending')}</span><span data-stopped hidden>${ui.t('ui.upload.stopped')}</span><span data-failed hidden>${ui.t('ui.upload.failed')}</span></p>
<progress max="100" value="0" aria-label="${ui.t('ui.upload.progress')}"></progress>
<button type="button" class="button">${ui.t('ui.cancel')}</button>
</div>
</div>`;
}
