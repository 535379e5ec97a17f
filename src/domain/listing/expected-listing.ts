/* The values of a listing that an edit expects. */
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import type { Transaction } from '../../infra/db.ts';
import type { AddonChanges } from './addon-input.ts';
import { foldTags } from './check-listing.ts';
import { expectedInputs, presentValues } from './declared-inputs.ts';
import { checkExpected, type ExpectedValues } from './expected-values.ts';
import type { FieldErrors } from './field-errors.ts';
import { editedFields } from './fields.ts';
import type { LockedAddon } from './lock-addon.ts';

/** Description of the input field `expected` of a mutation. */
export const EXPECTED_DESCRIPTION =
  'The values that the client read. If others have changed one of them since, nothing is changed: the ' +
  'refusal names these fields with isChanged.';

export const ExpectedAddonInput = builder.inputType('ExpectedAddonInput', {
  description: 'Values of a listing as a client read them. Null is no value; absent fields are not compared.',
  fields: (t) => ({
    slug: t.string({ description: 'Addon.slug.' }),
    defaultLocale: t.string({ description: 'Addon.defaultLocale.' }),
    categories: t.idList({ description: 'Global ids of all categories, in any order.' }),
    tags: t.stringList({ description: 'All tags, in any order.' }),
    license: t.id({ description: 'Global id of the licence.' }),
    ...expectedInputs(t, 'Addon', editedFields),
  }),
});

/** Database ids in the place of global ones. @throws {InvalidInputError} on `expected` for an id of another type. */
export function expectedLicense<Values extends { license?: string | null }>(values: Values) {
  const { license, ...others } = values;
  if (license === undefined) return others;
  return { ...others, license: license === null ? null : idOf('License', license, 'expected') };
}

/** The values of an input. @throws {InvalidInputError} on `expected` for an id of another type. */
export function expectedListingIn(input: typeof ExpectedAddonInput.$inferInput | null | undefined): ExpectedValues {
  const { categories, ...others } = expectedLicense(input ?? {});
  if (categories === undefined) return others;
  return { ...others, categories: (categories ?? []).map((id) => idOf('Category', id, 'expected')) };
}

/** Adds a fault for each field of the add-on that others have changed. Two statements at most. */
export async function checkExpectedListing(
  tx: Transaction,
  addon: LockedAddon,
  { expected, changes }: { expected: ExpectedValues; changes: AddonChanges },
  faults: FieldErrors,
): Promise<void> {
  const where = { addonId: addon.id };
  const tags = expected.tags === undefined ? [] : await tx.addonTag.findMany({ where, select: { tag: true } });
  const categories =
    expected.categories === undefined ? [] : await tx.addonCategory.findMany({ where, select: { categoryId: true } });
  const present = {
    ...addon,
    ...presentValues(addon, editedFields),
    license: addon.licenseId,
    tags: tags.map(({ tag }) => tag),
    categories: categories.map(({ categoryId }) => categoryId),
  };
  const wanted = { ...changes, tags: changes.tags && foldTags(changes.tags) };
  checkExpected({ expected, present, wanted }, faults);
}
