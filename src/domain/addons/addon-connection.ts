import { builder } from '../../graphql/builder.ts';
import { Addon } from './addon.ts';

/** Counts the items of all pages, when a query selects `totalCount`. */
interface Counted {
  totalCount: () => Promise<number>;
}

export const AddonConnection = builder.connectionObject<typeof Addon, Counted>(
  {
    type: Addon,
    name: 'AddonConnection',
    description: 'One page of a list of add-ons.',
    fields: (t) => ({ totalCount: t.int({ resolve: ({ totalCount }) => totalCount() }) }),
  },
  { name: 'AddonEdge', description: 'An add-on and its cursor.' },
);
