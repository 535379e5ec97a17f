import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';

const app = setUpApp();

describe('the signature log', () => {
  const LOG = `query ($filter: SignatureLogFilter, $order: LogOrder, $after: String) {
    signatureLog(first: 2, after: $after, filter: $filter, order: $order) {
      totalCount nodes { guid version serial } pageInfo { endCursor hasNextPage } } }`;
  interface Log {
    signatureLog: {
      totalCount: number;
      nodes: { guid: string; version: string; serial: string }[];
      pageInfo: { endCursor: string; hasNextPage: boolean };
    };
  }
  const read = async (variables: object = {}) => (await app.anonymous.graphql<Log>(LOG, { ...variables })).signatureLog;
  const serials = async (variables: object = {}) => (await read(variables)).nodes.map(({ serial }) => serial);

  beforeAll(async () => {
    const { logCertificate } = await import('../../../src/domain/signature-log/signature-log.ts');
    const logged = await addon({ guid: 'Logged@example' });
    const fileId = logged.versions[0]?.files[0]?.id ?? 0;
    for (const [index, [guid, version]] of [
      ['Logged@example', '1.0'],
      ['other@example', '1.0'],
      ['Logged@example', '2.0'],
    ].entries()) {
      await logCertificate({
        ...{ guid: guid ?? '', version: version ?? '', serial: `0a${index}f`, issuer: 'CN=Test', fileId },
        inputSha256: 'ab'.repeat(32),
      });
    }
  });

  it('is listed by add-on and version, in both orders', async () => {
    expect(await read()).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(await serials()).toEqual(['0a0f', '0a1f']);
    const newest = await read({ order: 'NEWEST_FIRST' });
    expect(newest.nodes.map(({ serial }) => serial)).toEqual(['0a2f', '0a1f']);
    expect(await serials({ order: 'NEWEST_FIRST', after: newest.pageInfo.endCursor })).toEqual(['0a0f']);
    const byGuid = await read({ filter: { guid: 'logged@EXAMPLE ' } });
    expect([byGuid.totalCount, byGuid.nodes.map(({ serial }) => serial)]).toEqual([2, ['0a0f', '0a2f']]);
    expect(await serials({ filter: { guid: 'Logged@example', version: '2.0' } })).toEqual(['0a2f']);
    expect(await serials({ filter: { version: '1.0' } })).toEqual(['0a0f', '0a1f']);
    expect(await serials({ filter: { guid: 'GONE@example' } })).toEqual([]);
    const between = await read({ filter: { guid: 'other@example' } });
    expect(await serials({ filter: { guid: 'Logged@example' }, after: between.pageInfo.endCursor })).toEqual(['0a2f']);
    for (const filter of [{ guid: 'x\0' }, { version: '\0' }, { guid: '' }])
      expect(await serials({ filter })).toEqual([]);
  });

  it('has the entry of a serial number, with the text that its hash is made of', async () => {
    const find = async (serial: string) =>
      app.anonymous.graphqlResult<{ signatureLogEntry: { serial: string; hash: string; hashInput: string } | null }>(
        'query ($serial: String!) { signatureLogEntry(serial: $serial) { serial hash hashInput previousHash } }',
        { serial },
      );
    for (const serial of ['0a1f', '0A:1F', ' 0a 1f '])
      expect((await find(serial)).data?.signatureLogEntry?.serial).toBe('0a1f');
    const entry = (await find('0a1f')).data?.signatureLogEntry;
    expect(
      createHash('sha256')
        .update(entry?.hashInput ?? '')
        .digest('hex'),
    ).toBe(entry?.hash);
    for (const serial of ['', 'ff', 'xyz', '\0', '0a1f'.repeat(100)]) {
      expect(await find(serial)).toMatchObject({
        data: { signatureLogEntry: null },
        errors: [{ extensions: { code: 'NOT_FOUND' } }],
      });
    }
  });
});
