import type { Transaction } from '../../infra/db.ts';
import type { AuditActor } from '../activity/record-audit.ts';
import type { Notice, NoticeName } from '../mail/notice.ts';
import { recordStaffAct } from '../mail/record-staff-act.ts';
import { hubPath } from './addresses.ts';
import { localized, textIn } from './localized-text.ts';

/** An act of staff on an add-on. */
interface AddonAct {
  /** Action of the audit log. */
  action: string;
  /** Details of the audit log in addition to the id and guid of the add-on, without secrets. */
  details?: Record<string, unknown>;
  notice: Extract<NoticeName, `addon-${string}`>;
  /** What the actor wrote to the owners. */
  quotedText?: string;
  /** Further values of placeholders of the notice, such as the name of an author. */
  values?: Readonly<Record<string, string>>;
  /** An owner who gets another mail about the act. */
  exceptId?: number;
}

interface ActedOn {
  id: number;
  guid: string;
  slug: string | null;
  name: unknown;
  defaultLocale: string;
  authors: { accountId: number; role: string }[];
}

async function readAddon(tx: Transaction, where: { id: number } | { guid: string }): Promise<ActedOn | null> {
  return tx.addon.findUnique({
    where,
    select: {
      ...{ id: true, guid: true, slug: true, name: true, defaultLocale: true },
      authors: { select: { accountId: true, role: true } },
    },
  });
}

/** The name of an add-on in a locale or one that falls back for it, for mails; its guid when it has no name. */
export function addonNameIn(
  { name, defaultLocale, guid }: Pick<ActedOn, 'name' | 'defaultLocale' | 'guid'>,
  locale: string,
): string {
  return textIn(localized(name, defaultLocale), locale) || guid;
}

/**
 * Records a change of an add-on by its permission holders, as `recordStaffAct` does, with mails to the owners of the add-on. Does
 * nothing when the actor is an author. Call it last in the transaction of the change.
 */
export async function recordAddonAct(
  tx: Transaction,
  actor: AuditActor,
  addonId: number,
  act: AddonAct,
): Promise<void> {
  const addon = await readAddon(tx, { id: addonId });
  if (addon === null) throw new Error(`add-on ${addonId} does not exist`);
  if (!isAuthorOf(addon, actor)) await record(tx, actor, addon, act);
}

const isAuthorOf = ({ authors }: ActedOn, actor: AuditActor): boolean =>
  typeof actor !== 'string' && authors.some(({ accountId }) => accountId === actor.accountId);

/**
 * Records a change that the audit log has whether an author or staff made it. The owners get a mail when the actor is not an author. An
 * add-on that is named by a guid need not exist here.
 */
export async function recordAddonDecision(
  tx: Transaction,
  actor: AuditActor,
  which: { id: number } | { guid: string },
  { action, details, ...act }: AddonAct,
): Promise<void> {
  const addon = await readAddon(tx, which);
  if (addon !== null) return record(tx, actor, addon, { action, ...act, ...(details && { details }) });
  const values = () => ({ addon: '' });
  const notice = { name: act.notice, values } as Notice;
  await recordStaffAct(tx, actor, [], { action, details: { ...which, ...details }, notice });
}

async function record(tx: Transaction, actor: AuditActor, addon: ActedOn, act: AddonAct): Promise<void> {
  const owners = isAuthorOf(addon, actor) ? [] : addon.authors.filter(({ role }) => role === 'owner');
  const ownerIds = owners.map(({ accountId }) => accountId).filter((id) => id !== act.exceptId);
  await recordStaffAct(tx, actor, ownerIds, {
    action: act.action,
    details: { addonId: addon.id, guid: addon.guid, ...act.details },
    notice: {
      name: act.notice,
      values: (locale: string) => ({ ...act.values, addon: addonNameIn(addon, locale) }),
      path: hubPath(addon, 'activity/'),
      ...(act.quotedText === undefined ? {} : { quotedText: act.quotedText }),
    } as Notice,
  });
}
