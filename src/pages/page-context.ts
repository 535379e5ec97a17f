/* The request of a page: who sends it, in which language and theme. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { adminPagesOf, canModerate } from '../auth/operator-permissions.ts';
import { viewerOfPage } from '../auth/page-session.ts';
import { canOpenQueue, isReviewer } from '../auth/review-permissions.ts';
import { ANONYMOUS, type Viewer } from '../auth/viewer.ts';
import { config } from '../config.ts';
import type { Context } from '../graphql/context.ts';
import { acceptedLanguages } from '../http/accepts.ts';
import { readCookie, sessionCookieName } from '../http/cookies.ts';
import { lastValue } from '../http/params.ts';
import { chooseLocale, lastNotice, lastReadOnly, readNotice, type Sender } from '../http/request-services.ts';
import { requestQuery, sentUrl } from '../http/request-target.ts';
import { withDatabaseErrorsExplained } from '../infra/database-errors.ts';
import { type Format, formatOf } from '../texts/format.ts';
import { chooseLanguage, directionOf, LANGUAGES, type Language } from '../texts/languages.ts';
import { csrfToken } from './csrf.ts';
import { withoutDone } from './form.ts';
import { type Translate, translator } from './texts.ts';
import { type RefusedForm, THEMES, type Ui } from './ui.ts';

/** Cookies of the preferences. */
export const LANGUAGE_COOKIE = 'addons_language';
export const THEME_COOKIE = 'addons_theme';
/** `off` for reviewers who have switched the keys off. */
export const SHORTCUTS_COOKIE = 'addons_shortcuts';

/** A request, its response, and what is known of the viewer. */
export interface PageContext {
  request: IncomingMessage;
  response: ServerResponse;
  sender: Sender;
  search: URLSearchParams;
  /** The session cookie; null for anonymous viewers. */
  session: string | null;
  viewer: Viewer;
  context: Context;
  ui: Ui;
  /** Whether all anonymous visitors with the same language and theme get the page. */
  isShared?: boolean;
}

const LANGUAGE_TOOLS = Object.fromEntries(
  LANGUAGES.map((language) => [language, { t: translator(language), format: formatOf(language) }]),
) as Record<Language, { t: Translate; format: Format }>;

/**
 * Reads the cookies and headers of a request. One statement with a session cookie, otherwise none; in addition the notice of operators
 * and read-only mode after a change, and every few seconds.
 */
export async function createPageContext(
  request: IncomingMessage,
  response: ServerResponse,
  sender: Sender,
): Promise<PageContext> {
  const cookie = readCookie(request, sessionCookieName());
  const viewer = cookie === null ? ANONYMOUS : await withDatabaseErrorsExplained(() => viewerOfPage(cookie));
  await readNotice();
  return pageContextFor(request, response, sender, viewer);
}

/** The page context of a request of this viewer, without a statement. */
export function pageContextFor(
  request: IncomingMessage,
  response: ServerResponse,
  sender: Sender,
  viewer: Viewer,
): PageContext {
  const search = requestQuery(request);
  const session = viewer.kind === 'account' ? readCookie(request, sessionCookieName()) : null;

  const accepted = request.headers['accept-language'];
  const lang = lastValue(search, 'lang');
  const chosen = [lang, readCookie(request, LANGUAGE_COOKIE)];
  const language = chooseLanguage([...chosen, ...acceptedLanguages(accepted), config.DEFAULT_LOCALE]);
  const locale = chooseLocale(lang ?? chosen[1] ?? null, accepted);
  const theme = readCookie(request, THEME_COOKIE);
  const ui: Ui = {
    ...{ language, direction: directionOf(language), ...LANGUAGE_TOOLS[language] },
    theme: THEMES.find((each) => each === theme) ?? null,
    viewer: pageViewerOf(viewer),
    siteNotice: noticeIn(language),
    readOnly: readOnlyIn(language),
    hasShortcuts: readCookie(request, SHORTCUTS_COOKIE) !== 'off',
    // The response to a form does not repeat what another form did.
    path: request.method === 'POST' ? withoutDone(pathOf(request)) : pathOf(request),
    formAction: null,
    csrfToken: session === null ? null : csrfToken(session),
    onceId: randomBytes(16).toString('base64url'),
    form: () => null,
  };
  const context = { viewer, locale, language, ...sender };
  return { request, response, sender, search, session, viewer, context, ui };
}

/** The notice of operators in a language, or in English, or in any. */
function noticeIn(language: Language): Ui['siteNotice'] {
  const texts = lastNotice() ?? {};
  const found = [language, 'en' as const, ...LANGUAGES].find((each) => texts[each] !== undefined);
  return found === undefined ? null : { text: texts[found] ?? '', language: found };
}

/** The text of operators for the time of read-only mode; like refusals, other languages have that of the service. */
function readOnlyIn(language: Language): Ui['readOnly'] {
  const texts = lastReadOnly();
  return texts && { text: texts[language] ?? null };
}

/** The viewer as pages show it; null for an anonymous one. */
export const pageViewerOf = (viewer: Viewer): Ui['viewer'] =>
  viewer.kind === 'anonymous'
    ? null
    : {
        ...viewer,
        ...{ isReviewer: isReviewer(viewer), opensQueue: canOpenQueue(viewer) },
        ...{ isModerator: canModerate(viewer), adminPages: adminPagesOf(viewer) },
      };

const ORIGIN = 'http://localhost';

/** Path and query of a request; `/` for a target that is no path in a link, such as `//`. No page has such an address. */
function pathOf(request: IncomingMessage): string {
  const url = sentUrl(request);
  return URL.canParse(url, ORIGIN) && new URL(url, ORIGIN).origin === ORIGIN ? url : '/';
}

/** The interface of a page that refuses the form `name`. `refused` is called by the templates that show it. */
export const withRefusedForm = (ui: Ui, name: string, refused: () => RefusedForm): Ui => ({
  ...ui,
  form: (each) => (each === name ? refused() : null),
});
