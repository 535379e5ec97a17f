import { type Command, JSON_OUTPUT } from './command.ts';

/** The commands of outgoing mail. */
export const mailCommands: Command[] = [
  {
    name: 'mail list',
    summary: 'Prints the outgoing mails, the newest first.',
    options: { json: { description: 'Print one line of JSON for each mail, with its texts and headers.' } },
    load: async () => (await import('./mail.ts')).listOutbox,
  },
  {
    name: 'mail retry',
    summary: 'Sends the mails again that failed for good.',
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./mail.ts')).retryMails,
  },
  {
    name: 'mail send',
    summary: 'Sends a text to every account that has a type of mailings on; - is standard input.',
    arguments: ['FILE'],
    options: {
      notification: { value: 'N', required: true, description: 'new_features or announcements.' },
      subject: { value: 'S', required: true, description: 'The subject.' },
      json: JSON_OUTPUT,
    },
    load: async () => (await import('./mail.ts')).sendMailingCommand,
  },
  {
    name: 'mail test',
    summary: 'Sends a test mail now; the exit status is 1 when the mail server does not accept it.',
    arguments: ['ADDRESS'],
    load: async () => (await import('./mail.ts')).sendTest,
  },
];
