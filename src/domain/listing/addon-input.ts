/* The input fields of an add-on's listing, which `updateAddon` and the submissions share. */
import { refusedField } from '../../errors.ts';
import { builder, INTERNAL, type InputFields } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { givenFields, type InputOf } from '../../graphql/mutation.ts';
import { message } from '../../texts/messages.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import type { TranslationChange } from '../addons/localized-text.ts';
import type { CategoryChoice } from './check-listing.ts';
import type { LicenseChoice } from './choose-license.ts';
import type { InputFaults } from './field-errors.ts';
import { type EditedKind, type EditedName, editedFields } from './fields.ts';

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

/** The input field of each kind. */
const INPUT_FIELDS = {
  texts: (t: InputFields, description: string) => t.field({ type: [TranslationInput], description }),
  html: (t: InputFields, description: string) => t.field({ type: [TranslationInput], description }),
  text: (t: InputFields, description: string) => t.string({ description }),
  flag: (t: InputFields, description: string) => t.boolean({ description }),
};
type DeclaredInput = { [Name in EditedName]: ReturnType<(typeof INPUT_FIELDS)[EditedKind<Name>]> };

/** Input fields of a listing, without the licence. */
export const addonInputFields = (t: InputFields) => ({
  ...(Object.fromEntries(
    editedFields.map(({ name, kind, input }) => [name, INPUT_FIELDS[kind](t, input ?? '')]),
  ) as DeclaredInput),
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

/** Changes of plain fields. Null removes a text. */
type ListingChanges = {
  [Name in EditedName]?: {
    texts: TextChanges;
    html: TextChanges;
    text: string | null;
    flag: boolean;
  }[EditedKind<Name>];
};
type TextChanges = readonly TranslationChange[];

/** Changes of `updateAddon`. Absent fields stay unchanged. Ids are database ids. */
export interface AddonChanges extends ListingChanges {
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
  const given = editedFields.filter(({ name, kind }) =>
    kind === 'text' ? input[name] !== undefined : input[name] != null,
  );
  return {
    ...(Object.fromEntries(given.map(({ name }) => [name, input[name]])) as ListingChanges),
    ...givenFields({
      ...{ defaultLocale, slug, tags },
      categories: namedCategories ?? categories?.map((category) => idOf('Category', category, 'categories')),
      inputFaults: input.inputFaults as InputFaults | undefined,
    }),
  };
}
