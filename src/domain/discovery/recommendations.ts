import { builder, INTERNAL } from '../../graphql/builder.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum } from '../addons/enums.ts';
import { type RecommendationsRow, recommend } from './recommend.ts';

const RecommendationOutcome = builder.enumType('RecommendationOutcome', {
  values: {
    RECOMMENDED: { value: 'recommended' },
    RECOMMENDED_FALLBACK: { value: 'recommended_fallback' },
    CURATED: { value: 'curated' },
  } as const,
});

const RecommendationFallbackReason = builder.enumType('RecommendationFallbackReason', {
  values: { TIMEOUT: { value: 'timeout' }, NO_RESULTS: { value: 'no_results' } } as const,
});

const Recommendations = builder.objectRef<RecommendationsRow>('Recommendations').implement({
  fields: (t) => ({
    outcome: t.field({
      type: RecommendationOutcome,
      description: 'Whether the add-ons were recommended or taken from the curated list, and if that was the wish.',
      resolve: ({ outcome }) => outcome,
    }),
    fallbackReason: t.field({
      type: RecommendationFallbackReason,
      nullable: true,
      description: 'Why the curated list had to do.',
      resolve: ({ fallbackReason }) => fallbackReason,
    }),
    count: t.int({ resolve: ({ addons }) => addons.length }),
    results: t.field({ type: [Addon], description: 'At most four.', resolve: ({ addons }) => addons }),
  }),
});

builder.queryField('recommendations', (t) =>
  t.field({
    type: Recommendations,
    description: 'Add-ons that go with the one with this guid; without recommended, the curated list.',
    args: {
      guid: t.arg.string(),
      recommended: t.arg.boolean(),
      except: t.arg({ type: [AddonTypeEnum], description: 'Types to leave out.', subGraphs: INTERNAL }),
    },
    resolve: (_root, asked) => recommend(asked),
  }),
);
