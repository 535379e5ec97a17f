import type { AdminPage } from '../auth/operator-permissions.ts';
import type { OfferedValue } from '../errors.ts';
import type { Format } from '../texts/format.ts';
import type { Language } from '../texts/languages.ts';
import type { Html } from './html.ts';
import type { Translate } from './texts.ts';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The account that a page session authenticates. */
interface PageViewer {
  accountId: number;
  username: string;
  /** Whether it decides about versions of any type and channel. */
  isReviewer: boolean;
  /** Whether it opens the review queue: reviewers, and those who decide about versions that are referred to an administrator. */
  opensQueue: boolean;
  /** Whether it decides about abuse reports. */
  isModerator: boolean;
  /** The pages of the administration that it may open. */
  adminPages: readonly AdminPage[];
}

/** What was typed into a form that was refused, and why. */
export interface RefusedForm {
  /** Values by the name of the field; several for a repeated field. */
  values: ReadonlyMap<string, readonly string[]>;
  /** Messages by the name of the field. */
  errors: Readonly<Record<string, readonly (string | Html)[]>>;
  /** Messages that belong to no field. */
  summary: readonly (string | Html)[];
  /** Whether the service refused it for a reason of its own, such as read-only mode. What was typed needs no correction then. */
  isOfService?: boolean;
  /** Names of fields that others have changed since the form was made; of a field of several parts, the name before the dot. */
  changed: readonly string[];
  /** Values that the service offers in place of typed ones, by the name of the field. */
  offers?: Readonly<Record<string, readonly OfferedValue[]>>;
}

/** What templates need in addition to their data: the interface's language and theme, and the viewer. */
export interface Ui {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  /** The chosen theme; null for that of the system. */
  readonly theme: Theme | null;
  readonly viewer: PageViewer | null;
  /** What operators tell all visitors, and its language; null for nothing. */
  readonly siteNotice: { text: string; language: Language } | null;
  /** In read-only mode: what operators tell visitors in the language of the page, null for the text of the service. Null outside the mode. */
  readonly readOnly: { text: string | null } | null;
  /** Whether pages for reviewers have keys. */
  readonly hasShortcuts: boolean;
  /** Path and query of the page. */
  readonly path: string;
  /** Where the forms of the page are sent; null for the address of the page. */
  readonly formAction: string | null;
  /** The token that forms of a signed-in viewer contain; null for anonymous viewers. */
  readonly csrfToken: string | null;
  /** The id of this response in its forms, so that each acts once. */
  readonly onceId: string;
  /** A text of the interface. Without elements among its values it may be used in attributes. */
  readonly t: Translate;
  readonly format: Format;
  /** A refused form of this page; null unless this response refuses it. */
  form(name: string): RefusedForm | null;
}
