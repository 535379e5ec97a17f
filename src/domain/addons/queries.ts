import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { Localized } from '../../graphql/localized.ts';
import { Addon, publicAddons } from './addon.ts';
import type { AddonDocument } from './addon-document.ts';
import { AddonTypeEnum } from './enums.ts';
import { type AddonRights, addonRights, findAddonRights, requireVisible } from './find-addon.ts';
import { loadDocuments } from './load-documents.ts';
import { localized } from './localized-text.ts';
import { type Policies, policies } from './policies.ts';

/** The add-on that `ref` names, if the viewer may see it and its type is not among those left out. */
async function visibleAddon(
  context: Context,
  ref: string,
  except: readonly string[] | null | undefined,
): Promise<AddonRights> {
  const rights = await findAddonRights(context, ref);
  if (except?.includes(rights.type)) throw new NotFoundError();
  requireVisible(context.viewer, rights);
  return rights;
}

async function documentOf(addon: AddonRights): Promise<AddonDocument> {
  const [document] = await loadDocuments([addon]);
  if (!document) throw new Error(`add-on ${addon.id} has no document`);
  return document;
}

builder.queryField('addon', (t) =>
  t.field({
    type: Addon,
    description: 'The add-on with this id, slug or guid.',
    args: {
      ref: t.arg.string({ required: true }),
      except: t.arg({ type: [AddonTypeEnum], description: 'Types to leave out.', subGraphs: INTERNAL }),
    },
    resolve: async (_root, { ref, except }, context) => documentOf(await visibleAddon(context, ref, except)),
  }),
);

builder.queryField('addonRevision', (t) =>
  t.string({
    subGraphs: INTERNAL,
    description: 'Changes whenever what anybody may see of this add-on does. Cheaper than the add-on.',
    args: { ref: t.arg.string({ required: true }), except: t.arg({ type: [AddonTypeEnum] }) },
    resolve: async (_root, { ref, except }, context) => (await visibleAddon(context, ref, except)).rowVersion ?? '',
  }),
);

builder.queryField('themeUpdate', (t) =>
  t.field({
    subGraphs: INTERNAL,
    type: Addon,
    description:
      'The persona with this database id, if anybody may see it: what an application that shows it asks for.',
    args: { id: t.arg.int({ required: true }) },
    resolve: async (_root, { id }, context) => {
      const { type } = await addonRights(context).load(id);
      const [persona] = type === 'persona' ? await publicAddons(context, [id]) : [];
      if (persona?.persona == null) throw new NotFoundError();
      return persona.id;
    },
  }),
);

builder.objectFields(Addon, (t) => {
  const policy = (name: keyof Policies, isThere: 'hasEula' | 'hasPrivacyPolicy') =>
    t.field({
      type: Localized,
      nullable: true,
      resolve: async (addon, _args, context) =>
        addon[isThere] ? localized((await policies(context).load(addon.id))[name], addon.defaultLocale) : null,
    });
  return { eula: policy('eula', 'hasEula'), privacyPolicy: policy('privacyPolicy', 'hasPrivacyPolicy') };
});
