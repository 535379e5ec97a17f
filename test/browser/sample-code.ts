/* An add-on whose files the pages of code show in every form: long lines, pictures, many comments. */

import { randomUUID } from 'node:crypto';
import { xpi } from '../support/packages.ts';
import { animated } from '../support/pictures.ts';
import { sendGraphql } from './graphql.ts';
import { signVersion } from './uploads.ts';

const LINES = 130;

/** A script with a line for each comment of `test/support/sample-rows-process.ts`. */
const script = (interval: number) =>
  [
    ...Array.from(
      { length: LINES },
      (_, index) => `const reminder${index} = { name: 'Reminder ${index}', after: ${index * interval} };`,
    ),
    `browser.storage.local.set({ reminders: [${Array.from({ length: LINES }, (_, index) => `reminder${index}`).join(', ')}] });`,
    '',
  ].join('\n');

async function packageOf(guid: string, version: string, interval: number, colours: [string, string]): Promise<Buffer> {
  const size = { width: 240, height: 120, colours };
  const files = {
    'background.js': script(interval),
    'pictures/loading.gif': await animated('gif', size),
    'pictures/loading.webp': await animated('webp', size),
    'pictures/loading.png': await animated('png', size),
  };
  return xpi({ guid, name: 'Reminders', version, files });
}

/** The add-on: its guid, and the path of its page. */
interface SampleCode {
  guid: string;
  path: string;
}

/** Makes the add-on with two versions, as its developer; another one in each run. */
export async function addSampleCode(origin: string, authorization: string): Promise<SampleCode> {
  const guid = `code-${randomUUID()}@sample.example`;
  for (const [version, interval, colours] of [
    ['1.0', 5, ['#0b57b7', '#ffffff']],
    ['2.0', 10, ['#176639', '#ffffff']],
  ] as const) {
    const bytes = await packageOf(guid, version, interval, [...colours]);
    await signVersion(origin, authorization, { guid, version, bytes });
  }
  const query = `{ addon(by: { guid: "${guid}" }) { url } }`;
  const { addon } = await sendGraphql<{ addon: { url: string } }>(origin, authorization, query);
  return { guid, path: new URL(addon.url).pathname };
}
