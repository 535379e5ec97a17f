import { html } from 'hono/html';
import { labelParam } from '../../http/params.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';
import { notice } from './notice.ts';

interface Pager {
  /** From 1. */
  page: number;
  pageCount: number;
  hrefOf(page: number): string;
}

/** Links to the pages of a numbered list; nothing for a single page. After the last page, a text and a link to the first one. */
export function pager(ui: Ui, { page, pageCount, hrefOf }: Pager): Html {
  const last = Math.max(1, pageCount);
  const missing = page > last ? missingPage(ui, page, { last, href: hrefOf(last) }) : html``;
  return html`${missing}${last > 1 && links(ui, { page, pageCount, hrefOf })}`;
}

const missingPage = (ui: Ui, page: number, { last, href }: { last: number; href: string }): Html =>
  notice(ui, {
    kind: 'info',
    title: ui.t('ui.pager.missing', { page }),
    text: ui.t('ui.pager.missing-text', { count: last }),
    actions: html`<a href="${href}">${ui.t('ui.pager.last')}</a>`,
  });

function links(ui: Ui, { page, pageCount, hrefOf }: Pager): Html {
  return html`<nav class="pager" aria-label="${ui.t('ui.pager')}"><ul>
${page > 1 && html`<li><a rel="prev" href="${hrefOf(Math.min(page - 1, pageCount))}">${icon(ui, 'previous')}${ui.t('ui.pager.previous')}</a></li>`}
${shownPages(page, pageCount).map((each) =>
  each === null
    ? html`<li aria-hidden="true">…</li>
`
    : html`<li><a href="${hrefOf(each)}" aria-label="${ui.t('ui.pager.page', { page: each })}"${
        each === page && html` aria-current="page"`
      }>${ui.format.number(each)}</a></li>
`,
)}${page < pageCount && html`<li><a rel="next" href="${hrefOf(page + 1)}">${ui.t('ui.pager.next')}${icon(ui, 'next')}</a></li>`}
</ul></nav>`;
}

/** The first and the last page and those around the present one; null for a gap. */
function shownPages(page: number, pageCount: number): (number | null)[] {
  const near = [1, page - 1, page, page + 1, pageCount].filter((each) => each >= 1 && each <= pageCount);
  const sorted = [...new Set(near)].sort((one, other) => one - other);
  return sorted.flatMap((each, index) => {
    const gap = each - (sorted[index - 1] ?? 0);
    if (gap <= 1) return [each];
    return gap === 2 ? [each - 1, each] : [null, each];
  });
}

/** The query parameter of a page with a list that is read with cursors. */
export const CURSOR_PARAM = { after: labelParam('Cursor of the last entry of the page before.') };

/** Links of a list that is read with cursors, to its first and its next page; nothing for a single page. */
export function cursorPager(
  ui: Ui,
  {
    search,
    pageInfo,
    fragment = '',
  }: {
    /** The parameters of this page, with those of `CURSOR_PARAM`. */
    search: URLSearchParams;
    /** Absent when the viewer may not see the list. */
    pageInfo: { hasNextPage: boolean; endCursor: string | null } | undefined;
    /** The part of the page that the links lead to, such as `#replies`. */
    fragment?: string;
  },
): Html {
  const [path] = ui.path.split('?');
  const hrefOf = (after: string | null) => `${path}${changedQuery(search, { after })}${fragment}`;
  const { hasNextPage = false, endCursor = null } = pageInfo ?? {};
  const isFirst = !search.has('after');
  if (isFirst && !hasNextPage) return html``;
  return html`<nav class="pager" aria-label="${ui.t('ui.pager')}"><ul>
${!isFirst && html`<li><a href="${hrefOf(null)}">${icon(ui, 'previous')}${ui.t('ui.pager.first')}</a></li>`}
${hasNextPage && html`<li><a rel="next" href="${hrefOf(endCursor)}">${ui.t('ui.pager.next')}${icon(ui, 'next')}</a></li>`}
</ul></nav>`;
}
