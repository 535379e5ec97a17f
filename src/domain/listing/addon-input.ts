/* The input fields of an add-on's listing, which `updateAddon` and the submissions share. */
import { refusedField } from '../../errors.ts';
import { builder, INTERNAL, type InputFields } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { givenFields, type InputOf } from '../../graphql/mutation.ts';
import { message } from '../../texts/messages.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import type { CategoryChoice } from './check-listing.ts';
import type { LicenseChoice } from './choose-license.ts';
import { type DeclaredChanges, declaredChanges, declaredInputs } from './declared-inputs.ts';
import type { InputFaults } from './field-errors.ts';
import { editedFields, type ListingTable } from './fields.ts';

const CategoryNameInput = builder.inputType('CategoryNameInput', {
  description: 'Names a category by its slug, in any case.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application.' }),
    slug: t.string({ required: true, description: 'The slug.' }),
  }),
});

/** The input field of what the caller has found wrong in its own request. Submissions have it once for listing and version. */
export const inputFaultsField = (t: InputFields) =>
  t.field({
    type: 'JSON',
    subGraphs: INTERNAL,
    description: 'Messages by field, which refuse the mutation together with those that it finds itself.',
  });

/** Input fields of a listing, without the licence. */
export const addonInputFields = (t: InputFields) => ({
  ...declaredInputs<ListingTable>(t, editedFields),
  defaultLocale: t.string({
    description: 'Language code of the fallback texts. Name, summary and description must exist in it.',
  }),
  slug: t.string({ description: 'At most 30 letters, digits, hyphens and underscores; not digits alone.' }),
  categories: t.idList({
    description: 'Global ids of all categories, at most two per application. They replace the present ones.',
  }),
  namedCategories: t.field({
    type: [CategoryNameInput],
    description: 'All categories by their names, instead of categories.',
  }),
  inputFaults: inputFaultsField(t),
  tags: t.stringList({ description: 'All tags, at most 20. They replace the present ones.' }),
});

type AddonInput = InputOf<ReturnType<typeof addonInputFields>>;

/** Changes of `updateAddon`. Absent fields stay unchanged. Ids are database ids. */
export interface AddonChanges extends DeclaredChanges<ListingTable> {
  defaultLocale?: string;
  slug?: string;
  categories?: readonly CategoryChoice[];
  tags?: readonly string[];
  license?: LicenseChoice;
  /** Refused with the invalid fields. */
  inputFaults?: InputFaults;
}

/**
 * The changes of an input with `addonInputFields`. Other fields of the input are ignored.
 * @throws {InvalidInputError} on `categories` for an id of another type, on `namedCategories` if both are present.
 */
export function addonChangesIn(input: AddonInput): AddonChanges {
  const { defaultLocale, slug, tags, categories, namedCategories } = input;
  if (categories != null && namedCategories != null) {
    throw refusedField('namedCategories', message('category.two_choices'));
  }
  return {
    ...declaredChanges<ListingTable>(editedFields, input),
    ...givenFields({
      ...{ defaultLocale, slug, tags },
      categories: namedCategories ?? categories?.map((category) => idOf('Category', category, 'categories')),
      inputFaults: input.inputFaults as InputFaults | undefined,
    }),
  };
}
