import { html } from 'hono/html';
import { execute } from '../../execution/execute.ts';
import { OwnDataDocument, type OwnDataQuery } from '../../generated/operations/graphql.ts';
import type { Context } from '../../graphql/context.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';

const PATH = '/account/data.json';

/** The section of the account page that leads to the file. */
export const ownDataLink = ({ t }: Ui): Html =>
  html`<section class="stack" id="data"><h2>${t('account.own-data.title')}</h2>
<p>${t('account.own-data.why')}</p>
<p><a class="button" href="${PATH}" download>${t('account.own-data.download')}</a></p></section>`;

/** The parts of the file: an object with a list of rows for each part, and the names of the parts that are truncated. */
async function* partsOfFile(context: Context): AsyncGenerator<string> {
  const truncated: string[] = [];
  let current: string | null = null;
  yield `{"created":${JSON.stringify(new Date())}`;
  for (let after: string | null = null; ; ) {
    const { ownData }: OwnDataQuery = await execute(OwnDataDocument, { after }, context);
    const isNew: boolean = ownData.part !== current;
    const lines = (ownData.rows as unknown[]).map((row) => JSON.stringify(row)).join(',\n');
    yield isNew ? `${current === null ? '' : ']'},\n${JSON.stringify(ownData.part)}:[\n` : '';
    yield `${!isNew && lines !== '' ? ',\n' : ''}${lines}`;
    if (ownData.isTruncated) truncated.push(ownData.part);
    if (ownData.next === null) break;
    current = ownData.part;
    after = ownData.next;
  }
  yield `],\n"truncated":${JSON.stringify(truncated)}}\n`;
}

/** What the service stores about the account, as a file. */
export const ownDataPage = page({
  path: PATH,
  visitor: 'account',
  needsRecentSignIn: true,
  limit: 'page-own-data',
  view: () => ({
    kind: 'stream' as const,
    contentType: 'application/json; charset=utf-8',
    fileName: 'account-data.json',
    open: partsOfFile,
  }),
});
