/* Who may open each page of reviewers, moderators and administrators. Pages of an add-on are in the table of its states. */
import { makeJob } from '../jobs.ts';
import { type Role, SIGNED_IN, type World } from './world.ts';

export interface PageCase {
  allowed: readonly Role[];
  /** The status that other signed-in roles get; 403 by default. */
  refusal?: 404;
  /** The statuses of some of the others. */
  of?: Partial<Record<Role, number>>;
  /** The address; by default the path. */
  address?(world: World): string | Promise<string>;
}

const QUEUES = ['reviewer', 'themeReviewer', 'personaReviewer', 'unlistedReviewer', 'archivist', 'root'] as const;

/** Those who decide about versions, and those who edit add-ons, to whom versions are referred. */
const inQueue: PageCase = { allowed: [...QUEUES, 'editor'] };
const ofReviewers: PageCase = { allowed: QUEUES };
const only = (role: Role, address?: PageCase['address']): PageCase => ({
  allowed: [role, 'root'],
  ...(address && { address }),
});
const at = (address: string) => () => address;

/** The first page that administrators of one part may open. */
const FIRST = ['accountAdmin', 'curator', 'catalogueKeeper', 'groupAdmin', 'auditor', 'mailKeeper'] as const;

const made =
  (path: string, statement: string): PageCase['address'] =>
  async ({ app }) => {
    const [row] = await app.sql<{ id: number }>(`${statement} RETURNING id`);
    return `${path}${row?.id}/`;
  };

const READERS_OF_CANNED = {
  reviewer: 404,
  themeReviewer: 404,
  personaReviewer: 404,
  unlistedReviewer: 404,
  archivist: 404,
};

