/* The fields of a collection in the forms that make and change one. */
import type { FormField } from '../components/form-field.ts';
import { checkbox, textField } from '../fields.ts';
import type { Ui } from '../ui.ts';

const MAX_SLUG = 255;

/** The language of the texts that are written in a language of the interface. */
export const localeOf = ({ language }: Ui): string => (language === 'en' ? 'en-US' : language);

interface Values {
  name?: string | null;
  /** Absent for a new collection, whose slug may be left out. */
  slug?: string;
  description?: string | null;
  isPublic?: boolean;
  language: string;
}

/** The fields of a collection; its texts in one language. */
export const collectionFields = ({ t }: Ui, values: Values): FormField[] => {
  const { name, slug, description, isPublic = true, language } = values;
  const slugHint = t(slug === undefined ? 'account.collections.new-slug-hint' : 'account.collections.slug-hint');
  return [
    {
      ...{ kind: 'text', name: 'name', label: t('account.collections.name'), value: name ?? null },
      ...{ isRequired: true, maxLength: 255, language },
    },
    {
      ...{ kind: 'text', name: 'slug', label: t('hub.field.slug'), hint: slugHint },
      ...{ value: slug ?? null, isRequired: slug !== undefined, maxLength: MAX_SLUG, direction: 'ltr' },
    },
    {
      ...{ kind: 'textarea', name: 'description', label: t('account.collections.description') },
      ...{ value: description ?? null, maxLength: 10_000, rows: 4, language },
    },
    { kind: 'checkbox', name: 'isPublic', label: t('account.collections.public'), isChecked: isPublic },
  ];
};

/** How the forms read the fields. */
export const COLLECTION_FIELDS = {
  locale: textField,
  name: textField,
  slug: textField,
  description: textField,
  isPublic: checkbox,
};

type Typed = { locale: string; name: string; slug: string; description: string; isPublic: boolean };

/** A slug of the Latin words of a name; a random one for a name without any. */
function slugOf(name: string): string {
  const words = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return slug.slice(0, MAX_SLUG) || `collection-${crypto.randomUUID().slice(0, 8)}`;
}

/** The input of the mutations: the texts are in one language. */
export const collectionInput = ({ locale, name, slug, description, isPublic }: Typed) => ({
  ...{ slug, isPublic },
  name: [{ locale, value: name }],
  description: [{ locale, value: description }],
});

/** The variables of the mutation that makes a collection. */
export const newCollection = (typed: Typed) => ({
  input: { ...collectionInput({ ...typed, slug: typed.slug || slugOf(typed.name) }), defaultLocale: typed.locale },
});
