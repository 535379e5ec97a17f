/* Recognizes mails that no person wrote: automatic responses, bounces and mails of this service. */
import { isOwnMessageId } from '../mail/queue-mail.ts';

/** Names of the properties in which mail servers pass the headers of a mail. */
const HEADER_PROPERTIES = ['Headers', 'CustomHeaders', 'ExtraHeaders'];

const AUTOMATIC_SENDER = /^(?:mailer-daemon|postmaster|no-?reply|bounces?)(?:[+-][^@]{0,64})?@/i;
const AUTOMATIC_SUBJECT =
  /^\s*(?:auto(?:matic)?[ -]?(?:reply|response)|auto:|automatische antwort|abwesen|réponse automatique|respuesta automática|risposta automatica|out of (?:the )?office|undeliver|delivery status notification|mail delivery|returned mail|failure notice|non remis|unzustellbar|מענה אוטומטי|תשובה אוטומטית)/i;

type Mail = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An address given as text, or as an object with `EmailAddress`. */
export function addressIn(value: unknown): string {
  const written = typeof value === 'object' && value !== null ? text((value as Mail)['EmailAddress']) : text(value);
  const start = written.lastIndexOf('<');
  return (start < 0 ? written : written.slice(start + 1).replace(/>.*$/s, '')).trim();
}

/** The headers of a mail by lower-case name: a list of names and values, or an object. */
function headersOf(mail: Mail): Map<string, string> {
  const headers = new Map<string, string>();
  const add = (name: unknown, value: unknown) => {
    if (typeof name === 'string') headers.set(name.trim().toLowerCase(), text(value).trim());
  };
  for (const property of HEADER_PROPERTIES) {
    const value = mail[property];
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) {
      for (const [name, each] of Object.entries(value)) add(name, each);
      continue;
    }
    for (const each of value) {
      if (typeof each !== 'object' || each === null) continue;
      const pair = each as Mail;
      add(pair['Name'] ?? pair['name'] ?? pair['Key'], pair['Value'] ?? pair['value']);
    }
  }
  return headers;
}

/** Whether headers, sender, subject or id of a mail show that a program sent it (RFC 3834, RFC 3464). */
export function isAutomatic(mail: Mail): boolean {
  const headers = headersOf(mail);
  const submitted = headers.get('auto-submitted');
  if (submitted !== undefined && !/^no\b/i.test(submitted)) return true;
  if (['x-autoreply', 'x-autorespond', 'x-failed-recipients', 'list-id'].some((name) => headers.has(name))) return true;
  if (/^(?:bulk|junk|list|auto_reply)\b/i.test(headers.get('precedence') ?? '')) return true;
  if (/^multipart\/report\b/i.test(headers.get('content-type') ?? '')) return true;
  const returnPath = headers.get('return-path');
  if (returnPath === '' || returnPath === '<>') return true;
  const subject = text(mail['Subject']) || (headers.get('subject') ?? '');
  if (AUTOMATIC_SENDER.test(addressIn(mail['From'])) || AUTOMATIC_SUBJECT.test(subject.slice(0, 200))) return true;
  return isOwnMessageId(text(mail['MessageId']) || (headers.get('message-id') ?? ''));
}
