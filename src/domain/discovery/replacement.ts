import { builder, INTERNAL } from '../../graphql/builder.ts';
import { numberedPage } from '../../graphql/connections.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum } from '../addons/enums.ts';
import { listReplacements, type ReplacementRow } from './list-replacements.ts';
import { type NumberedList, pageCountOf } from './numbered-list.ts';

const Replacement = builder.objectRef<ReplacementRow>('Replacement').implement({
  description: 'What can take the place of a legacy add-on.',
  fields: (t) => ({
    guid: t.exposeString('guid', { description: 'Of the legacy add-on.' }),
    replacement: t.stringList({
      description: 'Guids of public add-ons, the most suitable first; none when it leads elsewhere.',
      resolve: ({ addons }) => addons.map(({ guid }) => guid),
    }),
    addons: t.field({
      type: [Addon],
      description: 'The same as add-ons.',
      resolve: ({ addons }) => addons.map(({ id }) => id),
    }),
  }),
});

const ReplacementPage = builder.objectRef<NumberedList<ReplacementRow>>('ReplacementPage').implement({
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Of all pages together.' }),
    page: t.exposeInt('page'),
    pageSize: t.exposeInt('pageSize'),
    pageCount: t.int({ description: 'An empty list has one.', resolve: (list) => pageCountOf(list) }),
    results: t.expose('results', { type: [Replacement] }),
  }),
});

builder.queryField('replacements', (t) =>
  t.field({
    type: ReplacementPage,
    description: 'Suggested replacements for legacy add-ons.',
    args: {
      page: t.arg.int(),
      pageSize: t.arg.int(),
      except: t.arg({ type: [AddonTypeEnum], description: 'Types to leave out.', subGraphs: INTERNAL }),
    },
    resolve: (_root, { page, pageSize, except }) => listReplacements(numberedPage(page, pageSize), except ?? []),
  }),
);
