import { builder } from '../../graphql/builder.ts';

export const ChannelEnum = builder.enumType('Channel', {
  description: 'Whether a version is offered on the site or distributed by its developer.',
  values: { LISTED: { value: 'listed' }, UNLISTED: { value: 'unlisted' } } as const,
});
