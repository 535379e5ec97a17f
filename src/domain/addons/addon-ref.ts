import { builder } from '../../graphql/builder.ts';

export const AddonRefInput = builder.inputType('AddonRefInput', {
  description: 'Names an add-on in one way.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'Global id of the add-on.' }),
    databaseId: t.int({ description: 'The id of the add-on in REST.' }),
    slug: t.string({ description: 'Its short name in addresses, in any case.' }),
    guid: t.string({ description: 'The id in the manifest of its packages, in any case.' }),
  }),
});

/** One of the fields has a value. */
export type AddonRef = typeof AddonRefInput.$inferInput;
