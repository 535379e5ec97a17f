import { builder, type ObjectFields } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { Addon, changedAddon } from '../addons/addon.ts';
import { TranslationInput } from '../addons/localized.ts';
import { Preview } from '../addons/preview.ts';
import { EXPECTED_DESCRIPTION } from '../listing/expected-listing.ts';
import { addPreview, deletePreview, MAX_PREVIEWS, updatePreview } from './edit-previews.ts';

interface ChangedPreview {
  addonId: number;
  previewId: number;
}

const changedPreview = (t: ObjectFields<ChangedPreview>) => ({
  ...changedAddon(t),
  preview: t.field({
    type: Preview,
    description: 'The preview after the change.',
    resolve: async ({ addonId, previewId }, _args, context) => {
      const { previews, defaultLocale } = await Addon.getDataloader(context).load(addonId);
      const preview = previews.find(({ id }) => id === previewId);
      if (preview === undefined) throw new Error(`add-on ${addonId} has no preview ${previewId}`);
      return { ...preview, defaultLocale };
    },
  }),
});

const CAPTION =
  'Plain text, at most 500 characters, by language; a null value deletes a language, others do not change.';
const POSITION = 'Place among the previews of the add-on, from 0.';

const ExpectedPreviewInput = builder.inputType('ExpectedPreviewInput', {
  description:
    'Values of a preview as a client read them. Absent fields are not compared; captions have TranslationInput.expectedDigest.',
  fields: (t) => ({ position: t.int({ description: 'Place in Addon.previews, from 0.' }) }),
});

mutation('addPreview', {
  description: `Adds a preview to an add-on, which has at most ${MAX_PREVIEWS}. For its authors and holders of Addons:Edit.`,
  input: 'A new preview.',
  inputFields: (t) => ({
    addon: t.id({ required: true, description: 'Global id of the add-on.' }),
    file: t.field({ type: 'UploadedFile', required: true, description: 'A PNG or JPEG of at most 4 MiB.' }),
    caption: t.field({ type: [TranslationInput], description: CAPTION }),
    position: t.int({ description: `${POSITION} Default: the last one.` }),
  }),
  resolve: async ({ addon, file, ...preview }, context) => {
    const addonId = idOf('Addon', addon, 'addon');
    return {
      addonId,
      previewId: await addPreview(context.viewer, addonId, file, givenFields(preview)),
    };
  },
  payloadFields: changedPreview,
});

mutation('updatePreview', {
  description: 'Changes caption and place of a preview. For authors of its add-on and holders of Addons:Edit.',
  input: 'Changes to a preview. Absent fields do not change.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the preview.' }),
    caption: t.field({ type: [TranslationInput], description: CAPTION }),
    position: t.int({ description: POSITION }),
    expected: t.field({ type: ExpectedPreviewInput, description: EXPECTED_DESCRIPTION }),
  }),
  resolve: async ({ id, expected, ...changes }, context) => {
    const previewId = idOf('Preview', id);
    const addonId = await updatePreview(context.viewer, previewId, givenFields(changes), expected ?? {});
    return { addonId, previewId };
  },
  payloadFields: changedPreview,
});

mutation('deletePreview', {
  description: 'Deletes a preview. For authors of its add-on and holders of Addons:Edit.',
  input: 'The preview to delete.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the preview.' }) }),
  resolve: async ({ id }, context) => {
    const previewId = idOf('Preview', id);
    return { addonId: await deletePreview(context.viewer, previewId), previewId };
  },
  payloadFields: (t) => ({
    ...changedAddon(t),
    deletedId: t.id({
      description: 'Global id of the deleted preview.',
      resolve: ({ previewId }) => globalId('Preview', previewId),
    }),
  }),
});
