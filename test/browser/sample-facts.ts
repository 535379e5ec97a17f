/* Values of the running demo that addresses of pages contain. */
import { brokenPackage, xpi } from '../support/packages.ts';
import { sendGraphql } from './graphql.ts';
import { authorizationOf, type Cookies } from './roles.ts';
import type { DemoService } from './service.ts';
import { waitingUpload } from './waiting-upload.ts';

export interface Facts {
  /** Serial number of a certificate. */
  serial: string;
  /** Path of the page of a validation. */
  validation: string;
  /** Id of a version of `tab-notes`. */
  versionId: number;
  /** Id of the file of this version. */
  fileId: number;
  /** Path of a category. */
  category: string;
  /** Id of an upload that the developer can submit. */
  upload: string;
  /** Id of an upload of the developer with messages about lines of its files. */
  broken: string;
  /** Id of an API key of the developer. */
  keyId: number;
  /** Number of a failed job. */
  job: string;
}

/** A syntax error in a long line, and characters that change the direction of text. */
const BROKEN = {
  'background.js': `const text = '\u202Eabc'; // ${'x'.repeat(600)}\n\tconst broken = ; // ${'y'.repeat(600)}\n// שלום\n`,
};

const FACTS = `{
  addon(by: { slug: "tab-notes" }) { currentVersion { databaseId files { databaseId certificateSerial } } }
  upload(by: { addonVersion: { guid: "tab-notes@demo.example", version: "1.1" } }) { validationUrl }
  categories(app: DESKTOP_BROWSER, type: EXTENSION) { slug }
  viewer { private { apiKeys { databaseId revoked } } }
}`;

interface Found {
  addon: { currentVersion: { databaseId: number; files: { databaseId: number; certificateSerial: string | null }[] } };
  upload: { validationUrl: string };
  categories: { slug: string }[];
  viewer: { private: { apiKeys: { databaseId: number; revoked: string | null }[] } };
}

/** Finds the values, as the developer with these cookies. */
export async function findFacts({ url: origin, failJob }: DemoService, developer: Cookies): Promise<Facts> {
  const authorization = authorizationOf(developer) ?? '';
  const data = await sendGraphql<Found>(origin, authorization, FACTS);
  const { currentVersion } = data.addon;
  return {
    serial: currentVersion.files[0]?.certificateSerial ?? '',
    validation: new URL(data.upload.validationUrl).pathname,
    upload: await waitingUpload(origin, authorization, await xpi({ guid: 'waiting@sample.example' })),
    broken: await waitingUpload(
      origin,
      authorization,
      await brokenPackage({ guid: 'broken@sample.example', files: BROKEN }),
    ),
    versionId: currentVersion.databaseId,
    fileId: currentVersion.files[0]?.databaseId ?? 0,
    category: `/category/extension/${data.categories[0]?.slug}/`,
    job: await failJob('tab-notes'),
    keyId: data.viewer.private.apiKeys.find(({ revoked }) => revoked === null)?.databaseId ?? 0,
  };
}
