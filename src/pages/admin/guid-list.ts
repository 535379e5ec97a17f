/* The editor of an ordered list of add-ons, by their ids in manifests: buttons that move and remove one, and the whole list as text. */
import { html } from 'hono/html';
import type { NamedAddonFragment } from '../../generated/operations/graphql.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { expectedFields } from '../changes.ts';
import { dataTable } from '../components/data-table.ts';
import { actionOf, formElement, hiddenFields } from '../components/form.ts';
import type { TextField } from '../components/form-field.ts';
import { type FieldReader, optionalText } from '../fields.ts';
import type { Html } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import type { Ui } from '../ui.ts';

/** The lines of a text without empty ones. */
export const linesField: FieldReader<string[]> = {
  read: (typed, name) =>
    (optionalText.read(typed, name) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
};

/** The name of the hidden field with the list that the editor saw. */
const EXPECTED = 'expected.guids';

/** Fields of a form with a list and the one that its editor saw. */
export const LIST_FIELDS = { guids: linesField, [EXPECTED]: linesField } as const;

/** Those of a button of a row: the list as it was shown, and what to do with which add-on. */
export const MOVE_FIELDS = { ...LIST_FIELDS, up: optionalText, remove: optionalText } as const;

/** The list as its editor saw it. */
export const expectedList = (values: { [EXPECTED]: string[] }): string[] => values[EXPECTED];

/** A list after the press of a button of a row. */
export function listAfterMove({
  guids,
  up,
  remove,
}: {
  guids: string[];
  up: string | null;
  remove: string | null;
}): string[] {
  const left = guids.filter((each) => each !== remove);
  const place = up === null ? -1 : left.indexOf(up);
  if (place < 1) return left;
  return [...left.slice(0, place - 1), left[place] ?? '', left[place - 1] ?? '', ...left.slice(place + 1)];
}

interface GuidList {
  /** The name of the form with the text; that of the buttons ends in `-move`. */
  name: string;
  caption: Html | string;
  guids: readonly string[];
  /** Those that visitors see. */
  addons: readonly NamedAddonFragment[];
  /** Values that both forms carry. */
  hidden?: Readonly<Record<string, string>>;
  /** The only add-on of the list cannot be removed. */
  keepsLast?: boolean;
}

/** The field with the whole list. */
export const guidsField = (ui: Ui, guids: readonly string[]): TextField => ({
  kind: 'textarea',
  name: 'guids',
  value: guids.join('\n'),
  rows: 8,
  label: ui.t('admin.guids'),
  hint: ui.t('admin.guids.hint'),
});

/** An add-on with a link, and its id; the id alone for one that visitors do not see. */
const listedAddon = (ui: Ui, guid: string, addon: NamedAddonFragment | undefined): Html =>
  addon === undefined
    ? html`<bdi dir="ltr">${guid}</bdi> <span class="muted">${ui.t('admin.guids.not-public')}</span>`
    : html`<a href="${addonPath(addon)}">${hubName(ui, addon)}</a> <bdi dir="ltr" class="muted">${guid}</bdi>`;

/** The buttons for each add-on of a list, and the form with the whole list. */
export function guidList(ui: Ui, { name, caption, guids, addons, hidden = {}, keepsLast = false }: GuidList): Html {
  const { t } = ui;
  const stored = guids.join('\n');
  const carried = [...Object.entries(hidden), ['guids', stored] as const, ...expectedFields(null, { guids: stored })];
  const button = (kind: 'up' | 'remove', guid: string) =>
    html`<button class="button small" name="${kind}" value="${guid}">${t(kind === 'up' ? 'hub.up' : 'ui.remove')}<span class="visually-hidden"> <bdi dir="ltr">${guid}</bdi></span></button>`;
  const byGuid = new Map(addons.map((addon) => [addon.guid.toLowerCase(), addon]));
  const canRemove = !keepsLast || guids.length > 1;
  const table = dataTable(ui, {
    ...{ id: `${name}-list`, caption },
    isStacked: true,
    columns: ['admin.column.addon', ...(canRemove ? ['admin.column.actions' as const] : [])],
    rows: guids.map((guid, index) => [
      listedAddon(ui, guid, byGuid.get(guid.toLowerCase())),
      ...(canRemove
        ? [html`<span class="cluster">${index > 0 && button('up', guid)}${button('remove', guid)}</span>`]
        : []),
    ]),
  });
  const buttons = html`<form method="post"${actionOf(ui)} id="${name}-move">
${hiddenFields(ui, `${name}-move`, carried)}
${table}
</form>`;
  return html`${guids.length > 0 && (canRemove ? buttons : table)}
<h2>${t('admin.guids.whole')}</h2>
${formElement(ui, { name, hidden, expected: { guids: stored }, parts: [guidsField(ui, guids)], submit: t('ui.save') })}`;
}
