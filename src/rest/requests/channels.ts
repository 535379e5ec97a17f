import type { Channel } from '../../generated/operations/graphql.ts';
import { enumValues } from '../../http/params.ts';
import { CHANNELS } from '../../package/enums.ts';

/** The names of channels in forms, for the OpenAPI documents. */
export const CHANNEL_NAMES: readonly string[] = CHANNELS;

const KNOWN: ReadonlyMap<string, Channel> = new Map(Object.entries(enumValues(CHANNELS)));

/** The channel of a name in a form; undefined for an unknown one and without a name. */
export function channelOf(name: string | undefined): Channel | undefined {
  return name === undefined ? undefined : KNOWN.get(name);
}
