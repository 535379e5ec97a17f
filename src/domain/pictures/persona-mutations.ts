import { config } from '../../config.ts';
import { InvalidInputError, refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { forgetAddon } from '../addons/addon.ts';
import { canonicalLocale } from '../addons/locales.ts';
import { createPersona, type PersonaChanges, updatePersona } from './edit-persona.ts';
import { addonPayload, guarded } from './mutation-parts.ts';

const HEADER = 'A PNG or JPEG of 3000 by 200 pixels and at most 300 kB.';
const FOOTER = 'A PNG or JPEG of 3000 by 100 pixels and at most 300 kB.';

const CreatePersonaInput = builder.inputType('CreatePersonaInput', {
  fields: (t) => ({
    name: t.field({ type: [TranslationInput], required: true }),
    summary: t.field({ type: [TranslationInput], required: true }),
    defaultLocale: t.string({ description: 'The language that its texts fall back to; that of the site when absent.' }),
    category: t.id({ required: true, description: 'One of type PERSONA.' }),
    license: t.id({ required: true, description: 'A built-in licence.' }),
    header: t.field({ type: 'UploadedFile', required: true, description: HEADER }),
    accentColor: t.string({ description: '#rrggbb' }),
    textColor: t.string({ description: '#rrggbb' }),
  }),
});

function readLocale(text: string | null): string {
  const locale = canonicalLocale(text ?? config.DEFAULT_LOCALE);
  if (locale === null) throw refusedField('defaultLocale', `The language code '${text?.slice(0, 32)}' is invalid.`);
  return locale;
}

builder.mutationField('createPersona', (t) =>
  t.field({
    type: addonPayload('CreatePersonaPayload'),
    description: 'Makes a persona of pictures and colours. It is public once a reviewer has approved it.',
    args: { input: t.arg({ type: CreatePersonaInput, required: true }) },
    errors: mutationResult('CreatePersonaResult'),
    resolve: async (_root, { input }, { viewer }) => {
      const addonId = await createPersona(viewer, {
        name: input.name,
        summary: input.summary,
        defaultLocale: readLocale(input.defaultLocale ?? null),
        category: idOf('Category', input.category, 'category'),
        license: idOf('License', input.license, 'license'),
        header: guarded(input.header),
        accentColor: input.accentColor ?? null,
        textColor: input.textColor ?? null,
      });
      return { addonId };
    },
  }),
);

const UpdatePersonaInput = builder.inputType('UpdatePersonaInput', {
  description: 'What is absent stays. A request carries one file, hence one picture.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the add-on.' }),
    accentColor: t.string({ description: '#rrggbb; null takes it away.' }),
    textColor: t.string({ description: '#rrggbb; null takes it away.' }),
    header: t.field({ type: 'UploadedFile', description: HEADER }),
    footer: t.field({ type: 'UploadedFile', description: FOOTER }),
    removeFooter: t.boolean(),
  }),
});

type NewFile = NonNullable<PersonaChanges['picture']>['file'] | null | undefined;

/** The picture that a change comes with. @throws {InvalidInputError} for two of them. */
function pictureOf({ header, footer }: Record<'header' | 'footer', NewFile>): Pick<PersonaChanges, 'picture'> {
  if (header && footer) {
    void [guarded(header), guarded(footer)];
    throw new InvalidInputError('Send one picture at a time.');
  }
  if (header) return { picture: { which: 'header', file: guarded(header) } };
  return footer ? { picture: { which: 'footer', file: guarded(footer) } } : {};
}

builder.mutationField('updatePersona', (t) =>
  t.field({
    type: addonPayload('UpdatePersonaPayload'),
    description:
      'Changes pictures and colours of a persona; for its developers. With a new picture a public one waits for a reviewer again.',
    args: { input: t.arg({ type: UpdatePersonaInput, required: true }) },
    errors: mutationResult('UpdatePersonaResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      await updatePersona(context.viewer, addonId, {
        ...(input.accentColor === undefined ? {} : { accentColor: input.accentColor }),
        ...(input.textColor === undefined ? {} : { textColor: input.textColor }),
        ...(input.removeFooter ? { removeFooter: true } : {}),
        ...pictureOf({ header: input.header, footer: input.footer }),
      });
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);
