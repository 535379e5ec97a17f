import { builder } from '../../graphql/builder.ts';

export const ChannelEnum = builder.enumType('Channel', {
  description: 'How a version is distributed.',
  values: {
    LISTED: { value: 'listed', description: 'Published in the catalogue after review.' },
    UNLISTED: { value: 'unlisted', description: 'Signed and distributed by its developers.' },
  } as const,
});
