import { refuse, requirePermission } from '../../auth/permissions.ts';
import { canKeepCannedResponses, canUseCannedResponses } from '../../auth/review-permissions.ts';
import { config } from '../../config.ts';
import { builder, type ObjectFields } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { mutation } from '../../graphql/mutation.ts';
import { rowsInOrder } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { Localized, TranslationInput } from '../addons/localized.ts';
import { type LocalizedText, storedTexts } from '../addons/localized-text.ts';
import { createCannedResponse, deleteCannedResponse, updateCannedResponse } from './keep-canned-responses.ts';

interface Canned {
  id: number;
  name: string;
  text: unknown;
}

/** @throws what `refuse` returns for viewers who are not reviewers. */
function requireUser({ viewer }: Context): void {
  if (!canUseCannedResponses(viewer)) throw refuse(viewer);
}

async function loadCanned(ids: readonly number[], context: Context): Promise<(Canned | Error)[]> {
  const rows = canUseCannedResponses(context.viewer)
    ? await db.cannedResponse.findMany({ where: { id: { in: [...ids] } } })
    : [];
  return rowsInOrder(ids, rows);
}

const CannedResponse = loadableNode<Canned>('CannedResponse', loadCanned);

builder.objectType(CannedResponse, {
  description: 'A text that reviewers reuse in their notes.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in the database.' }),
    name: t.exposeString('name', { description: 'What reviewers select it by.' }),
    text: t.field({
      type: Localized,
      description: 'The text, plain.',
      resolve: ({ text }): LocalizedText => ({ texts: storedTexts(text), defaultLocale: config.DEFAULT_LOCALE }),
    }),
  }),
});

builder.queryField('cannedResponses', (t) =>
  t.field({
    type: [CannedResponse],
    description: 'The texts that reviewers reuse, by name. For reviewers of any kind and holders of Admin:Review.',
    extensions: { items: 100 },
    resolve: (_root, _args, context) => {
      requireUser(context);
      return db.cannedResponse.findMany({ orderBy: { name: 'asc' } });
    },
  }),
);

builder.queryField('isCannedResponseKeeper', (t) =>
  t.boolean({
    description:
      'Whether the viewer may create, change and delete the texts that reviewers reuse: holders of Admin:Review.',
    resolve: (_root, _args, { viewer }) => canKeepCannedResponses(viewer),
  }),
);

const NAME = 'Its name, at most 255 characters; another one may not have it in any case.';

const changedResponse = (t: ObjectFields<{ id: number }>) => ({
  cannedResponse: t.field({ type: CannedResponse, description: 'The text after the change.', resolve: ({ id }) => id }),
});

mutation('createCannedResponse', {
  description: 'Creates a text that reviewers reuse. Requires Admin:Review.',
  input: 'A new canned response.',
  inputFields: (t) => ({
    name: t.string({ required: true, description: NAME }),
    text: t.field({ type: [TranslationInput], required: true, description: 'Texts by language, at least one.' }),
  }),
  resolve: async ({ name, text }, { viewer }) => ({
    id: await createCannedResponse(requirePermission(viewer, 'Admin:Review'), { name, text }),
  }),
  payloadFields: changedResponse,
});

mutation('updateCannedResponse', {
  description: 'Changes a text that reviewers reuse. Requires Admin:Review.',
  input: 'Changes to a canned response. Absent fields stay unchanged.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Its global id.' }),
    name: t.string({ description: NAME }),
    text: t.field({ type: [TranslationInput], description: 'Texts by language; other languages do not change.' }),
  }),
  resolve: async ({ id, name, text }, { viewer }) => {
    const keeper = requirePermission(viewer, 'Admin:Review');
    const changes = { name: name ?? null, text: text ?? [] };
    return { id: await updateCannedResponse(keeper, idOf('CannedResponse', id), changes) };
  },
  payloadFields: changedResponse,
});

mutation('deleteCannedResponse', {
  description: 'Deletes a text that reviewers reuse. Requires Admin:Review.',
  input: 'The canned response to delete.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Its global id.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const keeper = requirePermission(viewer, 'Admin:Review');
    return { id: await deleteCannedResponse(keeper, idOf('CannedResponse', id)) };
  },
  payloadFields: (t) => ({
    deletedId: t.globalID({
      description: 'Global id of the deleted canned response.',
      resolve: ({ id }) => ({ type: 'CannedResponse', id }),
    }),
  }),
});
