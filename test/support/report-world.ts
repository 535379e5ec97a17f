/* Reports of abuse, with people who send and decide about them. */
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { addon } from './factories.ts';
import { globalId } from './global-ids.ts';
import { Visitor, visitorOf } from './pages.ts';

type Facts = Partial<Record<'reporterId' | 'accountId' | 'addonId', number>> & {
  addonGuid?: string;
  message?: string;
  details?: Record<string, string>;
  created?: Date;
};

export interface ReportWorld {
  reporter: Client;
  /** The author of the reported add-on. */
  reported: Client;
  target: Awaited<ReturnType<typeof addon>>;
  visitors: Record<'anonymous' | 'stranger' | 'moderator' | 'other' | 'staff' | 'administrator', Visitor>;
  /** Stores a report, by default of `reporter` about `target`. */
  report(facts?: Facts): Promise<{ id: string; number: number; path: string }>;
}

/** Makes the people and the reported add-on. */
export async function makeReportWorld(app: TestApp): Promise<ReportWorld> {
  const [reporter, reported] = [await app.developer(), await app.developer()];
  const memberWith = async (...rules: string[]) => visitorOf(app, await app.memberWith(...rules));
  const visitors = {
    anonymous: new Visitor(app),
    stranger: await memberWith(),
    moderator: await memberWith('AbuseReports:Edit'),
    other: await memberWith('AbuseReports:Edit'),
    staff: await memberWith('AbuseReports:Edit', 'Addons:Edit', 'Users:Edit'),
    administrator: await memberWith('*:*'),
  };
  const name = { 'en-US': 'Reported' };
  const target = await addon({ slug: 'reported', name, authors: [reported.accountId ?? 0] });
  const { db } = await import('../../src/infra/db.ts');
  const report: ReportWorld['report'] = async (facts = {}) => {
    const about = 'accountId' in facts || 'addonGuid' in facts ? {} : { addonGuid: target.guid, addonId: target.id };
    const sent = { message: 'It counts wrongly.', reporterId: reporter.accountId ?? 0, ipAddress: '192.0.2.77' };
    const { id } = await db.abuseReport.create({ data: { ...sent, ...about, ...facts } });
    return { id: globalId('AbuseReport', id), number: id, path: `/moderation/${id}/` };
  };
  return { reporter, reported, target, visitors, report };
}
