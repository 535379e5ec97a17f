import { html } from 'hono/html';
import { globalId } from '../../graphql/global-id.ts';
import { tabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import type { PageContent, PageInput } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

/** The pages of an account, in the order of their tabs. A tab has its title as text unless it has another one. */
const TABS = {
  profile: { href: '/account/', text: 'account.tab.profile', title: 'account.profile.title' },
  notifications: { href: '/account/notifications/', title: 'account.notifications.title' },
  keys: { href: '/account/keys/', title: 'account.keys.title' },
  sessions: { href: '/account/sessions/', title: 'account.sessions.title' },
  identities: { href: '/account/identities/', title: 'account.identities.title' },
  invitations: { href: '/account/invitations/', title: 'account.invitations.title' },
  collections: { href: '/account/collections/', title: 'account.collections.title' },
  delete: { href: '/account/delete/', title: 'account.delete.title' },
} as const satisfies Record<string, { href: string; title: PageTextKey; text?: PageTextKey }>;

/** A title with a name that a user chose. */
interface NamedTitle {
  key: 'account.keys.made' | 'account.revoke.title' | 'account.collections.of';
  name: string;
}

/** A page of an account: its heading, the tabs and `main`. The title is that of the tab unless `named` has one. */
export function accountPage(ui: Ui, current: keyof typeof TABS, main: Html, named?: NamedTitle): PageContent {
  const { t } = ui;
  const title = (name: string | Html) => (named ? t(named.key, { name }) : t(TABS[current].title));
  const items = Object.entries(TABS).map(([tab, { href, ...names }]) => ({
    text: t('text' in names ? names.text : names.title),
    href,
    isCurrent: tab === current,
  }));
  return {
    title: title(named?.name ?? ''),
    section: 'account',
    robots: 'noindex, nofollow',
    main: html`<div class="page-head"><h1>${title(html`<bdi>${named?.name}</bdi>`)}</h1></div>
${tabs(ui, { label: t('account.tabs'), items })}
${main}`,
  };
}

/** The global id of the viewer's account. For forms that only signed-in viewers can send. */
export const ownId = ({ viewer }: PageInput): string => globalId('Account', viewer?.accountId ?? 0);
