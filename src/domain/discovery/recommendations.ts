import { builder, enumOf } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { Addon } from '../addons/addon.ts';
import { type RecommendationsRow, recommend } from './recommend.ts';

const RecommendationOutcome = enumOf('RecommendationOutcome', 'Where recommended add-ons come from.', {
  recommended: 'From the recommendation service.',
  recommended_fallback: 'From the curated list, because the service timed out or had no results.',
  curated: 'From the curated list, as requested.',
});

const RecommendationFallbackReason = enumOf(
  'RecommendationFallbackReason',
  'Why the curated list replaces recommendations.',
  {
    timeout: 'The recommendation service did not respond in time.',
    no_results: 'No public add-on was recommended.',
  },
);

const Recommendations = builder.objectRef<RecommendationsRow>('Recommendations').implement({
  description: 'At most four public add-ons, recommended for users of another add-on.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: RecommendationOutcome, description: 'Where the add-ons come from.' }),
    fallbackReason: t.expose('fallbackReason', {
      type: RecommendationFallbackReason,
      nullable: true,
      description: 'Why the curated list was used; null unless outcome is RECOMMENDED_FALLBACK.',
    }),
    count: t.int({ description: 'Number of results, at most four.', resolve: ({ addons }) => addons.length }),
    results: t.expose('addons', { type: [Addon], description: 'The add-ons, best first.' }),
  }),
});

builder.queryField('recommendations', (t) =>
  t.field({
    type: Recommendations,
    description: 'Add-ons recommended for users of another add-on, or the curated list.',
    args: {
      guid: t.arg.string({ description: 'Guid of the other add-on; without it, the curated list.' }),
    },
    resolve: (_root, { guid }, { hiddenTypes = [] }) => recommend(guid ?? null, hiddenTypes),
  }),
);

const recommendationsFor = perRequest<string, RecommendationsRow>((guids, { hiddenTypes = [] }) =>
  Promise.all(guids.map((guid) => recommend(guid, hiddenTypes))),
);

builder.objectField(Addon, 'recommendations', (t) =>
  t.field({
    type: Recommendations,
    description:
      'Add-ons recommended for users of this one. An external recommendation service gets a request for each add-on.',
    extensions: { cost: 2_000 },
    resolve: ({ guid }, _args, context) => recommendationsFor(context).load(guid),
  }),
);
