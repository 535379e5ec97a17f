import { runOnce } from 'graphile-worker';
import { type GraphQLSchema, isNonNullType, isScalarType } from 'graphql';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { runInternal } from '../../support/internal-graphql.ts';
import { xpi } from '../../support/packages.ts';

const app = setUpApp();
let admin: Client;
let operator: Client;

const { switchReadOnly } = await import('../../../src/domain/maintenance/switch-read-only.ts');
const { DiskWatch } = await import('../../../src/domain/maintenance/watch-disk.ts');
const { verifyAuditLog } = await import('../../../src/domain/activity/record-audit.ts');

beforeAll(async () => {
  admin = await app.admin();
  operator = await app.memberWith('Admin:Service');
});
afterEach(() => switchReadOnly('test', false, ''));

const SET = `mutation($input: SetReadOnlyInput!) { setReadOnly(input: $input) {
  ... on SetReadOnlyPayload { serviceState { isReadOnly retryAfter } } ... on UserError { code } } }`;
const set = (client: Client, input: object) => client.graphql(SET, { input });
const isReadOnly = async () =>
  (await app.anonymous.graphql<{ serviceState: { isReadOnly: boolean } }>('{ serviceState { isReadOnly } }'))
    .serviceState.isReadOnly;
const switches = () =>
  app.sql<{ actor: string; details: object }>(
    `select actor, details from audit_entry where action = 'read-only-switched' order by id`,
  );

/** Every mutation of a schema but the one that ends read-only mode, as a document with a variable for each argument. */
function mutationsOf(schema: GraphQLSchema): [string, string][] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  return fields.flatMap(({ name, args, type }) => {
    if (name === 'setReadOnly') return [];
    const variables = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
    const values = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    const selection = isScalarType(isNonNullType(type) ? type.ofType : type) ? '' : '{ __typename }';
    const call = args.length === 0 ? name : `${name}(${values})`;
    return [[name, `mutation${args.length === 0 ? '' : `(${variables})`} { ${call} ${selection} }`]];
  });
}

const REFUSED = { code: 'READ_ONLY', messageCode: 'service.read_only', messageParams: {} };

