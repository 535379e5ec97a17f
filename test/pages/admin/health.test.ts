/* The health of the service and its jobs, as operators see them. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { makeJob } from '../../support/jobs.ts';
import { documentOf, englishIn, textOf, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let operator: Visitor;
let root: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  operator = await visitorOf(app, await app.memberWith('Admin:Service'));
  root = await visitorOf(app, await app.memberWith('*:*'));
  stranger = await visitorOf(app, await app.developer());
});
afterEach(() => app.sql('DELETE FROM graphile_worker._private_jobs'));

describe('/admin/', () => {
  it('says what is to be fixed', async () => {
    const text = textOf(await operator.get('/admin/'));
    expect(text).toMatch(/Read-only mode In order Off: changes are accepted/);
    expect(text).toMatch(/Database In order PostgreSQL \d+/);
    expect(text).toContain('No worker is alive');
    expect(text).toContain('Whether all of them are complete was never verified.');
    expect(text).toContain('The files have never been verified. Run addons storage verify on the server.');
    expect(text).toContain('No mail server is configured, so mails wait.');
    expect(text).toMatch(/1 thing is to be fixed\. 2 things need attention\. Workers To be fixed /);
  });

  it('warns of mails that wait after a failed attempt, with a link for keepers of mail', async () => {
    await app.sql(
      `INSERT INTO outgoing_mail (address, cause, subject, text, html, last_error)
       VALUES ('a@example.org', 'one', 'x', 'x', 'x', 'Refused.'), ('b@example.org', 'two', 'x', 'x', 'x', NULL)`,
    );
    const counts = '2 mails wait. 1 of them after a failed attempt.';
    const page = await root.get('/admin/');
    expect(textOf(page)).toContain(counts);
    expect(documentOf(page)('a[href="/admin/mail/"]').text()).toContain(counts);
    const shown = await operator.get('/admin/');
    expect(textOf(shown)).toContain(counts);
    expect(documentOf(shown)('a[href="/admin/mail/"]')).toHaveLength(0);
    expect(textOf(shown)).not.toContain('0 mails have failed');
    await app.sql("UPDATE outgoing_mail SET state = 'failed' WHERE cause = 'one'");
    expect(textOf(await operator.get('/admin/'))).toContain('1 mail has failed and is not tried again.');
    await app.sql('DELETE FROM outgoing_mail');
  });

  it('shows the workers that are alive, and what they report', async () => {
    const { openLiveness } = await import('../../../src/jobs/liveness.ts');
    const { reportWorker } = await import('../../../src/domain/operation/worker-reports.ts');
    const held = await openLiveness(() => {});
    await held.declare('worker-a');
    const facts = {
      started: '2026-01-02T03:04:05.000Z',
      signer: 'CN=Test signer',
      signerExpires: '2999-01-01T00:00:00Z',
    };
    await reportWorker('worker-a', { ...facts, isValidatorReady: true });
    const works = textOf(await operator.get('/admin/'));
    expect(works).toContain('1 worker is alive.');
    expect(works).toMatch(/Jan 2, 2026, 3:04 AM UTC .* Ready CN=Test signer/);
    await reportWorker('worker-a', { ...facts, isValidatorReady: false });
    expect(textOf(await operator.get('/admin/'))).toContain('The validators of a worker do not start');
    await reportWorker('worker-a', { ...facts, isValidatorReady: true, signerExpires: new Date().toISOString() });
    expect(textOf(await operator.get('/admin/'))).toContain('ends within 30 days');
    await held.release();
    expect(textOf(await operator.get('/admin/'))).toContain('No worker is alive');
    await reportWorker('worker-b', { ...facts, isValidatorReady: null });
    expect(await app.sql("SELECT name FROM service_state WHERE name LIKE 'worker:%'")).toEqual([
      { name: 'worker:worker-b' },
    ]);
  });

  it('shows the result of the last verification of all files', async () => {
    const { verifyStore } = await import('../../../src/domain/maintenance/verify-store.ts');
    await verifyStore();
    expect(textOf(await operator.get('/admin/'))).toMatch(/UTC : 0 read, 0 lost, 0 damaged, 0 unreferenced\./);
  });

  it('counts jobs and mails, with links to failed jobs', async () => {
    await makeJob(app, { state: 'failed' });
    await makeJob(app, { state: 'retrying', task: 'sync-search' });
    await app.sql("UPDATE graphile_worker._private_jobs SET run_at = now() - interval '1 hour'");
    const page = await operator.get('/admin/');
    expect(textOf(page)).toContain(
      '1 job has failed and is not tried again. Read why, and run it again. 0 jobs wait. 1 job waits for another attempt. The oldest is due since',
    );
    const $ = documentOf(page);
    const links = $('main a[href^="/admin/jobs/?"]').toArray();
    expect(links.map((link) => $(link).attr('href'))).toEqual([
      '/admin/jobs/?state=failed',
      '/admin/jobs/?task=sign-version&state=all',
      '/admin/jobs/?task=sync-search&state=all',
    ]);
  });

  it('counts no job as waiting that is due later than in a day, and says when it is due', async () => {
    const parked = await makeJob(app, { state: 'waiting', task: 'validate-version' });
    const set = (runAt: string) =>
      app.sql(`UPDATE graphile_worker._private_jobs SET run_at = now() + interval '${runAt}' WHERE id = $1`, [parked]);
    await set('10 years');
    const $ = documentOf(await operator.get('/admin/'));
    expect($('main').text()).toMatch(
      /0 jobs wait\. 1 job is scheduled for later than in a day\. The next one is due [^.]* UTC \(in 10 years\)\./,
    );
    const cells = $('table:has(#tasks) tbody td').toArray();
    expect(cells.slice(0, 5).map((cell) => $(cell).text())).toEqual(['0', '0', '0', '0', '1']);
    expect($(cells.at(-1)).text()).toContain('(in 10 years)');
    await set('2 hours');
    const soon = textOf(await operator.get('/admin/'));
    expect(soon).toMatch(/1 job waits\. The next one is due [^.(]* UTC ?\./);
    expect(soon).not.toContain('scheduled for later');
  });

  it('is in German and Hebrew, too', async () => {
    expect(textOf(await operator.get('/admin/?lang=de'))).toContain('Kein Arbeitsprozess läuft');
    expect(englishIn((await operator.get('/admin/?lang=he')).text)).toEqual([]);
  });
});

describe('/admin/jobs/', () => {
  const rows = async (path: string) => {
    const $ = documentOf(await operator.get(path));
    return $('tbody tr')
      .toArray()
      .map((row) => $(row).text().replace(/\s+/g, ' ').trim());
  };

  it('lists jobs with failures, and others by state and task', async () => {
    const numbers: string[] = [];
    for (const state of ['waiting', 'running', 'retrying', 'failed'] as const)
      numbers.push(await makeJob(app, { state }));
    expect(await rows('/admin/jobs/')).toEqual([
      `sign-version ${numbers[2]}Retrying3 of 25The signer is missing.`,
      `sign-version ${numbers[3]}Failed25 of 25The signer is missing.`,
    ]);
    const $ = documentOf(await operator.get('/admin/jobs/?state=failed'));
    expect(
      $('.tabs .count')
        .toArray()
        .slice(-6)
        .map((count) => $(count).text()),
    ).toEqual(['2', '1', '1', '1', '1', '4']);
    await app.sql("UPDATE graphile_worker._private_jobs SET run_at = now() + interval '10 years' WHERE id = $1", [
      numbers[0],
    ]);
    expect((await rows('/admin/jobs/?state=waiting'))[0]).toMatch(/Scheduled due .* UTC \(in 10 years\)/);
    const none = textOf(await operator.get('/admin/jobs/?state=failed&task=there-is-none'));
    expect(none).toMatch(/No job has failed\. Jobs that have run are not listed/);
    expect(await rows('/admin/jobs/?state=waiting')).toHaveLength(1);
    expect(await rows('/admin/jobs/?state=all')).toHaveLength(4);
    expect(await rows('/admin/jobs/?state=all&task=there-is-none')).toEqual([]);
  });

  it('has pages', async () => {
    for (let made = 0; made < 51; made++) await makeJob(app);
    const $ = documentOf(await operator.get('/admin/jobs/'));
    expect($('tbody tr')).toHaveLength(50);
    expect(await rows($('a[rel=next]').attr('href') ?? '')).toHaveLength(1);
    expect((await operator.get('/admin/jobs/?after=x')).status).toBe(400);
  });

  it('links the version to those who may see it', async () => {
    const hidden = await addon({ slug: 'withdrawn', isDisabledByDeveloper: true, versions: [{ version: '4.5' }] });
    const number = await makeJob(app, { payload: { versionId: hidden.versions[0]?.id } });
    for (const path of ['/admin/jobs/', `/admin/jobs/${number}/`]) {
      expect((await operator.get(path)).text).toContain(`versionId ${hidden.versions[0]?.id}`);
      expect((await operator.get(path)).text).not.toContain('withdrawn');
      expect((await root.get(path)).text).toContain('/addon/withdrawn/versions/4.5/');
    }
  });
});

describe('/admin/jobs/:job/', () => {
  const stateOf = async (number: string) =>
    (await app.sql('SELECT attempts FROM graphile_worker.jobs WHERE id = $1', [number]))[0] ?? null;

  it('shows the whole cause, escaped', async () => {
    const cause = `<script>alert(1)</script> ${'x'.repeat(500)}`;
    const number = await makeJob(app, { cause });
    expect(documentOf(await operator.get(`/admin/jobs/${number}/`))('pre').text()).toBe(cause);
  });

  it('runs a job again, and is followed until the job has run', async () => {
    const made = await addon({ slug: 'signed-again', versions: [{ version: '2.5' }] });
    const number = await makeJob(app, { payload: { versionId: made.versions[0]?.id } });
    const path = `/admin/jobs/${number}/`;
    expect(documentOf(await root.get(path))('#job[data-events], noscript meta')).toHaveLength(0);
    const reply = await root.submit(path, 'retry-job');
    expect([reply.status, reply.headers.location]).toEqual([303, `${path}?done=retry-job`]);
    expect(await stateOf(number)).toEqual({ attempts: 0 });
    const due = await root.get(`${path}?done=retry-job`);
    expect(documentOf(due)('main .notice')).toHaveLength(1);
    expect(textOf(due)).toMatch(
      /The job is queued again\. A worker starts it within seconds.* State Waiting .* 0 of 25/,
    );
    expect(documentOf(due)('#job #result[role=status]')).toHaveLength(1);
    expect(textOf(due)).toContain('Why it failed before');
    expect(textOf(await root.get(path))).toContain('A worker starts this job within seconds');
    expect(documentOf(due)('#job').attr('data-events')).toBe('');
    expect(documentOf(due)('noscript').html()).toContain(`http-equiv="refresh" content="3; url=${path}"`);
    expect(documentOf(due)('form:has([value=retry-job])')).toHaveLength(0);

    const set = (columns: string) =>
      app.sql(`UPDATE graphile_worker._private_jobs SET ${columns} WHERE id = $1`, [number]);
    await set("attempts = 1, locked_at = now(), locked_by = 'a worker'");
    expect(textOf(await root.get(path))).toContain('A worker runs this job now');
    const running = documentOf(await root.get(`${path}?done=retry-job`));
    expect(running('main .notice').text()).not.toContain('queued again');
    expect(running('main .notice')).toHaveLength(1);
    await set("attempts = 2, locked_at = NULL, locked_by = NULL, run_at = now() + interval '1 hour'");
    expect(textOf(await root.get(path))).toMatch(/has failed again .* tries again by itself: .* Next attempt/);
    await set('attempts = max_attempts');
    expect(textOf(await root.get(path))).toMatch(
      /The job has failed again Cause of the last failure .* Run again .* Task .* Last failure/,
    );

    await app.sql('DELETE FROM graphile_worker._private_jobs');
    const ended = await root.get(path);
    expect(ended.status).toBe(200);
    expect(textOf(ended)).toMatch(
      /This job has ended without a failure It is no longer in the queue.* Task sign-version State Ended without a failure About .* 2\.5/,
    );
    expect(textOf(ended)).toMatch(
      /Attempts before 25 Last failure .* UTC Why it failed before The signer is missing\./,
    );
    expect(textOf(ended)).toMatch(/Run again [^,]+, \d{4}, [^,]+, by \w/);
    const $ = documentOf(ended);
    expect($('#job a[href^="/reviewers/review/signed-again/?version=2.5"]')).toHaveLength(1);
    expect($('#job[data-events], #job form')).toHaveLength(0);
  });

  it('is named in the title, and has the form before the details', async () => {
    const number = await makeJob(app);
    const $ = documentOf(await operator.get(`/admin/jobs/${number}/`));
    expect($('title').text()).toContain(`Job ${number} (sign-version) – `);
    expect($('#retry-job ~ dl.facts')).toHaveLength(1);
  });

  it('says that a waiting job starts later, and offers to start it now', async () => {
    const number = await makeJob(app, { state: 'waiting' });
    await app.sql("UPDATE graphile_worker._private_jobs SET run_at = now() + interval '10 years'");
    const text = textOf(await operator.get(`/admin/jobs/${number}/`));
    expect(text).toContain('This job is not due yet');
    expect(text).toContain('Run this job now');
    expect(text).not.toContain('Run this job again');
    expect(textOf(await operator.get('/admin/jobs/?state=all'))).toContain('Jobs that have run are not listed');
  });

  it('does not say that a job ended without a failure that may have failed again and been removed since', async () => {
    const retried = (job: string, days: number) =>
      app.sql(
        `INSERT INTO audit_entry (actor, action, details, created, previous_hash, hash)
         VALUES ('test', 'job-retried', $1, now() - $2 * interval '1 day', 'before ' || $3, $3)`,
        [JSON.stringify({ job, task: 'sign-version', payload: {} }), days, job],
      );
    await retried('900001', app.config.FAILED_JOB_RETENTION_DAYS - 1);
    await retried('900002', app.config.FAILED_JOB_RETENTION_DAYS + 1);
    expect(textOf(await operator.get('/admin/jobs/900001/'))).toContain('This job has ended without a failure');
    const old = textOf(await operator.get('/admin/jobs/900002/'));
    expect(old).toContain('This job is no longer in the queue It has succeeded, or it failed again');
    expect(old).not.toContain('without a failure');
  });

  it('removes a job', async () => {
    const number = await makeJob(app);
    const reply = await operator.submit(`/admin/jobs/${number}/`, 'drop-job');
    expect([reply.status, reply.headers.location]).toEqual([303, '/admin/jobs/?done=drop-job']);
    expect(await stateOf(number)).toBeNull();
    const removed = await operator.get(`/admin/jobs/${number}/`);
    expect(removed.status).toBe(200);
    expect(textOf(removed)).toContain('This job was removed');
  });

  it.each(['retry-job', 'drop-job'])('%s is refused for a job that runs, has ended, or is not theirs', async (name) => {
    const running = await makeJob(app, { state: 'running' });
    const refused = await operator.submit(`/admin/jobs/${running}/`, name);
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain('This job runs now.');
    expect(await stateOf(running)).toEqual({ attempts: 1 });
    for (const unknown of ['999999', '0', 'x', '99999999999999999999']) {
      expect((await operator.submit(`/admin/jobs/${unknown}/`, name)).status).toBe(404);
      expect((await operator.get(`/admin/jobs/${unknown}/`)).status).toBe(404);
    }
    const failed = await makeJob(app);
    expect((await stranger.submit(`/admin/jobs/${failed}/`, name)).status).toBe(403);
    expect(await stateOf(failed)).toEqual({ attempts: 25 });
  });
});
