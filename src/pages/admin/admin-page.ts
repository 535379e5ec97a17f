/* What the pages of the administration share: who may open them, their heading and the links between them. */
import { html } from 'hono/html';
import { ADMIN_PAGES, type AdminPage } from '../../auth/operator-permissions.ts';
import { NotPermittedError } from '../../errors.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { groupedTabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import type { Ui } from '../ui.ts';

/** The path of a page of the administration. */
export const adminUrl = (name: AdminPage): string => (name === 'health' ? '/admin/' : `/admin/${name}/`);

interface Framed {
  /** The tab that is marked as current. */
  tab: AdminPage;
  /** The heading of a page below that of the tab. */
  heading?: Html | string;
  /** The heading as plain text, for the title of the document. */
  title?: Html | string;
  body: Html;
  scripts?: readonly string[];
}

/**
 * A page of the administration: the way to it, its heading, the tabs that the viewer may open, and `body`.
 * @throws {NotPermittedError} for viewers who may not open the tab.
 */
export function adminPage(ui: Ui, { tab, heading, title, body, scripts }: Framed): PageContent {
  const { t, viewer } = ui;
  const open = viewer?.adminPages ?? [];
  if (!open.includes(tab)) throw new NotPermittedError();
  const name = t(`admin.tab.${tab}`);
  const way = [
    { text: t('admin.title'), href: '/admin/' },
    ...(heading === undefined ? [{ text: name }] : [{ text: name, href: adminUrl(tab) }, { text: heading }]),
  ];
  const groups = ADMIN_PAGES.map(({ area, pages }) => ({
    id: `area-${area}`,
    heading: t(`admin.area.${area}`),
    items: pages
      .filter((each) => open.includes(each))
      .map((each) => ({ text: t(`admin.tab.${each}`), href: adminUrl(each), isCurrent: each === tab })),
  })).filter(({ items }) => items.length > 0);
  return {
    title: html`${title ?? name} – ${t('admin.title')}`,
    robots: 'noindex, nofollow',
    section: 'admin',
    ...(scripts && { scripts }),
    main: html`${breadcrumbs(ui, way)}
<div class="page-head"><h1>${heading ?? name}</h1></div>
${groupedTabs(ui, { label: t('admin.tabs'), groups })}
${body}`,
  };
}
