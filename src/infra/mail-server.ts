/* The mail server that takes outgoing mail, by SMTP. */
import nodemailer, { type SendMailOptions } from 'nodemailer';

/** A complete mail. Header values are plain text without line breaks; the adapter encodes them. */
interface Message {
  /** Address of the envelope's sender. */
  sender: string;
  recipient: string;
  headers: readonly { name: string; value: string }[];
  text: string;
  html: string;
}

export interface MailServer {
  /** Delivers a mail: resolves once the server has accepted it. @throws {DeliveryError} */
  send(message: Message): Promise<void>;
  close(): void;
}

/** The mail was not accepted, or the connection broke before the server said so. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** Whether the server refused this mail for good, so that another attempt is useless. */
  readonly isFinal: boolean;
  /** Whether the server cannot be used at all, so that other mails would fail too. */
  readonly isOutage: boolean;

  constructor(message: string, kind: { isFinal: boolean; isOutage: boolean }, cause: unknown) {
    super(message, { cause });
    this.isFinal = kind.isFinal;
    this.isOutage = kind.isOutage;
  }
}

const CONNECT_MS = 10_000;
/** Silence of the server during a delivery. It may scan a mail before it accepts it (RFC 5321, 4.5.3.2). */
const SILENCE_MS = 120_000;

/** Opens connections to a mail server on demand, `connections` at most. */
export function openMailServer(url: string, connections: number): MailServer {
  const options = {
    url,
    pool: true as const,
    maxConnections: connections,
    // The pool must not repeat a mail by itself: the server may have accepted it before the connection broke.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = nodemailer.createTransport(options);
  return {
    send: async (message) => {
      await transport.sendMail(mailOptions(message)).catch((error: unknown) => {
        throw deliveryError(error);
      });
    },
    close: () => transport.close(),
  };
}

/** Headers that the library takes as options of their own. */
const OPTIONS: Readonly<Record<string, string>> = {
  from: 'from',
  to: 'to',
  'reply-to': 'replyTo',
  subject: 'subject',
  'message-id': 'messageId',
  'in-reply-to': 'inReplyTo',
  references: 'references',
  date: 'date',
};

function mailOptions({ sender, recipient, headers, text, html }: Message): SendMailOptions {
  const known = headers.flatMap(({ name, value }) => {
    const option = OPTIONS[name.toLowerCase()];
    return option === undefined ? [] : [[option, value] as const];
  });
  const others = headers
    .filter(({ name }) => OPTIONS[name.toLowerCase()] === undefined)
    .map(({ name, value }) => ({ key: name, value: { prepared: true, value } }));
  return {
    ...Object.fromEntries(known),
    envelope: { from: sender, to: recipient },
    headers: others as NonNullable<SendMailOptions['headers']>,
    text,
    html,
  };
}

/** Commands whose permanent refusal concerns the mail and not the connection. */
const OF_ONE_MAIL = ['RCPT TO', 'DATA'];

function deliveryError(cause: unknown): DeliveryError {
  const { message, responseCode, command = '' } = cause as Error & { responseCode?: number; command?: string };
  const concernsMail = responseCode !== undefined && responseCode !== 421 && OF_ONE_MAIL.includes(command);
  return new DeliveryError(message, { isFinal: concernsMail && responseCode >= 500, isOutage: !concernsMail }, cause);
}
