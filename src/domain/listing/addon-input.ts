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
import type { TranslatedField } from './check-texts.ts';
import type { LicenseChoice } from './choose-license.ts';
import type { InputFaults } from './faults.ts';

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
export const addonInputFields = (t: InputFields) => {
  const texts = (description: string) => t.field({ type: [TranslationInput], description });
  return {
    name: texts('At most 50 characters.'),
    summary: texts('Plain text of at most 250 characters.'),
    description: texts('May contain HTML.'),
    developerComments: texts('May contain HTML.'),
    homepage: texts('Web address of at most 255 characters.'),
    supportEmail: texts('E-mail address.'),
    supportUrl: texts('Web address of at most 255 characters.'),
    eula: texts('May contain HTML. Only owners may change it.'),
    privacyPolicy: texts('May contain HTML. Only owners may change it.'),
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
    contributionsUrl: t.string({ description: 'Web address of at most 255 characters; null removes it.' }),
    isDisabled: t.boolean({ description: 'Whether its developers disable it.' }),
    isExperimental: t.boolean({ description: 'Whether it is marked as experimental.' }),
    isSourcePublic: t.boolean({ description: 'Whether its source code may be viewed.' }),
    hasPublicStatistics: t.boolean({ description: 'Whether its statistics are public.' }),
    requiresPayment: t.boolean({ description: 'Whether it needs payment, paid services or additional hardware.' }),
    localeDisambiguation: t.string({
      description: 'For dictionaries and language packs: distinguishes those of one language. Null removes it.',
    }),
    targetLocale: t.string({
      description: 'For dictionaries and language packs: the language code that they provide. Null removes it.',
    }),
  };
};

type AddonInput = InputOf<ReturnType<typeof addonInputFields>>;

/** Changes of `updateAddon`. Absent fields stay unchanged. Ids are database ids. */
export interface AddonChanges extends Partial<Record<TranslatedField, readonly TranslationChange[]>> {
  defaultLocale?: string;
  slug?: string;
  categories?: readonly CategoryChoice[];
  tags?: readonly string[];
  license?: LicenseChoice;
  /** On behalf of its developers. */
  isDisabled?: boolean;
  /** Null removes it. */
  contributionsUrl?: string | null | undefined;
  isExperimental?: boolean;
  isSourcePublic?: boolean;
  hasPublicStatistics?: boolean;
  requiresPayment?: boolean;
  /** Only for dictionaries and language packs; null removes it. */
  localeDisambiguation?: string | null | undefined;
  targetLocale?: string | null | undefined;
  /** Refused with the invalid fields. */
  inputFaults?: InputFaults;
}

/**
 * The changes of an input with `addonInputFields`. Other fields of the input are ignored.
 * @throws {InvalidInputError} on `categories` for an id of another type, on `namedCategories` if both are present.
 */
export function addonChangesIn(input: AddonInput): AddonChanges {
  const { contributionsUrl, localeDisambiguation, targetLocale, categories, namedCategories, ...others } = input;
  const { name, summary, description, developerComments, homepage, supportEmail, supportUrl } = others;
  const { eula, privacyPolicy, defaultLocale, slug, tags } = others;
  if (categories != null && namedCategories != null) {
    throw refusedField('namedCategories', message('category.two_choices'));
  }
  const { isDisabled, isExperimental, isSourcePublic, hasPublicStatistics, requiresPayment } = others;
  return {
    ...givenFields({
      ...{ name, summary, description, developerComments, homepage, supportEmail, supportUrl },
      ...{ eula, privacyPolicy, defaultLocale, slug, tags },
      ...{ isDisabled, isExperimental, isSourcePublic, hasPublicStatistics, requiresPayment },
      categories: namedCategories ?? categories?.map((category) => idOf('Category', category, 'categories')),
      inputFaults: others.inputFaults as InputFaults | undefined,
    }),
    contributionsUrl,
    localeDisambiguation,
    targetLocale,
  };
}
