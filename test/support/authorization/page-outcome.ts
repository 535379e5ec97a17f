import type { Context } from '../../../src/graphql/context.ts';
import type { Ui } from '../../../src/pages/ui.ts';
import type { FoundPage } from '../find-in-table.ts';
import type { Outcome } from './object-rules.ts';

const { formatOf } = await import('../../../src/texts/format.ts');
const { isRefusal } = await import('../../../src/http/http-refusal.ts');
const { statusOf } = await import('../../../src/pages/refusal.ts');
const { translator } = await import('../../../src/pages/texts.ts');

const interfaceIn = (viewer: Ui['viewer']): Ui => ({
  ...{ language: 'en', direction: 'ltr', theme: null, viewer, path: '/', formAction: null, csrfToken: null },
  ...{ t: translator('en'), format: formatOf('en'), onceId: 'id' },
  form: () => null,
});

const REFUSED: readonly number[] = [401, 403, 404];

/** What a page does for a viewer: 200 also for redirects within the page's own rules. Runs below HTTP, as the handler does. */
export async function pageOutcome({ row, path }: FoundPage, context: Context): Promise<Outcome> {
  const { viewer } = context;
  if (row.visitor === 'account' && viewer.kind === 'anonymous') return 401;
  const ui = interfaceIn(viewer.kind === 'account' ? viewer : null);
  try {
    const { result: template } = await row.read(path, new URLSearchParams(), ui.viewer).execute(context);
    const result = await template(ui);
    if (result === null) return 404;
    const status = result.kind === undefined || result.kind === 'content' ? (result.status ?? 200) : 200;
    return REFUSED.includes(status) ? (status as Outcome) : 200;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const status = statusOf(error, false);
    // The handler leads anonymous visitors to the sign-in.
    return status === 403 && viewer.kind === 'anonymous' ? 401 : (status as Outcome);
  }
}
