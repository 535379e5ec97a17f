/* The fields of `Addon` that the table of listing fields describes. */
import { builder, type ObjectFields } from '../../graphql/builder.ts';
import { Addon } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { Localized } from '../addons/localized.ts';
import { localized } from '../addons/localized-text.ts';
import type { TextFormat } from '../addons/wrap-links.ts';
import { listingFields, type NamedListingField } from './fields.ts';

/** The value in a document. A test compares the keys of documents with the table. */
const valueIn = (addon: AddonDocument, { property }: NamedListingField): unknown =>
  addon[property as keyof AddonDocument];

function formatOf({ kind, check }: NamedListingField): TextFormat | undefined {
  if (kind === 'html') return 'html';
  return check === 'url' ? 'link' : undefined;
}

function outputField(t: ObjectFields<AddonDocument>, field: NamedListingField, description: string) {
  if (field.kind === 'flag') {
    return t.boolean({ description, resolve: (addon) => valueIn(addon, field) as boolean });
  }
  if (field.kind === 'text') {
    return t.string({ nullable: true, description, resolve: (addon) => valueIn(addon, field) as string | null });
  }
  const resolve = (addon: AddonDocument) => localized(valueIn(addon, field), addon.defaultLocale, formatOf(field));
  return t.field({ type: Localized, nullable: true, description, resolve });
}

builder.objectFields(Addon, (t) =>
  Object.fromEntries(
    listingFields.flatMap((field) =>
      field.output === undefined ? [] : [[field.name, outputField(t, field, field.output)]],
    ),
  ),
);
