/*
 * Runs unmodified tools that developers use today, which support only version 5 of the API, against a new installation with its
 * validator and signer. Prints one line per scenario and exits with 1 if one fails, or with 69 if the package registry cannot
 * be reached. Option: --tools FOLDER with installed tools, which are installed there if missing.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { amoUploadScenarios } from './current/amo-upload.ts';
import { type Lane, type Scenario, wordOf } from './current/lane.ts';
import { publishScenarios } from './current/publish-browser-extension.ts';
import { readmeScenarios } from './current/readme-step.ts';
import { webExtScenarios } from './current/web-ext.ts';
import { installPackage, NoRegistryError } from './install-package.ts';
import { startLossyProxy } from './lossy-proxy.ts';
import { openSite, type Site } from './site.ts';

const UNAVAILABLE = 69;

interface Tool {
  name: string;
  version: string;
  /** Its script or entry point below its folder. */
  script: string;
  scenarios: Scenario[];
}

const webExt = { name: 'web-ext', script: 'bin/web-ext.js' };

const tools: Tool[] = [
  { ...webExt, version: '10.7.0', scenarios: [...readmeScenarios, ...webExtScenarios] },
  { name: 'amo-upload', version: '0.6.0', script: 'dist/index.js', scenarios: amoUploadScenarios },
  { ...webExt, version: '9.4.0', scenarios: webExtScenarios },
  {
    name: 'publish-browser-extension',
    version: '6.2.0',
    script: 'bin/publish-extension.mjs',
    scenarios: publishScenarios,
  },
  { ...webExt, version: '8.10.0', scenarios: webExtScenarios },
];

const { values } = parseArgs({ options: { tools: { type: 'string' } } });
const folder = await mkdtemp(join(tmpdir(), 'addons-current-tools-'));
const counts = { passed: 0, failed: 0 };
try {
  await runAll();
} catch (error) {
  if (!(error instanceof NoRegistryError)) throw error;
  console.log(error.message);
  console.log('skipped: no package registry');
  process.exitCode = UNAVAILABLE;
} finally {
  if (counts.failed === 0) await rm(folder, { recursive: true, force: true });
}

/** Each tool starts as soon as it is installed. The first one shows whether the registry can be reached. */
async function runAll(): Promise<void> {
  for (const tool of tools.slice(0, 1)) await install(tool);
  const site = await openSite();
  try {
    const lanes: Promise<void>[] = [];
    for (const tool of tools) lanes.push(runLane(site, tool, await install(tool)));
    await Promise.all(lanes);
    if (!site.isRunning()) report(false, 'a process of the service ended unexpectedly');
  } finally {
    if (counts.failed > 0) console.log(`Kept: ${folder}; ${site.dataDir}, with logs next to it`);
    await site.close({ keepFolder: counts.failed > 0 });
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

/** Returns the path of the tool's script. */
async function install({ name, version, script }: Tool): Promise<string> {
  return join(await installPackage(resolve(values.tools ?? join(folder, 'tools')), name, version), name, script);
}

function report(isGood: boolean, line: string): void {
  counts[isGood ? 'passed' : 'failed'] += 1;
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${line}`);
}

async function runLane(site: Site, { name, version, scenarios }: Tool, program: string): Promise<void> {
  const proxy = await startLossyProxy(site.url);
  const lane: Lane = { name: `${name} ${version}`, site, proxy, folder: '', program };
  lane.folder = join(folder, wordOf(lane));
  await mkdir(lane.folder);
  for (const scenario of scenarios) await runScenario(lane, scenario);
  proxy.close();
}

async function runScenario(lane: Lane, { name, run }: Scenario): Promise<void> {
  const started = performance.now();
  const problem = await run(lane).then(
    () => null,
    (error: unknown) => error,
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  report(problem === null, `${lane.name} ${name} (${seconds} s)`);
  if (problem !== null) console.log(`      ${String(problem).replaceAll('\n', '\n      ')}`);
}
