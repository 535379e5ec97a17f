/* The exchange of the ID token of a job of continuous integration for a key that uploads versions of one add-on for 15 minutes. */
import { issuerOfToken, type PublisherToken, verifyPublisherToken } from '../../auth/publisher-token.ts';
import { consumeNonce } from '../../auth/used-nonces.ts';
import { NotAuthenticatedError } from '../../errors.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { networkOf } from '../../infra/network.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { message } from '../../texts/messages.ts';
import { issueApiKey } from '../accounts/issue-credentials.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { provenanceOf } from './provenance.ts';
import { matchesSubject } from './subject-pattern.ts';

const MINUTES = 15;

interface Publisher {
  id: number;
  addonId: number;
  accountId: number;
  subject: string;
  audience: string;
}

/** The publishers of an add-on with this issuer whose account is still one of its owners. */
const publishersOf = (guid: string, issuer: string): Promise<Publisher[]> => db.$queryRaw<Publisher[]>`
  SELECT p.id, p.addon_id AS "addonId", p.account_id AS "accountId", p.subject, p.audience
  FROM trusted_publisher p JOIN addon a ON a.id = p.addon_id
  JOIN addon_author w ON w.addon_id = a.id AND w.account_id = p.account_id
  WHERE a.guid = ${guid}::citext AND a.deleted_at IS NULL AND a.status <> 'disabled' AND p.issuer = ${issuer} ORDER BY p.id`;

interface ExchangedKey {
  key: string;
  secret: string;
  expires: Date;
}

/**
 * Exchanges a token. Nothing is requested from an issuer for which the add-on has no publisher.
 * @throws {NotAuthenticatedError} for an invalid token, one that was used before, and one that no publisher of the add-on matches;
 * {UnavailableError} when the keys of the issuer cannot be read.
 */
async function exchangeToken(guid: string, token: string): Promise<ExchangedKey> {
  const issuer = issuerOfToken(token);
  const publishers = await publishersOf(guid, issuer);
  if (publishers.length === 0) throw new NotAuthenticatedError(message('publisher.none', { issuer }));
  const verified = await verifyPublisherToken(token, {
    issuer,
    audiences: [...new Set(publishers.map(({ audience }) => audience))],
  });
  const publisher = publishers.find((each) => matches(each, verified));
  if (publisher === undefined) {
    throw new NotAuthenticatedError(message('publisher.no_match', { subject: verified.subject }));
  }
  if (!(await consumeNonce(verified, 'required'))) throw new NotAuthenticatedError(message('publisher.replayed'));
  return issueKey(publisher, verified);
}

const matches = ({ subject, audience }: Publisher, token: PublisherToken): boolean =>
  token.audiences.includes(audience) && matchesSubject(subject, token.subject);

function issueKey({ id, addonId, accountId }: Publisher, { issuer, claims }: PublisherToken): Promise<ExchangedKey> {
  const expires = new Date(Date.now() + MINUTES * 60_000);
  const provenance = provenanceOf(issuer, claims);
  return db.$transaction(async (tx) => {
    const { key, secret } = await issueApiKey(tx, accountId, { addonId, expires, provenance: { ...provenance } });
    await tx.trustedPublisher.updateMany({ where: { id }, data: { lastUsed: new Date() } });
    const details = { key, publisher: id, issuer };
    await recordActivity(tx, { action: 'publisher-key-created', accountId, addonId, details });
    return { key, secret, expires };
  });
}

mutation('exchangePublisherToken', {
  description:
    'Exchanges the ID token of a job of a trusted publisher for an API key that uploads versions of the add-on for 15 minutes. Needs no sign-in.',
  input: 'The token, and the add-on that trusts the job.',
  inputFields: (t) => ({
    guid: t.string({ required: true, description: 'The guid of the add-on.' }),
    token: t.string({ required: true, description: 'The ID token. It is exchanged once.' }),
  }),
  resolve: async ({ guid, token }, { ip }) => {
    if (ip !== null) await consumeLimit('publisher-token', networkOf(ip));
    return exchangeToken(comparableText(guid), token);
  },
  payloadFields: (t) => ({
    key: t.exposeString('key', { description: 'The public part of the key, sent as the claim `iss`.' }),
    secret: t.exposeString('secret', { description: 'The secret of the key. It cannot be read again.' }),
    expires: t.expose('expires', { type: 'DateTime', description: 'When the key expires.' }),
  }),
});
