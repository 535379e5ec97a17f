/* The rules for what accounts state about themselves (contract, PATCH account; docs/decisions.md D87-D92). */
import { config } from '../../config.ts';
import { type Message, message } from '../../texts/messages.ts';
import { chosenUsernameProblem } from '../accounts/account-names.ts';
import { hasLink } from '../accounts/find-links.ts';

/** The fields that an account can change, in the order of the contract, and their maximum length in characters. */
export const PROFILE_FIELDS = {
  biography: 10_000,
  displayName: 255,
  homepage: 255,
  location: 255,
  occupation: 255,
  username: 255,
} as const;

type ProfileField = keyof typeof PROFILE_FIELDS;

/** Values by field: a text, null or an empty text for none, or what the request has instead, as its refusal. */
export type ProfileValues = Readonly<Partial<Record<ProfileField, string | null | Message>>>;

/** Texts to store, null for none. Absent fields do not change. */
export type ProfileTexts = Partial<Record<ProfileField, string | null>>;

/** Checks values in their order. `username` is the current one, which is never refused. The problems are by field. */
export function checkProfile(
  values: ProfileValues,
  username: string,
): { texts: ProfileTexts; problems: Map<ProfileField, Message> } {
  const texts: ProfileTexts = {};
  const problems = new Map<ProfileField, Message>();
  for (const [field, value] of Object.entries(values) as [ProfileField, string | null | Message | undefined][]) {
    if (value === undefined) continue;
    if (value !== null && typeof value === 'object') {
      problems.set(field, value);
      continue;
    }
    const text = value?.trim() || null;
    const problem = text === null || (field === 'username' && text === username) ? null : problemOf(field, text);
    if (problem === null) texts[field] = text;
    else problems.set(field, problem);
  }
  return { texts, problems };
}

function problemOf(field: ProfileField, text: string): Message | null {
  const limit = PROFILE_FIELDS[field];
  if ([...text].length > limit) return message('field.too_long', { count: limit });
  if (!text.isWellFormed() || hasControlCharacter(field, text)) {
    return field === 'homepage' ? INVALID_URL : message('field.control_characters');
  }
  return RULES[field]?.(text) ?? null;
}

function hasControlCharacter(field: ProfileField, text: string): boolean {
  return /\p{Cc}/u.test(field === 'biography' ? text.replace(/\t|\r?\n/g, '') : text);
}

const INVALID_URL = message('field.not_url');

const RULES: Readonly<Partial<Record<ProfileField, (text: string) => Message | null>>> = {
  biography: (text) => (hasLink(text) ? message('account.biography_links') : null),
  displayName: displayNameProblem,
  homepage: (text) => (isHomepage(text) ? null : INVALID_URL),
  username: chosenUsernameProblem,
};

/** Characters that reverse the direction of the text around them. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/;
/** Characters that are not shown: spaces, marks, controls, and U+2800, an empty Braille pattern. */
const INVISIBLE = /[\p{Z}\p{M}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function displayNameProblem(text: string): Message | null {
  if (OVERRIDES.test(text)) return message('field.control_characters');
  if (text.replace(INVISIBLE, '') === '') return message('account.display_name_invisible');
  const shown = text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
  const isDenied = config.DENIED_DISPLAY_NAMES.map((word) => word.toLowerCase()).some(
    (word) => shown.includes(word) || text.toLowerCase().includes(word),
  );
  return isDenied ? message('account.display_name_denied') : null;
}

/** Whether a text is an http(s) address with any host and without user info, as browsers read it. */
function isHomepage(text: string): boolean {
  if (!/^https?:\/\/[^\s/\\?#@]+(?:[/?#]\S*)?$/i.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  return hostname !== '' && username === '' && password === '';
}
