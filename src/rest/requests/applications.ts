import { z } from 'zod';
import type { Application } from '../../generated/operations/graphql.ts';
import { enumValues } from '../../http/params.ts';
import { APPLICATIONS } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';

/** Applications by their documented keys, and by the names that today's tools send. */
const KNOWN: ReadonlyMap<string, Application> = new Map<string, Application>([
  ...Object.entries(enumValues(APPLICATIONS)),
  ['firefox', 'DESKTOP_BROWSER'],
  ['android', 'MOBILE_BROWSER'],
  ['thunderbird', 'MAIL_CLIENT'],
]);

/** The names of applications in requests, for the OpenAPI documents. */
export const APPLICATION_NAMES = [...KNOWN.keys()] as [string, ...string[]];

/** The name of an application in a request. */
export const applicationName = z
  .string()
  .refine((name) => KNOWN.has(name), { params: { ...message('compatibility.unknown_app') } });

/** The application of such a name. */
export const applicationOf = (name: string): Application => KNOWN.get(name) as Application;
