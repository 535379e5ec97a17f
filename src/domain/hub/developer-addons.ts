import { requireSignedIn } from '../../auth/permissions.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { pageArguments, positionConnection } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { Addon, AddonConnection } from '../addons/addon.ts';
import { addonFacts, addonsOfAuthor } from './addon-facts.ts';
import { WorkStateEnum } from './addon-progress.ts';
import { nextStepOf, type WorkState, workStateOf } from './next-step.ts';

const SortEnum = enumOf('DeveloperAddonSort', 'Order of the add-ons of a developer.', {
  updated: 'Last change or upload, newest first.',
  name: 'Name in the default language of each add-on.',
  users: 'Number of users, most first.',
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
  t.connection(
    {
      type: Addon,
      description: 'The add-ons of which the viewer is an author. For signed-in viewers.',
      args: {
        state: t.arg({ type: WorkStateEnum, description: 'Only add-ons on which this party acts next.' }),
        sort: t.arg({ type: SortEnum, description: 'Order of the add-ons. Default: UPDATED.' }),
        ...pageArguments,
      },
      resolve: async (_root, { state, sort, ...paging }, context) => {
        const { accountId } = requireSignedIn(context.viewer);
        const all = await addonsOfAuthor(accountId, sort ?? 'updated');
        const ids = state == null ? all : await inState(context, all, state);
        const page = await positionConnection('developerAddons', paging, async ({ offset, limit }) => ({
          rows: ids.slice(offset, offset + limit),
          reachable: ids.length,
        }));
        return { ...page, totalCount: () => ids.length };
      },
    },
    AddonConnection,
  ),
);
