import { z } from 'zod';
import type { ResponseDoc, Route } from './route.ts';
import { type ApiVersion, GATES } from './view.ts';

const code = z.enum(['ERROR_INVALID_HEADER', 'ERROR_SIGNATURE_EXPIRED', 'ERROR_DECODING_SIGNATURE']).optional();

// `detail` alone is the body of routing errors, and of most errors outside signing.
const detail = z.strictObject({ detail: z.string() });
const both = z.strictObject({ error: z.string(), detail: z.string() });
const detailBody = detail.meta({ id: 'Detail' });
const bothBody = both.meta({ id: 'ErrorAndDetail' });
const errorBody = z.strictObject({ error: z.string() }).meta({ id: 'Error' });
const fieldsBody = z.record(z.string(), z.array(z.string()));

/** Bodies of failed sign-ins: a code and a text. */
const SIGN_IN_BODIES: Readonly<Record<number, z.ZodType>> = Object.fromEntries(
  [400, 401, 403, 404, 422, 429, 503].map((status) => [status, bothBody]),
);

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'There is a problem with the request.',
  401: 'Authentication is required, or failed.',
  403: 'The caller may not do this.',
  404: 'Not found, or the caller may not see it.',
  409: 'The version already exists.',
  415: 'Unsupported media type of the body.',
  422: 'Parameters are missing or wrong.',
  416: 'The range starts after the end of the file.',
  429: 'Too many requests; Retry-After says when to retry.',
  503: 'The service is in read-only mode or unavailable.',
};

/** Bodies of the signing endpoints, whose clients print `error`. */
const SIGNING_BODIES: Readonly<Record<number, z.ZodType>> = {
  400: errorBody,
  401: both.extend({ code }),
  403: bothBody,
  404: bothBody,
  409: errorBody,
  429: bothBody,
  503: bothBody,
};

const DETAIL_BODIES: Readonly<Record<number, z.ZodType>> = {
  400: fieldsBody,
  401: detail.extend({ code }),
  422: fieldsBody,
  503: bothBody,
};

/** Present when the add-on is not public. */
const flags = { is_disabled_by_developer: z.boolean().optional(), is_disabled_by_vendor: z.boolean().optional() };

/** For routes of an add-on, which may not be public (contract, Errors: 401 and 403). */
const ADDON_BODIES: Readonly<Record<number, z.ZodType>> = {
  ...DETAIL_BODIES,
  401: detail.extend({ code, ...flags }),
  403: detail.extend(flags),
};

/** For ratings, whose lists have parameters that belong together: such a refusal is one message. */
const RATING_BODIES: Readonly<Record<number, z.ZodType>> = { ...ADDON_BODIES, 400: z.union([fieldsBody, detailBody]) };

/** The paths of ratings; each is about a rating of an add-on, which may not be public. */
const OF_RATINGS = /^\/(?:ratings|reviews)\//;

/** Messages by field, nested like the request (submission API). */
const messages: z.ZodType = z
  .lazy(() => z.record(z.string(), z.union([z.array(z.string()), messages])))
  .meta({ id: 'Messages' });

/** Bodies of the submission API. Statuses that are absent here have `detail` alone. */
const FIELD_BODIES: Readonly<Record<number, z.ZodType>> = {
  400: messages,
  401: detail.extend({ code, ...flags }),
  403: detail.extend(flags),
  409: fieldsBody,
};

/** The response to a matching If-None-Match (RFC 9110, section 15.4.5). */
const NOT_MODIFIED = { 304: { description: 'Not changed since the state that If-None-Match names.' } };

function bodiesOf({ errors, params, path }: Route, version: ApiVersion): Readonly<Record<number, z.ZodType>> {
  if (errors === 'error') return SIGNING_BODIES;
  if (GATES[version].submission) return FIELD_BODIES;
  if (errors === 'sign-in') return SIGN_IN_BODIES;
  if (OF_RATINGS.test(path)) return RATING_BODIES;
  return 'addon' in params ? ADDON_BODIES : DETAIL_BODIES;
}

/** Every documented response of a route in an API version, error responses with their bodies (contract, Errors). */
export function responsesOf(route: Route, version: ApiVersion): Record<string, ResponseDoc> {
  const { method, signIn, responses, refusals, errors, changesState, isSearch } = route;
  // Authenticated clients get no ETags, except those of files.
  const isConditional =
    method === 'GET' && !changesState && (signIn !== 'required' || responses[200]?.file !== undefined);
  const bodies = bodiesOf(route, version);
  const statuses = [...refusals, ...(signIn === 'ignored' ? [] : [401, 403, 429]), ...(isSearch ? [429] : []), 503];
  const refused = statuses.map((status): [number, ResponseDoc] => [
    status,
    {
      description: DESCRIPTIONS[status] ?? '',
      schema: bodies[status] ?? detailBody,
      ...(errors === 'sign-in' ? { page: true } : {}),
    },
  ]);
  return { ...responses, ...(isConditional ? NOT_MODIFIED : {}), ...Object.fromEntries(refused) };
}
