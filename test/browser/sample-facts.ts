/* Values of the running demo that addresses of pages contain. */
import { randomInt } from 'node:crypto';
import { brokenPackage, xpi } from '../support/packages.ts';
import { sendGraphql } from './graphql.ts';
import { authorizationOf, type Cookies, type Role } from './roles.ts';
import { addSampleCode } from './sample-code.ts';
import type { DemoService } from './service.ts';
import { waitingUpload } from './uploads.ts';

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
  /** Id of an entry of home pages. */
  hero: number;
  /** The UUID of a collection of a visitor. */
  collection: string;
  /** Id of an upload that the developer can submit. */
  upload: string;
  /** Id of an upload of the developer with messages about lines of its files. */
  broken: string;
  /** Id of an API key of the developer. */
  keyId: number;
  /** Number of a failed job. */
  job: string;
  /** Ids of the webhooks of `tab-notes` and of the service. */
  webhooks: { addon: number; service: number };
  /** Path of the add-on of `sample-code.ts`. */
  code: string;
  /** Cursor of the last comment on the first page of those on its script. */
  comments: string;
  /** Id of a canned response. */
  canned: number;
  /** Guid of an add-on with a compat override. */
  override: string;
}

/** A syntax error in a long line, and characters that change the direction of text. */
const BROKEN = {
  'background.js': `const text = '\u202Eabc'; // ${'x'.repeat(600)}\n\tconst broken = ; // ${'y'.repeat(600)}\n// שלום\n`,
};

const FACTS = `{
  addon(by: { slug: "tab-notes" }) { currentVersion { databaseId files { databaseId certificateSerial } } }
  upload(by: { addonVersion: { guid: "tab-notes@demo.example", version: "1.1" } }) { validationUrl }
  categories(app: DESKTOP_BROWSER, type: EXTENSION) { slug }
  collection(path: "demo-user/quiet-reading") { uuid }
  viewer { private { apiKeys { databaseId revoked } } }
}`;

interface Found {
  addon: { currentVersion: { databaseId: number; files: { databaseId: number; certificateSerial: string | null }[] } };
  upload: { validationUrl: string };
  categories: { slug: string }[];
  collection: { uuid: string };
  viewer: { private: { apiKeys: { databaseId: number; revoked: string | null }[] } };
}

const COMMENTS = `query ($guid: String!) { addon(by: { guid: $guid }) { version(by: { number: "2.0" }) {
  lineComments(path: "background.js", first: 100) { pageInfo { endCursor } } } } }`;

interface Commented {
  addon: { version: { lineComments: { pageInfo: { endCursor: string } } } };
}

interface Hooked {
  addon: { webhooks: { databaseId: number }[] };
  serviceWebhooks: { databaseId: number }[];
}

const OVERRIDE = 'overridden@sample.example';

/** What the demo has none of. */
const ADDED = `mutation ($name: String!) {
  createCannedResponse(input: { name: $name, text: [{ locale: "en-US", value: "Please include all code." }, { locale: "he", value: "נא לכלול את כל הקוד." }] }) {
    ... on CreateCannedResponsePayload { cannedResponse { databaseId } }
  }
  first: upsertDiscoveryEntry(input: { addon: { guid: "tab-notes@demo.example" }, position: 1, heading: [
    { locale: "en-US", value: "Remember every page" }, { locale: "he", value: "לזכור כל דף" }] }) { __typename }
  second: upsertDiscoveryEntry(input: { edition: "china", locale: "de", addon: { guid: "tab-notes@demo.example" } }) { __typename }
  createHeroEntry(input: { external: { name: "Paper Kite", homepage: "https://kite.example/" }, gradientStart: "#7a2d9c",
    gradientEnd: "#0b57b7", description: [{ locale: "en-US", value: "Collects what you read" }] }) {
    ... on CreateHeroEntryPayload { entry { databaseId } } }
  featured: createHeroEntry(input: { addon: { guid: "tab-notes@demo.example" }, gradientStart: "#20123a",
    gradientEnd: "#054096" }) { __typename }
  upsertBrowserMapping(input: { browser: "chrome", extensionId: "aapbdbdomjkkjkaonfhkkikfgjllcleb",
    addonGuid: "tab-notes@demo.example" }) { __typename }
  upsertCompatOverride(input: { guid: "${OVERRIDE}", name: "Breaks the start", versionRanges: [
    { addonMinVersion: "1.0", addonMaxVersion: "1.9", applications: [{ app: DESKTOP_BROWSER, minVersion: "57.0", maxVersion: "60.*" }] },
    { addonMinVersion: "2.0", addonMaxVersion: "*", applications: [{ app: MAIL_CLIENT, minVersion: "57.0", maxVersion: "*" }] }
  ] }) { __typename }
}`;

interface Added {
  createCannedResponse: { cannedResponse?: { databaseId: number } };
  createHeroEntry: { entry?: { databaseId: number } };
  upsertCompatOverride: { __typename: string };
}

/** Finds the values, as the developer, and adds what only operators add. */
export async function findFacts(
  { url: origin, addSampleRows }: DemoService,
  cookies: Readonly<Record<Role, Cookies>>,
): Promise<Facts> {
  const authorization = authorizationOf(cookies.developer) ?? '';
  const upload = (bytes: Promise<Buffer>) => bytes.then((each) => waitingUpload(origin, authorization, each));
  const [added, data, waiting, broken, code] = await Promise.all([
    sendGraphql<Added>(origin, authorizationOf(cookies.administrator), ADDED, {
      // Names are unique, and a demo may be checked repeatedly.
      name: `Privacy: remote code ${randomInt(1e9)}`,
    }),
    sendGraphql<Found>(origin, authorization, FACTS),
    upload(xpi({ guid: 'waiting@sample.example' })),
    upload(brokenPackage({ guid: 'broken@sample.example', files: BROKEN })),
    addSampleCode(origin, authorization),
  ]);
  const job = await addSampleRows('tab-notes', code.guid);
  const { addon } = await sendGraphql<Commented>(origin, authorization, COMMENTS, { guid: code.guid });
  const hooked = await Promise.all([
    sendGraphql<Hooked>(origin, authorization, '{ addon(by: { slug: "tab-notes" }) { webhooks { databaseId } } }'),
    sendGraphql<Hooked>(origin, authorizationOf(cookies.administrator), '{ serviceWebhooks { databaseId } }'),
  ]);
  const { currentVersion } = data.addon;
  return {
    serial: currentVersion.files[0]?.certificateSerial ?? '',
    validation: new URL(data.upload.validationUrl).pathname,
    ...{ upload: waiting, broken, job, code: code.path },
    webhooks: {
      addon: hooked[0].addon.webhooks.at(-1)?.databaseId ?? 0,
      service: hooked[1].serviceWebhooks.at(-1)?.databaseId ?? 0,
    },
    comments: addon.version.lineComments.pageInfo.endCursor,
    versionId: currentVersion.databaseId,
    fileId: currentVersion.files[0]?.databaseId ?? 0,
    collection: data.collection.uuid,
    hero: added.createHeroEntry.entry?.databaseId ?? 0,
    category: `/category/extension/${data.categories[0]?.slug}/`,
    canned: added.createCannedResponse.cannedResponse?.databaseId ?? 0,
    override: OVERRIDE,
    keyId: data.viewer.private.apiKeys.find(({ revoked }) => revoked === null)?.databaseId ?? 0,
  };
}
