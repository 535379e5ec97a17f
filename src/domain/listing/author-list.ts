/* The author list of an add-on: its rules, and pure functions that change it. */
import { refusedField } from '../../errors.ts';
import { message } from '../../texts/messages.ts';

export type AuthorRole = 'owner' | 'developer';

/** An author. The index in the list is the position. */
export interface ListedAuthor {
  accountId: number;
  role: AuthorRole;
  /** Whether the add-on page shows the author. */
  listed: boolean;
}

export type AuthorList = readonly ListedAuthor[];

/** Authors of one add-on, invited ones included. */
export const MAX_AUTHORS = 50;
const NO_AUTHOR = message('author.not_author');

/**
 * Returns the list if it is valid.
 * @throws {InvalidInputError} on `account` for a list without an owner, without a listed author, or with over 50 authors.
 */
export function checkAuthors(authors: AuthorList): AuthorList {
  if (!authors.some(({ role }) => role === 'owner')) throw refusedField('account', message('author.no_owner'));
  if (!authors.some(({ listed }) => listed)) throw refusedField('account', message('author.none_listed'));
  if (authors.length > MAX_AUTHORS) throw refusedField('account', message('author.too_many', { count: MAX_AUTHORS }));
  return authors;
}

function moved(others: AuthorList, author: ListedAuthor, position: number): AuthorList {
  const place = Math.min(Math.max(position, 0), others.length);
  return [...others.slice(0, place), author, ...others.slice(place)];
}

/** Inserts an author, by default at the end. @throws {InvalidInputError} on `account` if the list has this author. */
export function withAuthor(authors: AuthorList, author: ListedAuthor, position?: number): AuthorList {
  if (authors.some(({ accountId }) => accountId === author.accountId)) {
    throw refusedField('account', message('author.twice'));
  }
  return moved(authors, author, position ?? authors.length);
}

/** Changes to an author. Absent fields stay unchanged. */
export interface AuthorChanges {
  role?: AuthorRole;
  listed?: boolean;
  /** From 0; clamped to the length of the list. */
  position?: number;
}

/** Changes one author. @throws {InvalidInputError} on `account` if the list does not have this author. */
export function withChangedAuthor(authors: AuthorList, accountId: number, changes: AuthorChanges): AuthorList {
  const place = authors.findIndex((author) => author.accountId === accountId);
  const present = authors[place];
  if (present === undefined) throw refusedField('account', NO_AUTHOR);
  const { role = present.role, listed = present.listed, position = place } = changes;
  return moved(withoutAuthor(authors, accountId), { accountId, role, listed }, position);
}

/** Removes one author. @throws {InvalidInputError} on `account` if the list does not have this author. */
export function withoutAuthor(authors: AuthorList, accountId: number): AuthorList {
  const others = authors.filter((author) => author.accountId !== accountId);
  if (others.length === authors.length) throw refusedField('account', NO_AUTHOR);
  return others;
}

/** Reorders the authors. @throws {InvalidInputError} on `accounts` unless the ids contain every author exactly once. */
export function inOrder(authors: AuthorList, accountIds: readonly number[]): AuthorList {
  const byId = new Map(authors.map((author) => [author.accountId, author]));
  const ordered = accountIds.flatMap((id) => byId.get(id) ?? []);
  if (accountIds.length === authors.length && new Set(ordered).size === authors.length) return ordered;
  throw refusedField('accounts', message('author.order_incomplete'));
}
