import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { inEnglish } from '../../support/mutate.ts';

const app = setUpApp();

describe('EULA and privacy policy', () => {
  it('are those of the latest change after each mutation of a request', async () => {
    const owner = await app.developer();
    const { id } = await addon({ authors: [owner.accountId ?? 0] });
    const update = (name: string) => `${name}: updateAddon(input: $${name}) { ... on UpdateAddonPayload {
      addon { eula { value } privacyPolicy { value } } } }`;
    const results = await owner.graphql(
      `mutation($a: UpdateAddonInput!, $b: UpdateAddonInput!) { ${update('a')} ${update('b')} }`,
      {
        a: { id: globalId('Addon', id), eula: inEnglish('First') },
        b: { id: globalId('Addon', id), eula: inEnglish('Second'), privacyPolicy: inEnglish('We keep nothing.') },
      },
    );
    expect(results).toEqual({
      a: { addon: { eula: { value: 'First' }, privacyPolicy: null } },
      b: { addon: { eula: { value: 'Second' }, privacyPolicy: { value: 'We keep nothing.' } } },
    });
  });
});
