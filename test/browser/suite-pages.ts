import { pages } from '../../src/pages/table.ts';
import { checkPage } from './page-checks.ts';
import { eachOf } from './report.ts';
import { cookieHeader } from './roles.ts';
import { type Facts, findFacts } from './sample-facts.ts';
import { ADDITIONAL, SAMPLES } from './samples/all.ts';
import type { Sample } from './samples/sample.ts';
import type { Setting } from './setting.ts';
import { openVisitors, type Visitors } from './visitors.ts';

/** Number of pages that are checked at the same time. */
const TOGETHER = 3;

/** Checks samples of every row of the page table, and of pages that are in no table. */
export async function runPages(setting: Setting): Promise<void> {
  const facts = await findFacts(setting.service, setting.cookies);
  const known = new Set(pages.map(({ path }) => path));
  await setting.report.check('every page has a sample', async (problems) => {
    problems.push(...[...known].filter((path) => SAMPLES[path] === undefined).map((path) => `no sample of ${path}`));
    problems.push(
      ...Object.keys(SAMPLES)
        .filter((path) => !known.has(path))
        .map((path) => `no page ${path}`),
    );
  });
  const samples = [...Object.entries(SAMPLES).filter(([path]) => known.has(path)), ['no row', ADDITIONAL] as const];
  const visits = samples.flatMap(([row, several]) =>
    several.map((sample, index) => ({ row, sample, isFirst: index === 0 })),
  );
  const visitors = openVisitors(setting.browser, setting.service.url, setting.cookies);
  try {
    await eachOf(visits, TOGETHER, (visit) => checkSample(visit, facts, setting, visitors));
  } finally {
    await visitors.close();
  }
}

/** A sample of a row. The first one of each row is visited in all forms. */
interface SampleOfRow {
  row: string;
  sample: Sample;
  isFirst: boolean;
}

function checkSample(
  { row, sample, isFirst }: SampleOfRow,
  facts: Facts,
  { service, cookies, report, screenshots }: Setting,
  visitors: Visitors,
): Promise<void> {
  const { role = 'anonymous', status = 200, isHuge = false } = sample;
  const path = typeof sample.path === 'string' ? sample.path : sample.path(facts);
  return report.check(`page ${row} at ${path} as ${role}`, async (problems) => {
    const visit = { path, name: nameOf(path), isHuge, status, isWhole: isFirst || screenshots !== null };
    if (sample.isPage !== false) {
      return visitors.lend(role, problems, (page) => checkPage(page, visit, { screenshots, problems }));
    }
    const headers = { cookie: cookieHeader(cookies[role]) };
    const response = await fetch(service.url + path, { headers, redirect: 'manual' });
    await response.body?.cancel();
    if (response.status !== status) problems.push(`${path} returned ${response.status}, not ${status}`);
  });
}

/** A file name for a path. */
function nameOf(path: string): string {
  return (
    path
      .replace(/[^\w.]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 100) || 'home'
  );
}
