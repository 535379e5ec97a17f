import { builder } from '../../graphql/builder.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { listFeatured } from './list-featured.ts';

builder.queryField('featuredAddons', (t) =>
  t.field({
    type: [Addon],
    description:
      'Featured public add-ons in a random order that changes every ten minutes. Those for locale come before those for all languages.',
    args: {
      app: t.arg({ type: ApplicationEnum, required: true, description: 'The application they are featured for.' }),
      types: t.arg({ type: [AddonTypeEnum], description: 'Only these types.' }),
      category: t.arg.id({
        description: 'Global id of a category of app and one of types: only add-ons featured in it.',
      }),
      categorySlug: t.arg.string({
        description: 'Slug of such a category in any case, or its database id in digits; instead of category.',
      }),
      locale: t.arg.string({
        description: 'Language code: add-ons featured for other languages only are left out. Default: no filter.',
      }),
      first: t.arg.int({
        description:
          'Maximum number of add-ons, from 1 to 50; other numbers are refused with BAD_USER_INPUT. Default: 25.',
      }),
    },
    resolve: (_root, filter, { hiddenTypes }) => listFeatured({ ...filter, except: hiddenTypes }),
  }),
);
