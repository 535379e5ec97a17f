import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database.ts';
import { PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';

const PATH = '/api/v4/addons/replacement-addon/';

interface Instance extends RunningProgram {
  url: string;
}

let database: TestDatabase;
const instances: Instance[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
  await database.drop();
});

async function startInstance(): Promise<Instance> {
  const settings = { ...databaseSettings(database), SHUTDOWN_DELAY: '2', LOG_LEVEL: 'info' };
  const program = startProgram(settings, { args: [PROGRAM, 'serve'] });
  const [, url = ''] = await program.printed(/"url":"(http[^"]+)".*The web process serves/);
  const instance = { ...program, url };
  instances.push(instance);
  return instance;
}

/** Sends one request; returns status and `Connection` header, or the code of a network error. */
function send(url: string, agent?: Agent): Promise<{ result: number | string; connection: string | undefined }> {
  return new Promise((resolve) => {
    get(url, agent === undefined ? {} : { agent }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ result: response.statusCode ?? 0, connection: response.headers.connection }),
      );
    }).once('error', (error) =>
      resolve({ result: (error as NodeJS.ErrnoException).code ?? error.message, connection: undefined }),
    );
  });
}

it('loses no request of keep-alive clients when a balancer follows /readyz', async () => {
  const [first, second] = [await startInstance(), await startInstance()];
  const agent = new Agent({ keepAlive: true });
  let target = first;
  let isDone = false;
  const balance = async () => {
    while (target === first) {
      if ((await send(`${first.url}/readyz`)).result !== 200) target = second;
      await sleep(50);
    }
  };
  const seen = new Map<number | string, number>();
  const connections = new Set<string | undefined>();
  const client = async () => {
    while (!isDone) {
      const { result, connection } = await send(target.url + PATH, agent);
      seen.set(result, (seen.get(result) ?? 0) + 1);
      connections.add(connection);
    }
  };
  const work = [balance(), ...Array.from({ length: 8 }, client)];
  await sleep(500);

  const end = await first.end('SIGTERM');
  isDone = true;
  await Promise.all(work);
  agent.destroy();

  expect(end).toEqual({ code: 0, signal: null });
  expect(target).toBe(second);
  expect([...seen.keys()]).toEqual([200]);
  expect([...connections].sort()).toEqual(['close', 'keep-alive']);
});

it('logs an unhandled rejection, stops and ends with status 1', async () => {
  const settings = { ...databaseSettings(database), LOG_LEVEL: 'info' };
  const failure = 'data:text/javascript,process.on("SIGUSR2",()=>{Promise.reject(new Error("lost promise"))})';
  const program = startProgram(settings, { args: ['--import', failure, PROGRAM, 'serve'] });
  await program.printed(/The web process serves/);
  expect(await program.end('SIGUSR2')).toEqual({ code: 1, signal: null });
  expect(program.output()).toMatch(/"message":"lost promise".*"An error was not handled; the process stops\."/);
  expect(program.output()).toContain('The web process stops after an unhandled error.');
});
