import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../src/config.ts';
import { until } from '../crash/support/waiting.ts';
import { findProgram } from '../support/find-program.ts';
import { Marionette } from './marionette.ts';

const START_MS = 60_000;
const STOP_MS = 10_000;

/** A running browser without a window. */
export interface Browser {
  /** Runs the body of an async function with the rights of the browser; see `Marionette.run`. */
  run: Marionette['run'];
  /** Opens a page and clicks the first element that matches a CSS selector, as a user does. */
  click(page: string, selector: string): Promise<void>;
  close(): Promise<void>;
}

/** Path of the executable of the distribution's ESR build, or null if it is not installed. */
export async function findFirefox(): Promise<string | null> {
  const program = await findProgram('firefox-esr');
  return program === null ? null : realpath(program);
}

/**
 * Starts the browser with a new profile and these policies. Policies belong to an installation: the browser reads them next to
 * its executable. `folder` therefore gets an installation of its own, links to the files of the installed one.
 */
export async function startFirefox(program: string, folder: string, policies: string): Promise<Browser> {
  const own = await linkInstallation(program, join(folder, 'program'));
  await mkdir(join(dirname(own), 'distribution'));
  await writeFile(join(dirname(own), 'distribution', 'policies.json'), policies);
  const profile = join(folder, 'profile');
  await mkdir(profile);
  await writeFile(join(profile, 'user.js'), Object.entries(PREFERENCES).map(preferenceLine).join(''));
  const words = ['--headless', '--no-remote', '--profile', profile, '--marionette', '--remote-allow-system-access'];
  const environment = { HOME: folder, MOZ_CRASHREPORTER_DISABLE: '1', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
  const child = spawn(own, words, { env: childEnvironment(environment), stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(folder, 'browser.log'));
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const exited = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  const port = await until('the port of the remote control', START_MS, () => {
    if (child.exitCode !== null) throw new Error(`the browser ended with status ${child.exitCode}; see browser.log`);
    return readPort(join(profile, 'MarionetteActivePort'));
  });
  const marionette = await Marionette.open(port);
  return {
    run: (body, ...values) => marionette.run(body, ...values),
    click: (page, selector) => marionette.click(page, selector),
    close: async () => {
      marionette.close();
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(STOP_MS, undefined, { ref: false }).then(() => child.kill('SIGKILL'))]);
      await exited;
    },
  };
}

/** Any free port for the remote control, none of its changes to preferences, and no requests to the vendor's services. */
const PREFERENCES = {
  'marionette.port': 0,
  'remote.prefs.recommended': false,
  'app.normandy.enabled': false,
  'browser.region.network.url': '',
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'browser.topsites.contile.enabled': false,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.systemAddon.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

function preferenceLine([name, value]: [string, string | number | boolean]): string {
  return `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`;
}

/** The executable is a copy, because the browser follows links to find the folder that it is in. */
async function linkInstallation(program: string, folder: string): Promise<string> {
  await mkdir(folder);
  for (const name of await readdir(dirname(program))) {
    if (name === 'distribution' || name === basename(program)) continue;
    await symlink(join(dirname(program), name), join(folder, name));
  }
  const own = join(folder, basename(program));
  await copyFile(program, own);
  return own;
}

async function readPort(path: string): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text === '' ? null : Number(text);
}
