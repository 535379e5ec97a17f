import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { Addon, forgetAddon } from '../addons/addon.ts';
import { Preview } from '../addons/preview.ts';
import { addPreview, deletePreview, MAX_PREVIEWS, type PreviewChanges, updatePreview } from './edit-previews.ts';
import { guarded } from './mutation-parts.ts';

interface ChangedPreview {
  addonId: number;
  previewId: number;
}

const previewPayload = (name: string) =>
  builder.objectRef<ChangedPreview>(`${name[0]?.toUpperCase()}${name.slice(1)}Payload`).implement({
    description: `Result of ${name}.`,
    fields: (t) => ({
      addon: t.field({
        type: Addon,
        description: 'The add-on after the change.',
        resolve: ({ addonId }) => addonId,
      }),
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
    }),
  });

const CAPTION =
  'Plain text, at most 500 characters, by language; a null value deletes a language, others do not change.';
const POSITION = 'Place among the previews of the add-on, from 0.';

const changesOf = ({
  caption,
  position,
}: {
  caption?: PreviewChanges['caption'] | null;
  position?: number | null;
}): PreviewChanges => ({ ...(caption == null ? {} : { caption }), ...(position == null ? {} : { position }) });

function changed(context: Context, addonId: number, previewId: number): ChangedPreview {
  forgetAddon(context, addonId);
  return { addonId, previewId };
}

const AddPreviewInput = builder.inputType('AddPreviewInput', {
  description: 'A new preview.',
  fields: (t) => ({
    addon: t.id({ required: true, description: 'Global id of the add-on.' }),
    file: t.field({ type: 'UploadedFile', required: true, description: 'A PNG or JPEG of at most 4 MiB.' }),
    caption: t.field({ type: [TranslationInput], description: CAPTION }),
    position: t.int({ description: `${POSITION} Default: the last one.` }),
  }),
});

builder.mutationField('addPreview', (t) =>
  t.field({
    type: previewPayload('addPreview'),
    description: `Adds a preview to an add-on, which has at most ${MAX_PREVIEWS}. For its authors and holders of Addons:Edit.`,
    args: { input: t.arg({ type: AddPreviewInput, required: true, description: 'The preview.' }) },
    errors: mutationResult('AddPreviewResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.addon, 'addon');
      const previewId = await addPreview(context.viewer, addonId, guarded(input.file), changesOf(input));
      return changed(context, addonId, previewId);
    },
  }),
);

const UpdatePreviewInput = builder.inputType('UpdatePreviewInput', {
  description: 'Changes to a preview. Absent fields do not change.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the preview.' }),
    caption: t.field({ type: [TranslationInput], description: CAPTION }),
    position: t.int({ description: POSITION }),
  }),
});

builder.mutationField('updatePreview', (t) =>
  t.field({
    type: previewPayload('updatePreview'),
    description: 'Changes caption and place of a preview. For authors of its add-on and holders of Addons:Edit.',
    args: { input: t.arg({ type: UpdatePreviewInput, required: true, description: 'The changes.' }) },
    errors: mutationResult('UpdatePreviewResult'),
    resolve: async (_root, { input }, context) => {
      const id = idOf('Preview', input.id);
      return changed(context, await updatePreview(context.viewer, id, changesOf(input)), id);
    },
  }),
);

const DeletePreviewInput = builder.inputType('DeletePreviewInput', {
  description: 'The preview to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Global id of the preview.' }) }),
});

builder.mutationField('deletePreview', (t) =>
  t.field({
    type: builder.objectRef<ChangedPreview>('DeletePreviewPayload').implement({
      description: 'Result of deletePreview.',
      fields: (payload) => ({
        addon: payload.field({
          type: Addon,
          description: 'The add-on after the change.',
          resolve: ({ addonId }) => addonId,
        }),
        deletedId: payload.id({
          description: 'Global id of the deleted preview.',
          resolve: ({ previewId }) => globalId('Preview', previewId),
        }),
      }),
    }),
    description: 'Deletes a preview. For authors of its add-on and holders of Addons:Edit.',
    args: { input: t.arg({ type: DeletePreviewInput, required: true, description: 'The preview.' }) },
    errors: mutationResult('DeletePreviewResult'),
    resolve: async (_root, { input }, context) => {
      const id = idOf('Preview', input.id);
      return changed(context, await deletePreview(context.viewer, id), id);
    },
  }),
);
