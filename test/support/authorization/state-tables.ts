import { ACCOUNT_TABLE } from './account-states.ts';
import { ADDON_FIELDS, ADDON_ROUTES } from './addon-actions.ts';
import { ADDON_MUTATIONS, ADDON_PAGES } from './addon-changes.ts';
import { type Role, RULES } from './addon-states.ts';
import { ADDON_STATES, type AddonState, makeAddons, paramsOf, type Target } from './addon-world.ts';
import { ADDRESS_TABLE } from './address-states.ts';
import { CANNED_TABLE } from './canned-states.ts';
import { COLLECTION_TABLE } from './collection-states.ts';
import { KEY_TABLE, SESSION_TABLE } from './credential-states.ts';
import { GROUP_TABLE } from './group-states.ts';
import { INVITATION_TABLE } from './invitation-states.ts';
import { LINE_COMMENT_TABLE } from './line-comment-states.ts';
import { MAIL_TABLE } from './mail-states.ts';
import { NOTE_TABLE } from './note-states.ts';
import { QUEUE_TABLE } from './queue-states.ts';
import { RATING_TABLE } from './rating-states.ts';
import { REPORT_TABLE, REPORT_TARGET_TABLE } from './report-states.ts';
import type { AnyTable, StateTable } from './state-table.ts';
import { UPLOAD_TABLE } from './upload-states.ts';
import { DELIVERY_TABLE, WEBHOOK_TABLE } from './webhook-states.ts';

const ADDON_TABLE: StateTable<AddonState, Role, Target> = {
  ...{ kind: 'an add-on or a version', roles: RULES, states: ADDON_STATES, make: makeAddons, params: paramsOf },
  actions: [...ADDON_ROUTES, ...ADDON_FIELDS, ...ADDON_MUTATIONS, ...ADDON_PAGES],
};

/** Each is checked where it is declared; facts and objects of different kinds have nothing in common. */
const tables: readonly unknown[] = [
  ...[ADDON_TABLE, ACCOUNT_TABLE, REPORT_TABLE, REPORT_TARGET_TABLE, GROUP_TABLE, MAIL_TABLE, KEY_TABLE, SESSION_TABLE],
  ...[
    ADDRESS_TABLE,
    UPLOAD_TABLE,
    CANNED_TABLE,
    NOTE_TABLE,
    QUEUE_TABLE,
    INVITATION_TABLE,
    LINE_COMMENT_TABLE,
    RATING_TABLE,
  ],
  ...[WEBHOOK_TABLE, DELIVERY_TABLE],
  COLLECTION_TABLE,
];

/** The tables of all kinds. */
export const STATE_TABLES = tables as readonly AnyTable[];
