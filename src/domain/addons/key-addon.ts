import { builder } from '../../graphql/builder.ts';
import { ApiKey } from '../accounts/api-key.ts';
import { Addon } from './addon.ts';

builder.prismaObjectField(ApiKey, 'addon', (t) =>
  t.field({
    type: Addon,
    nullable: true,
    description: 'The add-on of which the key only uploads versions; null for other keys.',
    select: { addonId: true },
    resolve: ({ addonId }, _args, context) => (addonId === null ? null : Addon.loadOrNull(context, addonId)),
  }),
);
