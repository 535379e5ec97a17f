/* Prometheus of Debian with the alert rules of `deploy/`, on loopback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../crash/support/installation.ts';
import { until } from '../crash/support/waiting.ts';

const RULES = join(import.meta.dirname, '../../deploy/alerts.yml');
const READY_MS = 90_000;

/** A value of an expression, with its labels. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

export interface Prometheus {
  /** Scrapes these ports of loopback from now on. */
  scrape(ports: readonly number[]): Promise<void>;
  /** The values of an expression now. */
  query(expression: string): Promise<Sample[]>;
  /** Names of the alerts that fire now. */
  firing(): Promise<Set<string>>;
  stop(): Promise<void>;
}

/** Whether this machine has the program. */
export async function hasPrometheus(): Promise<boolean> {
  const child = spawn('prometheus', ['--version'], { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** Starts it with its files in `folder`. It scrapes and evaluates the rules every `seconds`. */
export async function startPrometheus(folder: string, seconds: number): Promise<Prometheus> {
  const targets = join(folder, 'targets.json');
  const scrape = async (ports: readonly number[]): Promise<void> => {
    await writeFile(`${targets}.new`, JSON.stringify([{ targets: ports.map((port) => `127.0.0.1:${port}`) }]));
    await rename(`${targets}.new`, targets);
  };
  await scrape([]);
  const configuration = join(folder, 'prometheus.yml');
  const global = { scrape_interval: `${seconds}s`, evaluation_interval: `${seconds}s` };
  const discovery = [{ files: [targets], refresh_interval: '1s' }];
  // JSON is YAML.
  const settings = {
    global,
    rule_files: [RULES],
    scrape_configs: [{ job_name: 'addons', file_sd_configs: discovery }],
  };
  await writeFile(configuration, JSON.stringify(settings));
  const port = await freePort();
  const log = openSync(join(folder, 'prometheus.log'), 'w');
  const words = [`--config.file=${configuration}`, `--storage.tsdb.path=${join(folder, 'prometheus')}`];
  const child = spawn('prometheus', [...words, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: ['ignore', log, log],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await until('Prometheus', READY_MS, () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok || null,
      () => null,
    ),
  );
  const query = async (expression: string): Promise<Sample[]> => {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data, error } = (await response.json()) as {
      data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
      error?: string;
    };
    if (data === undefined) throw new Error(`${expression}: ${error}`);
    return data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
  };
  return {
    scrape,
    query,
    firing: async () =>
      new Set((await query('ALERTS{alertstate="firing"}')).map(({ labels }) => labels['alertname'] ?? '')),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
