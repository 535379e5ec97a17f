/*
 * Replies by mail: what a mail server posts becomes a note in the thread that the reply address belongs to (docs/decisions.md D120,
 * D121).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { config } from '../../config.ts';
import { NotPermittedError, refusedField, ServiceError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { message } from '../../texts/messages.ts';
import { countReply, replyTokenHash, tokenInAddress } from '../mail/reply-address.ts';
import { addressIn, isAutomatic } from './automatic-mail.ts';
import { recordReply } from './reply.ts';
import { replyText } from './reply-text.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Receives what a mail server posts: `SecretKey`, `Type`, `Message`, `To`. Returns `validation` for its check of the address;
 * otherwise `received`, whether the mail became a note or was discarded.
 * @throws {NotPermittedError} for a wrong or missing secret and for other clients, {InvalidInputError} without a message.
 */
export async function receiveMail(ip: string | null, values: Values): Promise<'validation' | 'received'> {
  if (!isSecret(values['SecretKey']) || !isAllowedClient(ip)) throw new NotPermittedError();
  if (values['Type'] === 'Validation') return 'validation';
  const posted = values['Message'];
  if (typeof posted !== 'object' || posted === null || Array.isArray(posted)) {
    throw refusedField('Message', message('mail.no_message'));
  }
  const reason = await processMail(posted as Values, values['To']);
  log.info({ result: reason ?? 'noted' }, 'A mail was received.');
  return 'received';
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares hashes, so that the time depends neither on the content nor on the length. */
function isSecret(secret: unknown): boolean {
  const { INBOUND_MAIL_SECRET: expected } = config;
  return expected !== undefined && typeof secret === 'string' && timingSafeEqual(digest(secret), digest(expected));
}

const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether the client's address is in INBOUND_MAIL_CLIENTS, or that setting is empty. */
function isAllowedClient(ip: string | null): boolean {
  const networks = config.INBOUND_MAIL_CLIENTS;
  if (networks.length === 0) return true;
  if (ip === null) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = unmapped(network).split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    // The prefix of a mapped network counts the 96 bits before the IPv4 address.
    const prefix = Math.max(0, Number(bits) - (network === unmapped(network) ? 0 : 96));
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  const address = unmapped(ip);
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Turns a mail into a note. Returns why it was discarded, or null. */
async function processMail(message: Values, to: unknown): Promise<string | null> {
  const token = replyTokenIn([to, message['To']]);
  if (token === null) return 'no reply address';
  if (isAutomatic(message)) return 'automatic';
  const body = message['TextBody'];
  const text = typeof body === 'string' ? replyText(body) : '';
  if (text === '') return 'empty';
  const { MessageId: messageId, From: from } = message;
  const reply = { text, messageId: typeof messageId === 'string' ? messageId.trim() : '', sender: senderIn(from) };
  try {
    await db.$transaction((tx) => storeReply(tx, token, reply));
    return null;
  } catch (error) {
    if (error instanceof Discarded) return error.message;
    if (error instanceof ServiceError && error.code !== 'UNAVAILABLE') return error.code;
    throw error;
  }
}

/** The address of the sender; null for a mail without one. */
const senderIn = (from: unknown): string | null =>
  from === undefined || from === null || from === '' ? null : addressIn(from);

/** The token of the first reply address in lists of recipients; later ones are not tried. */
function replyTokenIn(lists: readonly unknown[]): string | null {
  for (const recipient of lists.flat()) {
    const token = tokenInAddress(addressIn(recipient));
    if (token !== null) return token;
  }
  return null;
}

/** The mail is discarded; nothing of it is stored. */
class Discarded extends Error {}

interface Reply {
  text: string;
  /** Empty for none. */
  messageId: string;
  sender: string | null;
}

/** Counts a use after the note: decisions lock the add-on first and the addresses last. */
async function storeReply(tx: Transaction, token: string, { text, messageId, sender }: Reply): Promise<void> {
  const tokenHash = replyTokenHash(token);
  const select = { versionId: true, accountId: true };
  const known = await tx.replyAddress.findUnique({ where: { tokenHash }, select });
  if (known === null) throw new Discarded('unknown reply address');
  if (sender !== null && !(await isSenderOf(tx, known.accountId, sender))) throw new Discarded('another sender');
  const isNew = messageId === '' ? isFirstText(tx, `${tokenHash} ${text}`) : isFirst(tx, messageId);
  if (!(await isNew)) throw new Discarded('received before');
  await recordReply(tx, { ...known, text });
  if (!(await countReply(tx, tokenHash))) throw new Discarded('the reply address has ended');
}

/** Whether a mail with this sender may be by the account: an address of it or of its identities, unless the setting allows any. */
async function isSenderOf(tx: Transaction, accountId: number, sender: string): Promise<boolean> {
  if (config.INBOUND_MAIL_SENDER === 'any') return true;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM account WHERE id = ${accountId} AND email = ${comparableText(sender)}::citext
    UNION ALL
    SELECT FROM account_identity WHERE account_id = ${accountId} AND email = ${comparableText(sender)}::citext`;
  return rows.length > 0;
}

async function isFirst(tx: Transaction, messageId: string): Promise<boolean> {
  const hash = digest(messageId).toString('hex');
  return (await tx.$executeRaw`INSERT INTO received_mail (message_hash) VALUES (${hash}) ON CONFLICT DO NOTHING`) > 0;
}

/** For mails without a message id: whether this text has not come to this address in the last 24 hours. */
async function isFirstText(tx: Transaction, addressAndText: string): Promise<boolean> {
  const hash = digest(addressAndText).toString('hex');
  const stored = await tx.$executeRaw`
    INSERT INTO received_mail (message_hash) VALUES (${hash})
    ON CONFLICT (message_hash) DO UPDATE SET created = now() WHERE received_mail.created < now() - interval '24 hours'`;
  return stored > 0;
}

/** How long a received message id is kept. Mail servers repeat a post for some days. */
const KEPT_DAYS = 30;

/** Deletes the ids of old mails, and reply addresses that have ended. */
export async function purgeReceivedMails(): Promise<void> {
  await db.$executeRaw`DELETE FROM received_mail WHERE created < now() - make_interval(days => ${KEPT_DAYS})`;
}

const ReceivedMailType = builder.objectRef<{ isValidation: boolean }>('ReceivedMail').implement({
  description: 'What became of a posted mail.',
  fields: (t) => ({
    isValidation: t.exposeBoolean('isValidation', {
      description: 'Whether the mail server only checked the address.',
    }),
    validationKey: t.string({
      description: 'The setting INBOUND_MAIL_VALIDATION_KEY.',
      resolve: () => config.INBOUND_MAIL_VALIDATION_KEY,
    }),
  }),
});

builder.mutationField('receiveMail', (t) =>
  t.field({
    type: ReceivedMailType,
    description: 'Receives a mail from a mail server, which the secret in the values authenticates.',
    subGraphs: INTERNAL,
    args: { values: t.arg({ type: 'JSON', required: true, description: 'The unchecked values of the body.' }) },
    resolve: async (_root, { values }, { ip }) => ({
      isValidation: (await receiveMail(ip, values as Record<string, unknown>)) === 'validation',
    }),
  }),
);
