import { requireSignedIn } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { numberedPage, pageArguments } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { Addon } from '../addons/addon.ts';
import { type NumberedList, NumberedPage, sliceOf } from '../discovery/numbered-list.ts';
import { addonFacts, addonsOfAuthor } from './addon-facts.ts';
import { WorkStateEnum } from './addon-progress.ts';
import { nextStepOf, type WorkState, workStateOf } from './next-step.ts';

const SortEnum = builder.enumType('DeveloperAddonSort', {
  description: 'Order of the add-ons of a developer.',
  values: {
    UPDATED: { value: 'updated', description: 'Last change or upload, newest first.' },
    NAME: { value: 'name', description: 'Name in the default language of each add-on.' },
    USERS: { value: 'users', description: 'Number of users, most first.' },
  } as const,
});

const DeveloperAddonPage = builder.objectRef<NumberedList<number>>('DeveloperAddonPage').implement({
  description: 'A page of the add-ons of a developer.',
  interfaces: [NumberedPage],
  fields: (t) => ({
    results: t.expose('results', { type: [Addon], description: 'The add-ons of this page.' }),
  }),
});

/** Those of these add-ons on which this party acts next, in the same order. */
async function inState(context: Context, ids: readonly number[], state: WorkState): Promise<number[]> {
  const facts = await Promise.all(ids.map((id) => addonFacts(context).load(id)));
  return ids.filter((_id, index) => {
    const addon = facts[index];
    return addon != null && workStateOf(nextStepOf(addon).step) === state;
  });
}

builder.queryField('developerAddons', (t) =>
  t.field({
    type: DeveloperAddonPage,
    description: 'The add-ons of which the viewer is an author. For signed-in viewers.',
    args: {
      state: t.arg({ type: WorkStateEnum, description: 'Only add-ons on which this party acts next.' }),
      sort: t.arg({ type: SortEnum, description: 'Order of the add-ons. Default: UPDATED.' }),
      ...pageArguments,
    },
    resolve: async (_root, { state, sort, page, pageSize }, context) => {
      const { accountId } = requireSignedIn(context.viewer);
      const request = numberedPage(page, pageSize);
      const all = await addonsOfAuthor(accountId, sort ?? 'updated');
      const ids = state == null ? all : await inState(context, all, state);
      const { offset, limit } = sliceOf(request);
      return { ...request, results: ids.slice(offset, offset + limit), count: ids.length };
    },
  }),
);
