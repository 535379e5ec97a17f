import { builder } from '../../graphql/builder.ts';
import { pageArguments, positionConnection, reachableFields } from '../../graphql/connections.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { Addon } from '../addons/addon.ts';
import { listReplacements, loadReplacements, type ReplacementRow } from './list-replacements.ts';
import { readNames } from './read-names.ts';

export const Replacement = loadableNode<ReplacementRow>('Replacement', loadReplacements);

builder.objectType(Replacement, {
  description: 'The replacements for a legacy add-on.',
  fields: (t) => ({
    guid: t.exposeString('guid', { description: 'The guid of the legacy add-on.' }),
    replacement: t.stringList({
      description: 'Guids of the public add-ons that replace it, best first; empty when there are none.',
      resolve: ({ addons }) => addons.map(({ guid }) => guid),
    }),
    path: t.exposeString('path', {
      nullable: true,
      description: 'The path or address that replaces it, as curators wrote it; null if add-ons do.',
    }),
    guids: t.exposeStringList('guids', {
      description: 'Guids of the replacing add-ons, as curators wrote them; they need not exist here.',
    }),
    addons: t.field({
      type: [Addon],
      description: 'The add-ons of replacement, in the same order.',
      extensions: { items: 50 },
      resolve: ({ addons }) => addons.map(({ id }) => id),
    }),
  }),
});

builder.queryField('replacements', (t) =>
  t.connection(
    {
      type: Replacement,
      description: 'Replacements for legacy add-ons, in the order of their entry.',
      args: {
        guids: t.arg.stringList({
          description: 'Only replacements for legacy add-ons with one of these guids, in any case. At most 500.',
        }),
        ...pageArguments,
      },
      resolve: (_root, { guids, ...paging }, { hiddenTypes = [] }) => {
        const names = readNames(guids, 'guids');
        return positionConnection('replacements', paging, (slice) => listReplacements(slice, hiddenTypes, names));
      },
    },
    { name: 'ReplacementConnection', fields: (t) => reachableFields(t) },
    { name: 'ReplacementEdge' },
  ),
);
