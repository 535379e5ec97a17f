/*
 * `npm start`: everything for one machine. This process serves the web and supervises a worker as a
 * child process. After a kill, the next start continues.
 */

import { config } from '../config.ts';
import type { DemoCredentials } from '../demo/accounts.ts';
import { type Demo, prepareDemo } from '../demo/fill-demo.ts';
import { claimStore } from '../infra/blob-store/installation.ts';
import { log } from '../infra/log.ts';
import { openDatabase } from './open-database.ts';
import { reloadOnHangup } from './reload.ts';
import { serveWeb, stopWeb } from './serve.ts';
import { endsWithin, isFulfilled, waitForStop } from './shutdown.ts';
import { type SupervisedWorker, superviseWorker } from './supervise-worker.ts';

/** How long a start waits for its worker. After that the service accepts uploads, which wait for the worker. */
const WORKER_START_MS = 30_000;

/** Prepares the database, starts worker and web, prints the welcome page, fills the demo, and runs until a stop signal. */
export async function start(): Promise<void> {
  const stop = waitForStop();
  const database = await openDatabase(log, 'apply');
  try {
    await claimStore();
    const demo = await prepareDemo(database.isEmbedded);
    await runWorkerAndWeb(demo, stop);
  } finally {
    await database.close();
  }
}

async function runWorkerAndWeb(demo: Demo | null, stop: Promise<string>): Promise<void> {
  const worker = superviseWorker();
  try {
    const isReady = await endsWithin(WORKER_START_MS, Promise.race([worker.ready, stop]));
    if (!isReady) log.warn('The worker is not ready yet; uploads wait for it.');
    if (!(await isFulfilled(stop))) await serveUntil(stop, demo, worker);
  } finally {
    await worker.stop();
  }
}

async function serveUntil(stop: Promise<string>, demo: Demo | null, worker: SupervisedWorker): Promise<void> {
  const web = await serveWeb();
  reloadOnHangup([{ what: 'the worker', reload: async () => worker.reload() }]);
  const stopping = new AbortController();
  let seeding: Promise<void> | undefined;
  if (!(await isFulfilled(stop))) {
    process.stdout.write(welcome(demo));
    if (demo?.credentials) await demo.noteShown();
    seeding = demo?.fill(stopping.signal);
  }
  const cause = await stop;
  log.info(`The service stops after ${cause}.`);
  stopping.abort();
  // Together, because the time of a stop is limited. Uploads that are still accepted wait for the next start.
  await Promise.all([stopWeb(web, cause), worker.stop(), seeding]);
}

/** The text that a start prints when the service is ready: URLs, accounts, first commands. */
function welcome(demo: Demo | null): string {
  const { BASE_URL, SITE_NAME } = config;
  const lines = [
    '',
    `${SITE_NAME} is ready at ${BASE_URL}/`,
    '',
    `  GraphQL           ${BASE_URL}/graphql`,
    `  REST              ${BASE_URL}/api/v4/   described in ${BASE_URL}/docs/openapi-v4.json`,
    `  Root certificate  ${BASE_URL}/signing/root.pem`,
    `  State             ${BASE_URL}/readyz`,
    '',
    ...(demo === null ? withoutDemo() : demo.credentials === null ? demoAgain() : demoFirst(demo.credentials)),
    '',
    'Commands: npx addons --help      Stop: Ctrl-C',
    '',
    '',
  ];
  return lines.join('\n');
}

function withoutDemo(): string[] {
  return [
    'Next: an account and an API key.',
    '',
    '  npx addons user create --username me --email me@example.org',
    '  npx addons key create --user me',
  ];
}

function demoAgain(): string[] {
  return [
    'This is a demo: its keys were shown at the first start. For another one:',
    '',
    '  npx addons key create --user demo-developer',
    '  npx addons token create --user demo-reviewer',
  ];
}

function demoFirst({ developer, reviewerToken, adminToken }: DemoCredentials): string[] {
  const { BASE_URL } = config;
  return [
    `This is a demo. Its add-ons are being published in the background. In a browser, open ${BASE_URL}/ and sign in as`,
    'demo-developer, demo-reviewer, demo-moderator, demo-admin or demo-user. Keys and tokens are shown this once:',
    '',
    `  demo-developer    API key     ${developer.key}`,
    `                    secret      ${developer.secret}`,
    '  demo-developer-2  second developer, without a key yet',
    `  demo-reviewer     Authorization: Bearer ${reviewerToken}`,
    `  demo-admin        Authorization: Bearer ${adminToken}`,
    '',
    'Sign a first add-on with curl:',
    '',
    '  mkdir -p var/hello',
    `  echo '{"manifest_version": 2, "name": "Hello", "version": "1.0"}' > var/hello/manifest.json`,
    '  npx addons pack var/hello var/hello.xpi',
    `  curl -X PUT -F upload=@var/hello.xpi ${BASE_URL}/api/v4/addons/hello@example.org/versions/1.0/ \\`,
    `    -H "Authorization: JWT $(npx addons jwt --key ${developer.key} --secret ${developer.secret})"`,
    '',
    'or with sign-addon, which waits for the signature and downloads the file:',
    '',
    `  node -e 'require("sign-addon").signAddon({ xpiPath: "var/hello.xpi", id: "hello-2@example.org", version: "1.0",`,
    `    downloadDir: "var", apiUrlPrefix: "${BASE_URL}/api/v4", apiKey: "${developer.key}",`,
    `    apiSecret: "${developer.secret}" }).then((result) => console.log(result))'`,
  ];
}