describe('read-only mode', () => {
  it('refuses every write of the route table with 503, before anything else', async () => {
    const { routes } = await import('../../../src/rest/routes/index.ts');
    const writes = routes.filter(({ method, changesState }) => method !== 'GET' || changesState);
    expect(writes.length).toBeGreaterThan(5);
    await switchReadOnly('test', true, '');
    for (const { method, path, apiVersions, errors } of writes) {
      for (const version of apiVersions) {
        const address = `/api/${version}${path.replace(/:\w+/g, 'x')}`;
        for (const client of [app.anonymous, app.client({ token: 'wrong' })]) {
          const reply = await client.request(method, address, { headers: { 'Content-Type': 'text/plain' }, body: 'x' });
          const keys = Object.keys(reply.json as object);
          expect([method, address, reply.status, reply.headers['x-svc-read-only'], keys]).toEqual([
            ...[method, address, 503, 'true'],
            version === 'v5' && errors !== 'error' ? ['detail'] : ['error', 'detail'],
          ]);
        }
      }
    }
  });

  it('refuses every mutation with 503, but for the one that ends it', async () => {
    const { publicSchema, fullSchema } = await import('../../../src/execution/schema.ts');
    await switchReadOnly('test', true, '');
    const served = mutationsOf(publicSchema);
    expect(served.length).toBeGreaterThan(30);
    for (const [name, query] of served) {
      const body = JSON.stringify({ query, variables: {} });
      const reply = await admin.request('POST', '/graphql', { headers: { 'Content-Type': 'application/json' }, body });
      const { errors, data } = reply.json as { errors: { extensions: object }[]; data?: unknown };
      expect([name, reply.status, reply.headers['x-svc-read-only'], errors[0]?.extensions, data]).toEqual([
        ...[name, 503, 'true', REFUSED],
        undefined,
      ]);
    }
    for (const [, query] of mutationsOf(fullSchema)) {
      await expect(runInternal(query)).rejects.toMatchObject({ code: 'READ_ONLY' });
    }
  });

  it('says what operators wrote, in GraphQL too', async () => {
    const text = [{ locale: 'de-AT', value: ' Bis Mittag. ' }];
    expect(await set(operator, { isReadOnly: true, text: [{ locale: 'xx', value: 'x' }] })).toMatchObject({
      setReadOnly: { code: 'BAD_USER_INPUT' },
    });
    expect(await set(operator, { text })).toMatchObject({ setReadOnly: { code: 'BAD_USER_INPUT' } });
    await set(operator, { isReadOnly: true, text });
    const STATE = '{ serviceState { readOnlyText { all { locale value } } } }';
    const shown = { serviceState: { readOnlyText: { all: [{ locale: 'de', value: 'Bis Mittag.' }] } } };
    expect(await app.anonymous.graphql(STATE)).toEqual(shown);
    await set(operator, { isReadOnly: true });
    expect(await app.anonymous.graphql(STATE)).toEqual(shown);
    await set(operator, { isReadOnly: false });
    expect(await app.anonymous.graphql(STATE)).toEqual({ serviceState: { readOnlyText: null } });
  });

  it('is switched by holders of Admin:Service, with an audit row for each change', async () => {
    const from = (await switches()).length;
    for (const client of [await app.developer(), await app.memberWith('Admin:Groups', 'Users:Edit')]) {
      expect(await set(client, { isReadOnly: true })).toEqual({ setReadOnly: { code: 'NOT_PERMITTED' } });
    }
    app.config.RETRY_AFTER = 120;
    const on = { setReadOnly: { serviceState: { isReadOnly: true, retryAfter: 120 } } };
    expect(await set(operator, { isReadOnly: true, reason: ' backup ' })).toEqual(on);
    expect(await set(operator, { isReadOnly: true, reason: 'again' })).toEqual(on);
    const refused = await admin.request('POST', '/graphql', {
      headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
      body: JSON.stringify({ query: 'mutation { createApiKey(input: {}) { __typename } }' }),
    });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '120']);
    expect(await set(operator, { isReadOnly: false })).toEqual({
      setReadOnly: { serviceState: { isReadOnly: false, retryAfter: null } },
    });
    app.config.RETRY_AFTER = undefined;
    expect((await switches()).slice(from).map(({ actor, details }) => [actor.split(' ')[1], details])).toEqual([
      [String(operator.accountId), { readOnly: true, reason: 'backup' }],
      [String(operator.accountId), { readOnly: false, reason: '' }],
    ]);
  });

  it('is not ended together with another mutation', async () => {
    await switchReadOnly('test', true, '');
    for (const query of [
      'mutation { setReadOnly(input: { isReadOnly: false }) { __typename } createApiKey(input: {}) { __typename } }',
      'mutation { ...Both } fragment Both on Mutation { setReadOnly(input: { isReadOnly: false }) { __typename } signing: createApiKey(input: {}) { __typename } }',
    ]) {
      expect((await admin.graphqlResult(query)).errors?.[0]?.extensions).toMatchObject({ code: 'READ_ONLY' });
    }
    expect(await isReadOnly()).toBe(true);
    const fragment = 'mutation { ... on Mutation { setReadOnly(input: { isReadOnly: false }) { __typename } } }';
    expect((await admin.graphqlResult(fragment)).errors).toBeUndefined();
    expect(await isReadOnly()).toBe(false);
  });

  it('spends the nonces of one-time tokens as ever', async () => {
    await switchReadOnly('test', true, '');
    const headers = admin.authorization();
    const read = () => app.anonymous.request('GET', '/api/v4/addons/addon/none/', { headers });
    expect([(await read()).status, (await read()).status]).toEqual([404, 401]);
  });
});

describe('jobs that users caused', () => {
  it('wait until read-only mode ends', async () => {
    const { createTaskList } = await import('../../../src/process/task-list.ts');
    const { waitingFlags } = await import('../../../src/jobs/tasks.ts');
    const { pool } = await import('../../../src/infra/db.ts');
    const upload = await xpi({ guid: 'waits@example', version: '1.0' });
    await admin.put('/api/v4/addons/waits@example/versions/1.0/', { upload });
    await switchReadOnly('test', true, '');
    // The tools are for jobs that do not start.
    const taskList = createTaskList({ stopping: new AbortController().signal } as never);
    await runOnce({ pgPool: pool, taskList, noHandleSignals: true, forbiddenFlags: waitingFlags });
    const stage = () => app.sql(`select stage from version where version = '1.0'`);
    expect([await stage(), await app.pendingJobs()]).toEqual([[{ stage: 'received' }], ['validate-version']]);
    await switchReadOnly('test', false, '');
    expect(await waitingFlags()).toEqual([]);
    await app.runJobs();
    expect([await stage(), await app.pendingJobs()]).toEqual([[{ stage: 'signed' }], []]);
  });
});

