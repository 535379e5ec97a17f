import { requireSignedIn } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { numberedPage, pageArguments } from '../../graphql/connections.ts';
import { Addon } from '../addons/addon.ts';
import { type NumberedList, NumberedPage, sliceOf } from '../discovery/numbered-list.ts';
import { WorkStateEnum } from './addon-progress.ts';
import { addonsOfAuthor } from './addon-work.ts';

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

builder.queryField('developerAddons', (t) =>
  t.field({
    type: DeveloperAddonPage,
    description: 'The add-ons of which the viewer is an author. For signed-in viewers.',
    args: {
      state: t.arg({ type: WorkStateEnum, description: 'Only add-ons on which this party acts next.' }),
      sort: t.arg({ type: SortEnum, description: 'Order of the add-ons. Default: UPDATED.' }),
      ...pageArguments,
    },
    resolve: async (_root, { state, sort, page, pageSize }, { viewer }) => {
      const { accountId } = requireSignedIn(viewer);
      const request = numberedPage(page, pageSize);
      const filter = { state: state ?? null, sort: sort ?? 'updated' };
      const { ids, count } = await addonsOfAuthor(accountId, filter, sliceOf(request));
      return { ...request, results: ids, count };
    },
  }),
);
