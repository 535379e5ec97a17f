import { z } from 'zod';
import type { Application, Channel } from '../../generated/operations/graphql.ts';
import { enumValues } from '../../http/params.ts';
import { APPLICATIONS, CHANNELS } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';

/** Applications by their documented keys, and by the names that today's tools send. */
const APPLICATION_OF: ReadonlyMap<string, Application> = new Map<string, Application>([
  ...Object.entries(enumValues(APPLICATIONS)),
  ['firefox', 'DESKTOP_BROWSER'],
  ['android', 'MOBILE_BROWSER'],
  ['thunderbird', 'MAIL_CLIENT'],
]);

/** The names of applications in requests, for the OpenAPI documents. */
export const APPLICATION_NAMES = [...APPLICATION_OF.keys()] as [string, ...string[]];

/** The name of an application in a request. */
export const applicationName = z
  .string()
  .refine((name) => APPLICATION_OF.has(name), { params: { ...message('compatibility.unknown_app') } });

/** The application of such a name. */
export const applicationOf = (name: string): Application => APPLICATION_OF.get(name) as Application;

/** The names of channels in forms, for the OpenAPI documents. */
export const CHANNEL_NAMES: readonly string[] = CHANNELS;

const CHANNEL_OF: ReadonlyMap<string, Channel> = new Map(Object.entries(enumValues(CHANNELS)));

/** The channel of a name in a form; undefined for an unknown one and without a name. */
export function channelOf(name: string | undefined): Channel | undefined {
  return name === undefined ? undefined : CHANNEL_OF.get(name);
}
