import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The default set, in which no rule is off, and the rule of WCAG 2.2 that is not in it. */
const ALL_RULES = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

/** The rules whose result depends on the style: all that another colour scheme can change in the same document. */
const STYLE_RULES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** Number of elements that are listed for each violated rule. */
const LISTED = 2;

/**
 * Checks the document of a page for accessibility. Returns its violations, one line for each element. It never ends where scripts are
 * off. `isSeen` says that the document was checked in another style.
 */
export async function axeViolations(page: Page, { isSeen = false } = {}): Promise<string[]> {
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(SOURCE);
  const options = isSeen ? { resultTypes: ['violations'], runOnly: STYLE_RULES } : ALL_RULES;
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .slice(0, LISTED)
      .map(({ html, failureSummary = '' }) => `axe ${id}: ${help}: ${oneLine(html)} ${oneLine(failureSummary)}`),
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);
