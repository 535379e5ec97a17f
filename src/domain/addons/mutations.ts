import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { db } from '../../infra/db.ts';
import { Addon, forgetAddon } from './addon.ts';
import { deleteAddon, setAddonDisabled } from './end-addon.ts';
import { type TranslatedField, updateAddon } from './update-addon.ts';

const EDITABLE_TEXTS = [
  'name',
  'summary',
  'description',
  'developerComments',
  'homepage',
  'supportEmail',
  'supportUrl',
] as const;

const UpdateAddonInput = builder.inputType('UpdateAddonInput', {
  description: 'What is absent stays. Translations are merged: a null value deletes one language, unnamed ones stay.',
  fields: (t) => {
    const texts = () => t.field({ type: [TranslationInput] });
    return {
      id: t.id({ required: true }),
      name: texts(),
      summary: texts(),
      description: texts(),
      developerComments: texts(),
      homepage: texts(),
      supportEmail: texts(),
      supportUrl: texts(),
      slug: t.string(),
      categories: t.idList({ description: 'All categories of the add-on; they replace the present ones.' }),
      license: t.id({ description: 'The licence of its listed versions.' }),
      isExperimental: t.boolean(),
      requiresPayment: t.boolean(),
    };
  },
});

const addonPayload = (name: string) =>
  builder.objectRef<{ addonId: number }>(name).implement({
    fields: (t) => ({
      addon: t.field({ type: Addon, resolve: ({ addonId }) => addonId }),
    }),
  });

builder.mutationField('updateAddon', (t) =>
  t.field({
    type: addonPayload('UpdateAddonPayload'),
    description: 'Edits the listing of an add-on.',
    args: { input: t.arg({ type: UpdateAddonInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError, NotPermittedError], union: { name: 'UpdateAddonResult' } },
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      const given = EDITABLE_TEXTS.flatMap((field) => (input[field] ? [[field, input[field]] as const] : []));
      await updateAddon(context.viewer, addonId, {
        translations: Object.fromEntries(given) as Partial<Record<TranslatedField, NonNullable<typeof input.name>>>,
        ...(input.slug == null ? {} : { slug: input.slug }),
        ...(input.categories == null ? {} : { categories: input.categories.map((id) => idOf('Category', id)) }),
        ...(input.license == null ? {} : { license: idOf('License', input.license) }),
        ...(input.isExperimental == null ? {} : { isExperimental: input.isExperimental }),
        ...(input.requiresPayment == null ? {} : { requiresPayment: input.requiresPayment }),
      });
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const DeleteAddonInput = builder.inputType('DeleteAddonInput', {
  fields: (t) => ({ id: t.id({ required: true }), reason: t.string() }),
});

const DeleteAddonPayload = builder.objectRef<{ guid: string }>('DeleteAddonPayload').implement({
  fields: (t) => ({ guid: t.exposeString('guid', { description: 'Of the deleted add-on; it stays taken.' }) }),
});

builder.mutationField('deleteAddon', (t) =>
  t.field({
    type: DeleteAddonPayload,
    description: 'Deletes an add-on; for its owner.',
    args: { input: t.arg({ type: DeleteAddonInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError, NotPermittedError], union: { name: 'DeleteAddonResult' } },
    resolve: async (_root, { input }, { viewer }) => {
      const id = idOf('Addon', input.id);
      await deleteAddon(viewer, id, input.reason ?? '');
      return db.addon.findUniqueOrThrow({ where: { id }, select: { guid: true } });
    },
  }),
);

const DisabledByEnum = builder.enumType('DisabledBy', {
  values: { DEVELOPER: { value: 'developer' }, OPERATOR: { value: 'operator' } } as const,
});

const SetAddonDisabledInput = builder.inputType('SetAddonDisabledInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    by: t.field({ type: DisabledByEnum, required: true }),
    disabled: t.boolean({ required: true }),
    reason: t.string(),
  }),
});

builder.mutationField('setAddonDisabled', (t) =>
  t.field({
    type: addonPayload('SetAddonDisabledPayload'),
    description: 'Disables an add-on, or lifts that: for its developers, or as the operator.',
    args: { input: t.arg({ type: SetAddonDisabledInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError, NotPermittedError], union: { name: 'SetAddonDisabledResult' } },
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      const { by, disabled, reason } = input;
      await setAddonDisabled(context.viewer, addonId, { by, disabled, reason: reason ?? '' });
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);
