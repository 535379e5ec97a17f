/*
 * The list of the authors of an add-on, and what may become of it.
 */
import { refusedField } from '../../errors.ts';

export type AuthorRole = 'owner' | 'developer';

/** An author; the place in the list is his position. */
export interface ListedAuthor {
  accountId: number;
  role: AuthorRole;
  /** Whether the add-on shows him. */
  listed: boolean;
}

export type AuthorList = readonly ListedAuthor[];

const MOST_AUTHORS = 50;
const NO_AUTHOR = 'This account is not an author of the add-on.';

/**
 * The rules that every list of authors keeps.
 * @throws {InvalidInputError} on `account` for one without an owner or without anybody shown, and for a too long one.
 */
export function checkAuthors(authors: AuthorList): AuthorList {
  if (!authors.some(({ role }) => role === 'owner')) throw refusedField('account', 'Must have at least one owner.');
  if (!authors.some(({ listed }) => listed)) throw refusedField('account', 'At least one author must be listed.');
  if (authors.length > MOST_AUTHORS) throw refusedField('account', `An add-on has at most ${MOST_AUTHORS} authors.`);
  return authors;
}

function moved(others: AuthorList, author: ListedAuthor, position: number): AuthorList {
  const place = Math.min(Math.max(position, 0), others.length);
  return [...others.slice(0, place), author, ...others.slice(place)];
}

/** With one more author, the last or at a position. @throws {InvalidInputError} for one that is there. */
export function withAuthor(authors: AuthorList, author: ListedAuthor, position?: number): AuthorList {
  if (authors.some(({ accountId }) => accountId === author.accountId)) {
    throw refusedField('account', 'An author can only be present once.');
  }
  return moved(authors, author, position ?? authors.length);
}

/** What may change about an author; an absent key leaves it as it is. */
export interface AuthorChanges {
  role?: AuthorRole;
  listed?: boolean;
  /** From 0; beyond the end is the end. */
  position?: number;
}

/** With one author changed. @throws {InvalidInputError} for one that is not there. */
export function withChangedAuthor(authors: AuthorList, accountId: number, changes: AuthorChanges): AuthorList {
  const place = authors.findIndex((author) => author.accountId === accountId);
  const present = authors[place];
  if (present === undefined) throw refusedField('account', NO_AUTHOR);
  const { role = present.role, listed = present.listed, position = place } = changes;
  return moved(withoutAuthor(authors, accountId), { accountId, role, listed }, position);
}

/** Without one author. @throws {InvalidInputError} for one that is not there. */
export function withoutAuthor(authors: AuthorList, accountId: number): AuthorList {
  const others = authors.filter((author) => author.accountId !== accountId);
  if (others.length === authors.length) throw refusedField('account', NO_AUTHOR);
  return others;
}

/** In another order. @throws {InvalidInputError} on `accounts` unless it names every author once. */
export function inOrder(authors: AuthorList, accountIds: readonly number[]): AuthorList {
  const byId = new Map(authors.map((author) => [author.accountId, author]));
  const ordered = accountIds.flatMap((id) => byId.get(id) ?? []);
  if (accountIds.length === authors.length && new Set(ordered).size === authors.length) return ordered;
  throw refusedField('accounts', 'Name every author of the add-on, each once.');
}
