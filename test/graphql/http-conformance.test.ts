import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';

const app = setUpApp();

// The audits are created before the server has a port, so each reads the URL when it runs.
const audits = serverAudits({ url: () => `${app.url}/graphql`, fetchFn: fetch });

describe('GraphQL over HTTP', () => {
  it('runs all audits of the specification', () => {
    expect(audits).toHaveLength(61);
  });

  it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_name, audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });
});
