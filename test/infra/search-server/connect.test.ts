import { afterEach, expect, it } from 'vitest';
import { config } from '../../../src/config.ts';
import { connectSearchServer } from '../../../src/infra/search-server/connect.ts';

const { ELASTICSEARCH_URL, ELASTICSEARCH_CA_FILE } = config;

afterEach(() => {
  Object.assign(config, { ELASTICSEARCH_URL, ELASTICSEARCH_CA_FILE });
});

it('a certificate of the authority that cannot be read is named', async () => {
  config.ELASTICSEARCH_URL = 'https://127.0.0.1:1';
  config.ELASTICSEARCH_CA_FILE = '/does-not-exist.pem';
  await expect(connectSearchServer()).rejects.toMatchObject({
    name: 'SearchServerError',
    message: expect.stringMatching(/^The search server cannot be verified; ELASTICSEARCH_CA_FILE: ENOENT: /),
  });
});
