import { builder, INTERNAL } from '../../graphql/builder.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { listFeatured } from './list-featured.ts';

builder.queryField('featuredAddons', (t) =>
  t.field({
    type: [Addon],
    description:
      'Featured add-ons in a random order that stays for ten minutes: those for the given language, then those for all.',
    args: {
      app: t.arg({ type: ApplicationEnum, required: true }),
      type: t.arg({ type: [AddonTypeEnum] }),
      category: t.arg.string({ description: 'Slug or id; ignored without a type.' }),
      lang: t.arg.string(),
      first: t.arg.int({ description: 'At most 50; 25 when it cannot be used.' }),
      except: t.arg({ type: [AddonTypeEnum], description: 'Types to leave out.', subGraphs: INTERNAL }),
    },
    resolve: (_root, filter) => listFeatured(filter),
  }),
);
