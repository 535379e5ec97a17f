import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutation } from '../../graphql/mutation.ts';
import { changedAddon } from '../addons/changed-addon.ts';
import { requireLocale } from '../addons/localized-text.ts';
import { EXPECTED } from '../listing/expected-listing.ts';
import { createPersona, type PersonaChanges, updatePersona } from './edit-persona.ts';

const HEADER = 'A PNG or JPEG of 3000 by 200 pixels and at most 300 KiB.';
const FOOTER = 'A PNG or JPEG of 3000 by 100 pixels and at most 300 KiB.';
const COLOR = 'Colour as #rrggbb or #rgb';

mutation('createPersona', {
  description: 'Creates a persona of the viewer. It becomes public when a reviewer approves it.',
  input: 'A new persona.',
  inputFields: (t) => ({
    name: t.field({ type: [TranslationInput], required: true, description: 'Names by language.' }),
    summary: t.field({ type: [TranslationInput], required: true, description: 'Summaries by language.' }),
    defaultLocale: t.string({ description: 'Fallback language of its texts. Default: the language of the site.' }),
    category: t.id({ required: true, description: 'Global id of a category of type PERSONA.' }),
    license: t.id({ required: true, description: 'Global id of a built-in licence.' }),
    header: t.field({ type: 'UploadedFile', required: true, description: HEADER }),
    accentColor: t.string({ description: `${COLOR} behind the header.` }),
    textColor: t.string({ description: `${COLOR} of texts on the header.` }),
  }),
  resolve: async (input, { viewer }) => ({
    addonId: await createPersona(viewer, {
      name: input.name,
      summary: input.summary,
      defaultLocale: requireLocale('defaultLocale', input.defaultLocale ?? config.DEFAULT_LOCALE),
      category: idOf('Category', input.category, 'category'),
      license: idOf('License', input.license, 'license'),
      header: input.header,
      accentColor: input.accentColor ?? null,
      textColor: input.textColor ?? null,
    }),
  }),
  payloadFields: changedAddon,
});

const PersonaPictureInput = builder.inputType('PersonaPictureInput', {
  isOneOf: true,
  description: 'A new picture of a persona. A request contains one file.',
  fields: (t) => ({
    header: t.field({ type: 'UploadedFile', description: HEADER }),
    footer: t.field({ type: 'UploadedFile', description: FOOTER }),
  }),
});

function pictureOf(input: typeof PersonaPictureInput.$inferInput | null | undefined): Pick<PersonaChanges, 'picture'> {
  if (input?.header) return { picture: { which: 'header', file: input.header } };
  return input?.footer ? { picture: { which: 'footer', file: input.footer } } : {};
}

const ExpectedPersonaInput = builder.inputType('ExpectedPersonaInput', {
  description: 'Values of a persona as a client read them. Null is no value; absent fields are not compared.',
  fields: (t) => ({
    accentColor: t.string({ description: 'ThemeData.accentColor.' }),
    textColor: t.string({ description: 'ThemeData.textColor.' }),
  }),
});

mutation('updatePersona', {
  description:
    'Changes pictures and colours of a persona. A new picture sends a public persona back to review. For its authors and holders of Addons:Edit.',
  input: 'Changes to a persona. Absent fields do not change.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    accentColor: t.string({ description: `${COLOR} behind the header; null removes it.` }),
    textColor: t.string({ description: `${COLOR} of texts on the header; null removes it.` }),
    picture: t.field({ type: PersonaPictureInput, description: 'A new header or footer.' }),
    removeFooter: t.boolean({ description: 'True removes the footer.' }),
    expected: t.field({ type: ExpectedPersonaInput, description: EXPECTED }),
  }),
  resolve: async ({ id, picture, expected, ...changes }, context) => {
    const addonId = idOf('Addon', id);
    await updatePersona(context.viewer, addonId, { ...changes, ...pictureOf(picture) }, expected ?? {});
    return { addonId };
  },
  payloadFields: changedAddon,
});