/** By the path of the page. */
export const PAGE_TABLE: Readonly<Record<string, PageCase>> = {
  '/reviewers/': inQueue,
  '/reviewers/queue/:part/': { ...inQueue, address: at('/reviewers/queue/listed/') },
  '/reviewers/next/': inQueue,
  '/reviewers/author/:username/': {
    // An author of extensions is not found by those who review none.
    allowed: ['reviewer', 'unlistedReviewer', 'archivist', 'root'],
    of: { themeReviewer: 404, personaReviewer: 404 },
    address: async ({ app, clients }) => {
      const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
        clients.owner.accountId,
      ]);
      return `/reviewers/author/${row?.username}/`;
    },
  },
  '/reviewers/log/': ofReviewers,
  // Former reviewers can end theirs.
  '/reviewers/subscriptions/': { allowed: SIGNED_IN },
  '/reviewers/canned/': { allowed: [...QUEUES, 'chief'] },
  // Their list has no links to them.
  '/reviewers/canned/new/': { ...only('chief'), of: READERS_OF_CANNED },
  '/reviewers/canned/:id/': {
    ...only(
      'chief',
      made('/reviewers/canned/', `INSERT INTO canned_response (name, text) VALUES ('Of roles', '{"en-US": "x"}')`),
    ),
    of: READERS_OF_CANNED,
  },
  '/moderation/': only('moderator'),
  '/moderation/ratings/': { allowed: ['moderator', 'editor', 'root'] },
  '/moderation/:id/': {
    ...only('moderator', async (world) => `/moderation/${await world.report()}/`),
    refusal: 404,
  },
  '/admin/': { ...only('operator'), of: Object.fromEntries(FIRST.map((role) => [role, 302])) },
  '/admin/jobs/': only('operator'),
  '/admin/jobs/:job/': only('operator', async ({ app }) => `/admin/jobs/${await makeJob(app)}/`),
  '/admin/read-only/': only('operator'),
  '/admin/webhooks/': only('operator'),
  '/admin/webhooks/:id/': {
    ...only(
      'operator',
      made(
        '/admin/webhooks/',
        `INSERT INTO webhook (url, sealed_secret, actions) VALUES ('https://x.example/', '', '{}')`,
      ),
    ),
    refusal: 404,
  },
  '/admin/featured/': only('curator'),
  '/admin/collections/': only('curator'),
  '/admin/collections/edit/': only('curator', async ({ app }) => {
    await app.sql("INSERT INTO collection (path, guids) VALUES ('of-roles', '{x@example}')");
    return '/admin/collections/edit/?path=of-roles';
  }),
  '/admin/replacements/': only('curator'),
  '/admin/replacements/edit/': only('curator', async ({ app }) => {
    await app.sql("INSERT INTO replacement (guid, path) VALUES ('of-roles@legacy', '/addon/x/')");
    return '/admin/replacements/edit/?guid=of-roles%40legacy';
  }),
  '/admin/recommendations/': only('curator'),
  '/admin/discovery/': only('curator'),
  '/admin/discovery/edit/': only('curator', async ({ app }) => {
    const [made] = await app.sql<{ guid: string }>(
      'INSERT INTO discovery_entry (position, addon_id) SELECT 0, id FROM addon ORDER BY id LIMIT 1 RETURNING (SELECT guid FROM addon WHERE id = addon_id)',
    );
    return `/admin/discovery/edit/?addon=${encodeURIComponent(made?.guid ?? '')}`;
  }),
  '/admin/hero/': only('curator'),
  '/admin/hero/edit/': only('curator', async ({ app }) => {
    const [made] = await app.sql<{ id: number }>(
      `INSERT INTO hero_entry (position, external, gradient_start, gradient_end)
       VALUES (0, '{"name":"x","homepage":"https://x.example/","guid":"","type":"extension"}', '#000000', '#000000') RETURNING id`,
    );
    return `/admin/hero/edit/?id=${made?.id}`;
  }),
  '/admin/hero/secondary/': only('curator'),
  '/admin/browser-mappings/': only('curator'),
  '/admin/browser-mappings/edit/': only('curator', async ({ app }) => {
    await app.sql(
      "INSERT INTO browser_mapping (browser, extension_id, addon_guid) VALUES ('chrome', 'of-roles', 'x@y')",
    );
    return '/admin/browser-mappings/edit/?browser=chrome&extension=of-roles';
  }),
  '/admin/overrides/': only('curator'),
  '/admin/overrides/edit/': only('curator', async ({ app }) => {
    await app.sql("INSERT INTO compat_override (guid) VALUES ('of-roles@legacy')");
    return '/admin/overrides/edit/?guid=of-roles%40legacy';
  }),
  '/admin/applications/': only('catalogueKeeper'),
  '/admin/categories/': only('catalogueKeeper'),
  '/admin/categories/edit/': only(
    'catalogueKeeper',
    at('/admin/categories/edit/?app=desktop_browser&type=extension&slug=other'),
  ),
  '/admin/licenses/': only('catalogueKeeper'),
  '/admin/licenses/edit/': only('catalogueKeeper', at('/admin/licenses/edit/?builtin=MIT')),
  '/admin/users/': only('accountAdmin'),
  '/admin/users/:id/': {
    ...only('accountAdmin', async (world) => `/admin/users/${await world.account()}/`),
    refusal: 404,
  },
  '/admin/groups/': only('groupAdmin'),
  '/admin/groups/:id/': {
    ...only('groupAdmin', async (world) => `/admin/groups/${await world.group()}/`),
    // Those who administer accounts see their groups.
    ...{ refusal: 404, of: { accountAdmin: 403 } },
  },
  '/admin/audit/': only('auditor'),
  '/admin/audit/verify/': only('auditor'),
  '/admin/audit/export.csv': only('auditor'),
  '/admin/mail/': only('mailKeeper'),
  '/admin/mail/:id/': {
    ...only(
      'mailKeeper',
      made(
        '/admin/mail/',
        "INSERT INTO outgoing_mail (address, cause, subject, text, html) VALUES ('x@example.org', 'x', 'x', 'x', 'x')",
      ),
    ),
    refusal: 404,
  },
};
