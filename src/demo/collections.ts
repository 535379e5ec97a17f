/* Collections of several people of the demo. */
import { db } from '../infra/db.ts';
import type { DemoUsername } from './accounts.ts';

interface DemoCollection {
  account: DemoUsername;
  slug: string;
  name: Record<string, string>;
  description: Record<string, string>;
  isPublic: boolean;
  /** The tag of its add-ons. */
  tag: string;
  note: Record<string, string>;
}

const COLLECTIONS: readonly DemoCollection[] = [
  {
    ...{ account: 'demo-user', slug: 'quiet-reading', isPublic: true, tag: 'notes' },
    name: { 'en-US': 'Quiet reading', de: 'Ruhig lesen' },
    description: {
      'en-US': 'What I use for long texts in the evening.',
      de: 'Was ich abends für lange Texte benutze.',
    },
    note: { 'en-US': 'Stays out of the way.', de: 'Stört nicht.' },
  },
  {
    ...{ account: 'demo-user', slug: 'to-try', isPublic: false, tag: 'privacy' },
    ...{ name: { 'en-US': 'To try at home' }, description: {}, note: {} },
  },
  {
    ...{ account: 'demo-developer-2', slug: 'lesezimmer', isPublic: true, tag: 'privacy' },
    name: { de: 'Privat bleiben', he: 'לשמור על פרטיות' },
    description: { de: 'Add-ons, die wenig wissen wollen.' },
    note: { de: 'Fragt nach keiner Berechtigung zu viel.' },
  },
];

const INSERT = `
  INSERT INTO collection (account_id, path, slug, name, description, default_locale, is_public)
  SELECT a.id, gen_random_uuid()::text, $2, $3, $4, $5, $6 FROM account a WHERE a.username = $1
  ON CONFLICT (account_id, slug) DO NOTHING`;

const ITEMS = `
  INSERT INTO collection_item (collection_id, guid, position, notes)
  SELECT c.id, a.guid, row_number() OVER (ORDER BY a.average_daily_users DESC, a.id), $3
  FROM collection c JOIN account owner ON owner.id = c.account_id AND owner.username = $1 AND c.slug = $2
  CROSS JOIN LATERAL (
    SELECT a.* FROM addon a JOIN addon_tag t ON t.addon_id = a.id AND t.tag = $4
    WHERE a.status = 'public' AND NOT a.is_disabled_by_developer ORDER BY a.average_daily_users DESC, a.id LIMIT 8) a
  ON CONFLICT DO NOTHING`;

/** Adds the collections. Safe to repeat. */
export async function addCollections(): Promise<void> {
  for (const { account, slug, name, description, isPublic, tag, note } of COLLECTIONS) {
    const [locale = 'en-US'] = Object.keys(name);
    await db.$executeRawUnsafe(INSERT, account, slug, name, description, locale, isPublic);
    await db.$executeRawUnsafe(ITEMS, account, slug, note, tag);
  }
}