describe('the watch on free space', () => {
  it('switches read-only mode on and off again, and leaves the switch of the operator alone', async () => {
    const from = (await switches()).length;
    let free = 1_000;
    app.config.LOW_DISK_MB = 100;
    const disk = new DiskWatch(async () => free);
    const states: boolean[] = [];
    for (free of [1_000, 100, 99, 100, 124, 125]) {
      await disk.check();
      states.push(await isReadOnly());
    }
    expect(states).toEqual([false, false, true, true, true, false]);
    expect((await switches()).slice(from)).toMatchObject([
      {
        actor: 'disk watch',
        details: { readOnly: true, reason: expect.stringMatching(/^99 MB are free on .+ LOW_DISK_MB is 100$/) },
      },
      { actor: 'disk watch', details: { readOnly: false } },
    ]);
    free = 5;
    await disk.check();
    await switchReadOnly('test', true, '');
    free = 1_000;
    await disk.check();
    expect(await isReadOnly()).toBe(true);
    await switchReadOnly('test', false, '');
    expect(await isReadOnly()).toBe(false);
  });

  it('applies to other processes until its process has ended', async () => {
    const { forgetReadOnlyState, noteLowDisk } = await import('../../../src/infra/read-only.ts');
    await new DiskWatch(async () => 5).check();
    noteLowDisk(false);
    forgetReadOnlyState();
    expect(await isReadOnly()).toBe(true);
    await app.sql(`update service_state set modified = now() - interval '31 seconds' where name like 'low_disk:%'`);
    forgetReadOnlyState();
    expect(await isReadOnly()).toBe(false);
  });
});

describe('the clock of a host', () => {
  it.each([-60, 600])('does not change how long its report is valid: %i s off', async (seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
    await new DiskWatch(async () => 5).check();
    vi.useRealTimers();
    const [age] = await app.sql<{ isNow: boolean }>(
      `select modified between now() - interval '20 seconds' and now() as "isNow" from service_state
        where name like 'low_disk:%' and value = 'true'`,
    );
    expect(age).toEqual({ isNow: true });
    await new DiskWatch(async () => 1_000).check();
  });
});

describe('switching 100 times under a load of writes', () => {
  it('leaves every write done or not done', async () => {
    const written = { reports: 0, groups: 0, refused: 0 };
    let isDone = false;
    const report = async (index: number) => {
      const body = JSON.stringify({ addon: `load-${index}@example`, message: 'under load' });
      const options = { headers: { 'Content-Type': 'application/json' }, body };
      const { status } = await app.anonymous.request('POST', '/api/v4/abuse/report/addon/', options);
      expect([201, 503]).toContain(status);
      if (status === 201) written.reports++;
      else written.refused++;
    };
    const group = async (index: number) => {
      const query = 'mutation($name: String!) { createGroup(input: { name: $name }) { __typename } }';
      const { data, errors } = await admin.graphqlResult<object>(query, { name: `load ${index}` });
      if (errors === undefined) expect(data).toEqual({ createGroup: { __typename: 'CreateGroupPayload' } });
      else expect(errors[0]?.extensions).toEqual(REFUSED);
      if (errors === undefined) written.groups++;
      else written.refused++;
    };
    const write = async (start: number) => {
      for (let index = start; !isDone; index += 4) await (index % 2 === 0 ? report(index) : group(index));
    };
    const writers = [0, 1, 2, 3].map(write);
    for (let turn = 0; turn < 100; turn++) {
      await switchReadOnly('test', turn % 2 === 0, '');
      await isReadOnly();
    }
    isDone = true;
    await Promise.all(writers);
    const [kept] = await app.sql(`select
      (select count(*)::int from abuse_report where message = 'under load') as reports,
      (select count(*)::int from activity where action = 'abuse-reported') as activities,
      (select count(*)::int from permission_group where name like 'load %') as groups,
      (select count(*)::int from audit_entry where action = 'group-created') as audits`);
    expect(kept).toEqual({
      ...{ reports: written.reports, groups: written.groups },
      activities: written.reports,
      audits: written.groups,
    });
    expect(Math.min(written.reports, written.groups, written.refused)).toBeGreaterThan(0);
    expect((await verifyAuditLog()).broken).toEqual([]);
  });
});
