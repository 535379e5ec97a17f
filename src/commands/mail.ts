import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { mailHeaders } from '../domain/mail/compose-mail.ts';
import { listMails, retryDeadLetters } from '../domain/mail/find-mails.ts';
import { sendMailing } from '../domain/mail/send-mailing.ts';
import { sendTestMail } from '../domain/mail/send-test-mail.ts';
import { CommandError, type Invocation, print, printJson, printResult } from './command.ts';
import { withDatabase } from './with-database.ts';

const PAGE = 200;

/** Prints the outbox, newest first; with `--json` one object for each mail, with the keys of GraphQL's OutgoingMail. */
export async function listOutbox(invocation: Invocation): Promise<void> {
  const isJson = invocation.flag('json');
  await withDatabase(async () => {
    for (let after: number | null = null; ; ) {
      const mails = await listMails({}, { before: null, after, limit: PAGE, inverted: false });
      for (const mail of mails) (isJson ? printMailJson : printMail)(mail);
      after = mails.at(-1)?.id ?? null;
      if (mails.length < PAGE) return;
    }
  });
}

type Mail = Awaited<ReturnType<typeof listMails>>[number];

function printMail({ id, created, state, attempts, address, subject, lastError }: Mail): void {
  const error = state === 'sent' || lastError === null ? [] : [lastError];
  print([id, created.toISOString(), `${state} (${attempts})`, address, subject, ...error].join('  '));
}

function printMailJson(mail: Mail): void {
  const { id, address, subject, text, html, notification, state, attempts, lastError, created, sent } = mail;
  const content = { subject, text, html, headers: mailHeaders(mail) };
  printJson({ id, to: address, ...content, notification, state, attempts, lastError, created, sent });
}

/** Makes every dead letter due now. With `--json` it prints `{"retried"}`. */
export async function retryMails(invocation: Invocation): Promise<void> {
  const retried = await withDatabase(retryDeadLetters);
  printResult(invocation, { retried }, `${retried} ${retried === 1 ? 'mail is' : 'mails are'} sent again.`);
}

/** Queues a mailing with the text of a file (docs/decisions.md D119). With `--json` it prints `{"recipients"}`. */
export async function sendMailingCommand(invocation: Invocation): Promise<void> {
  const mailing = {
    notification: invocation.text('notification'),
    subject: invocation.text('subject'),
    text: await readText(invocation.argument('FILE')),
  };
  const recipients = await withDatabase(() => sendMailing(COMMAND_LINE, mailing));
  printResult(invocation, { recipients }, `Queued for ${recipients} ${recipients === 1 ? 'account' : 'accounts'}.`);
}

/** @throws {CommandError} for a file that cannot be read. */
async function readText(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** Sends a test mail. @throws {InvalidInputError} when it is not accepted. */
export async function sendTest(invocation: Invocation): Promise<void> {
  const address = invocation.argument('ADDRESS');
  const result = await withDatabase(() => sendTestMail(address));
  print(
    result === 'sent'
      ? `The mail server accepted a mail to ${address}.`
      : `SMTP_URL is not set: the mail to ${address} waits in the outbox.`,
  );
}
