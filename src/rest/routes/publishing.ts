import { z } from 'zod';
import { payloadOf } from '../../execution/endpoint.ts';
import { ExchangePublisherTokenDocument } from '../../generated/operations/graphql.ts';
import { json } from '../body.ts';
import { jsonReply, type Route, route } from '../route.ts';

const Request = z.object({
  addon: z.string().min(1).max(255).meta({ description: 'The guid of the add-on.' }),
  token: z.string().min(1).max(16_384).meta({ description: 'The ID token of the job.' }),
});

const Reply = z.object({
  key: z.string().meta({ description: 'Public part of an API key that uploads versions of the add-on.' }),
  secret: z.string().meta({ description: 'Its secret.' }),
  expires: z.string().meta({ description: 'When it expires: 15 minutes from now.' }),
});

const exchangeToken = route({
  method: 'POST',
  path: '/publishing/token/',
  apiVersions: ['v5'],
  summary: 'Exchange the ID token of a job of continuous integration for an API key',
  signIn: 'ignored',
  body: json(Request),
  document: ExchangePublisherTokenDocument,
  variables: (_input, { addon, token }) => ({ input: { guid: addon, token } }),
  reply: ({ exchangePublisherToken: result }) => jsonReply(payloadOf(result, 'key'), 201),
  responses: { 201: { description: 'The key, which is in no later response.', schema: Reply } },
  refusals: [400, 401, 415, 429],
});

export const publishingRoutes: readonly Route[] = [exchangeToken];
