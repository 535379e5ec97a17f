import { hasPermission, holds, type Permission, parseRule } from './permissions.ts';
import type { Viewer } from './viewer.ts';

/* Permission rules of those who run the service: moderators and operators. Pure functions, as in permissions.ts. */

/** Holders of `AbuseReports:Edit` read abuse reports; report-permissions.ts has the reports that they decide about (docs/decisions.md D112). */
export function canModerate(viewer: Viewer): boolean {
  return holds(viewer, 'AbuseReports:Edit');
}

/** Holders of `Admin:Mail` read the outbox and send mails again. */
export function canKeepMail(viewer: Viewer): boolean {
  return holds(viewer, 'Admin:Mail');
}

/** Groups and their rules: holders of `Admin:Groups`, and of `Users:Edit`, who see the groups of accounts. */
export function canSeeGroups(viewer: Viewer): boolean {
  return holds(viewer, 'Admin:Groups') || holds(viewer, 'Users:Edit');
}

/**
 * Whether the viewer may give a permission rule to others, or take it from them: holders of `*:*` any rule, others the rules
 * that they hold, without wildcards.
 */
export function canGrant(viewer: Viewer, text: string): boolean {
  if (viewer.kind === 'anonymous') return false;
  if (hasPermission(viewer.rules, '*', '*')) return true;
  const rule = parseRule(text);
  return rule !== null && rule.app !== '*' && rule.action !== '*' && hasPermission(viewer.rules, rule.app, rule.action);
}

/** Whether the viewer may change a group with these rules and its members. */
export function canManageGroup(viewer: Viewer, rules: readonly string[]): boolean {
  return holds(viewer, 'Admin:Groups') && rules.every((rule) => canGrant(viewer, rule));
}

/** Holders of `Admin:Service` switch read-only mode and see its causes. */
export function canOperateService(viewer: Viewer): boolean {
  return holds(viewer, 'Admin:Service');
}

/** The pages of the administration by area, in the order of their links, with the rule that opens each. */
const ADMIN_AREAS = {
  operation: {
    health: 'Admin:Service',
    jobs: 'Admin:Service',
    mail: 'Admin:Mail',
    webhooks: 'Admin:Service',
    'read-only': 'Admin:Service',
    audit: 'Admin:Audit',
  },
  people: {
    users: 'Users:Edit',
    groups: 'Admin:Groups',
  },
  catalogue: {
    featured: 'Admin:Curation',
    collections: 'Admin:Curation',
    recommendations: 'Admin:Curation',
    discovery: 'Admin:Curation',
    hero: 'Admin:Curation',
    replacements: 'Admin:Curation',
    overrides: 'Admin:Curation',
    'browser-mappings': 'Admin:Curation',
    applications: 'Admin:Catalogue',
    categories: 'Admin:Catalogue',
    licenses: 'Admin:Catalogue',
  },
} as const satisfies Record<string, Record<string, Permission>>;

type Areas = typeof ADMIN_AREAS;
export type AdminArea = keyof Areas;
export type AdminPage = { [Area in AdminArea]: keyof Areas[Area] }[AdminArea];

/** The pages of each area of the administration. */
export const ADMIN_PAGES = Object.entries(ADMIN_AREAS).map(([area, pages]) => ({
  area: area as AdminArea,
  pages: Object.keys(pages) as AdminPage[],
}));

/** The pages of the administration that the viewer may open. */
export function adminPagesOf(viewer: Viewer): AdminPage[] {
  const pages = Object.values(ADMIN_AREAS).flatMap((each) => Object.entries(each) as [AdminPage, Permission][]);
  return pages.filter(([, rule]) => holds(viewer, rule)).map(([name]) => name);
}
