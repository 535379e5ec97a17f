import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { Addon } from './addon.ts';
import type { AddonDocument } from './addon-document.ts';
import { type AddonRef, AddonRefInput } from './addon-ref.ts';
import { type AddonRights, findServedAddon, requireVisible } from './find-addon.ts';
import { loadDocuments, loadPublicDocuments } from './load-documents.ts';
import { Localized } from './localized.ts';
import { localized } from './localized-text.ts';

interface AddonArguments {
  by: AddonRef;
}

/** Finds an add-on. @throws {NotFoundError}, also for hidden types, and the errors of `requireVisible`. */
async function visibleAddon(context: Context, { by }: AddonArguments): Promise<AddonRights> {
  const rights = await findServedAddon(context, by);
  requireVisible(context.viewer, rights);
  return rights;
}

async function documentOf(addon: AddonRights): Promise<AddonDocument> {
  const [document] = await loadDocuments([addon]);
  if (!document) throw new Error(`add-on ${addon.id} has no document`);
  return document;
}

const addonArguments = builder.args((t) => ({
  by: t.field({ type: AddonRefInput, required: true, description: 'What names the add-on.' }),
}));

builder.queryField('addon', (t) =>
  t.field({
    type: Addon,
    nullable: true,
    description:
      'One add-on. Null with the error NOT_FOUND for an unknown one, with NOT_AUTHENTICATED or NOT_PERMITTED for one that is not public.',
    args: addonArguments,
    resolve: async (_root, args, context) => documentOf(await visibleAddon(context, args)),
  }),
);

builder.queryField('addonRevision', (t) =>
  t.string({
    description:
      'Addon.revision of one add-on, cheaper than by reading the add-on: changes with every public property. Fails as `addon` does.',
    args: addonArguments,
    resolve: async (_root, args, context) => (await visibleAddon(context, args)).rowVersion ?? '',
  }),
);

builder.queryField('themeUpdate', (t) =>
  t.field({
    subGraphs: INTERNAL,
    type: Addon,
    description: 'A public persona, for applications that check whether it has changed.',
    args: { id: t.arg.int({ required: true, description: 'Database id of the add-on.' }) },
    resolve: async (_root, { id }) => {
      const addon = (await loadPublicDocuments([id])).get(id);
      if (addon?.type !== 'persona' || addon.persona === null) throw new NotFoundError();
      return addon;
    },
  }),
);

builder.objectFields(Addon, (t) => {
  const policy = (name: keyof Policies, isPresent: 'hasEula' | 'hasPrivacyPolicy', description: string) =>
    t.field({
      type: Localized,
      nullable: true,
      description: `${description}, with HTML; null without one.`,
      resolve: async (addon, _args, context) =>
        addon[isPresent]
          ? localized((await policies(context).load(addon.id))[name], addon.defaultLocale, 'html')
          : null,
    });
  return {
    eula: policy('eula', 'hasEula', 'The agreement that users must accept before installation'),
    privacyPolicy: policy('privacyPolicy', 'hasPrivacyPolicy', 'The privacy policy'),
  };
});

interface Policies {
  eula: unknown;
  privacyPolicy: unknown;
}

/** EULA and privacy policy by add-on id. Documents do not contain them, because they are long. */
const policies = perRequest<number, Policies>(async (ids) => {
  const rows = await db.addon.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, eula: true, privacyPolicy: true },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? { eula: {}, privacyPolicy: {} });
});
