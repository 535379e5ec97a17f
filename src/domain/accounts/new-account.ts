import { type InvalidInputError, refusedField } from '../../errors.ts';
import { Prisma, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { MAX_ACCOUNT_TEXT, usernameProblem } from './account-names.ts';

export interface NewAccount {
  username: string;
  email: string;
}

/** The e-mail syntax of HTML forms: no quotes, no comments, a host name after the @. */
const MAILBOX = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*$/;

/** @throws {InvalidInputError} for an invalid username. */
function checkUsername(username: string): void {
  const problem = usernameProblem(username);
  if (problem !== null) throw refusedField('username', problem);
}

/** Whether a text is an e-mail address that an account can have. */
export function isMailbox(text: string): boolean {
  return text.length <= MAX_ACCOUNT_TEXT && MAILBOX.test(text);
}

function checkEmail(text: string): void {
  if (!isMailbox(text)) throw refusedField('email', message('field.not_email'));
}

/**
 * Creates an account. Usernames and addresses are unique regardless of case.
 * @throws {InvalidInputError} for a malformed or taken username or address.
 */
export async function insertAccount(tx: Transaction, account: NewAccount): Promise<{ id: number }> {
  checkUsername(account.username);
  checkEmail(account.email);
  const taken = await tx.account.findFirst({
    where: { OR: [{ username: account.username }, { email: account.email }] },
    select: { username: true },
  });
  if (taken !== null) throw alreadyTaken(taken.username.toLowerCase() === account.username.toLowerCase());
  try {
    return await tx.account.create({ data: account, select: { id: true } });
  } catch (error) {
    // A concurrent request inserted it after the check.
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    throw alreadyTaken(JSON.stringify(error.meta ?? {}).includes('username'));
  }
}

function alreadyTaken(username: boolean): InvalidInputError {
  return username
    ? refusedField('username', message('account.username_registered'))
    : refusedField('email', message('account.email_taken'));
}
