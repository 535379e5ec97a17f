import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgram } from '../client.ts';
import type { LossyProxy } from '../lossy-proxy.ts';
import type { Site } from '../site.ts';

/** One tool, with the state that its scenarios share: later scenarios use the add-ons of earlier ones. */
export interface Lane {
  /** Name and version. */
  name: string;
  site: Site;
  /** The proxy in front of the service, which the tool uses. */
  proxy: LossyProxy;
  /** Folder for packages, sources and downloads; home of the tool. */
  folder: string;
  /** Path of the tool's script or entry point. */
  program: string;
}

/** One behaviour of a tool. */
export interface Scenario {
  name: string;
  /** @throws {AssertionError} if the tool prints or saves something unexpected. */
  run(lane: Lane): Promise<void>;
}

export interface Outcome {
  exitCode: number;
  output: string;
}

/** Runs the tool with these words until it ends. `settings` are environment variables, `flags` options of Node. */
export async function runTool(
  { program, folder }: Lane,
  words: string[],
  { settings = {}, flags = [] }: { settings?: Record<string, string>; flags?: string[] } = {},
): Promise<Outcome> {
  const options = { cwd: folder, settings: { HOME: folder, ...settings } };
  return runProgram(process.execPath, [...flags, program, ...words], options);
}

/** The path of a new folder of the lane. */
export const newFolder = ({ folder }: Lane, name: string): Promise<string> => mkdtemp(join(folder, `${name}-`));

/** Writes a file of the lane and returns its path. Overwrites an existing one. */
export async function writeInput({ folder }: Lane, name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** The address part of a tool's name: `web-ext 10.7.0` is `web-ext-10-7-0`. */
export const wordOf = ({ name }: Lane): string => name.replaceAll(/[^a-z0-9]+/g, '-');
