import { builder, INTERNAL } from '../../graphql/builder.ts';
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
      categoryName: t.arg.string({ subGraphs: INTERNAL, description: 'Slug of a category; ignored without types.' }),
      locale: t.arg.string({
        description: 'Language code: add-ons featured for other languages only are left out. Default: no filter.',
      }),
      first: t.arg.int({
        description:
          'Maximum number of add-ons, from 1 to 50; other numbers are refused with BAD_USER_INPUT. Default: 25.',
      }),
      takesDigits: t.arg.boolean({
        subGraphs: INTERNAL,
        description: 'Whether digits in categoryName are a database id.',
      }),
    },
    resolve: (_root, filter, { hiddenTypes }) => listFeatured({ ...filter, except: hiddenTypes }),
  }),
);
