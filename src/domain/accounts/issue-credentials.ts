import { ACCESS_TOKEN_DAYS, hashAccessToken, newAccessToken } from '../../auth/access-token.ts';
import { newApiKeyPair } from '../../auth/api-key.ts';
import { sealInTransaction } from '../../auth/shared-keys.ts';
import { InvalidInputError, refusedField } from '../../errors.ts';
import { Prisma, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';

const MAX_LABEL = 100;
const MAX_KEYS = 50;
/** Default lifetime of an API key. */
const API_KEY_DAYS = 365;
const DAY_MS = 86_400_000;

export interface CredentialOptions {
  /** Note for the owner. */
  label?: string | null;
  /** Null: an API key never expires. By default, API keys expire after 365 days and access tokens after 30. */
  expires?: Date | null | undefined;
}

export interface ApiKeyOptions extends CredentialOptions {
  /** The add-on of which the key only uploads versions; without it, the key does what its account may do. */
  addonId?: number | null;
  /** What the ID token states about the job of continuous integration that gets the key. Keys of jobs have no limit of their number. */
  provenance?: Prisma.InputJsonObject;
}

function checkOptions({ label, expires }: CredentialOptions): void {
  if ((label ?? '').length > MAX_LABEL || /\p{Cc}/u.test(label ?? '')) {
    throw refusedField('label', message('key.invalid_label', { count: MAX_LABEL }));
  }
  if (expires != null && expires.getTime() <= Date.now()) {
    throw refusedField('expires', message('key.expiry_passed'));
  }
}

/**
 * Creates an API key. The secret is returned once; the database contains it encrypted.
 * @throws {InvalidInputError} for an invalid label or date, and above the limit of valid keys.
 */
export async function issueApiKey(
  tx: Transaction,
  accountId: number,
  options: ApiKeyOptions = {},
): Promise<{ id: number; key: string; secret: string }> {
  checkOptions(options);
  // Serialises the creation of keys per account, so that the limit holds.
  await tx.$queryRaw`SELECT id FROM account WHERE id = ${accountId} FOR UPDATE`;
  const valid = {
    accountId,
    provenance: { equals: Prisma.AnyNull },
    revokedAt: null,
    OR: [{ expires: null }, { expires: { gt: new Date() } }],
  };
  if (options.provenance === undefined && (await tx.apiKey.count({ where: valid })) >= MAX_KEYS) {
    throw new InvalidInputError(message('key.too_many', { count: MAX_KEYS }));
  }
  const { key, secret } = newApiKeyPair(options.addonId != null);
  const { id } = await tx.apiKey.create({
    data: {
      accountId,
      key,
      addonId: options.addonId ?? null,
      ...(options.provenance && { provenance: options.provenance }),
      sealedSecret: await sealInTransaction(tx, secret),
      label: (options.label ?? '').trim(),
      expires: options.expires === undefined ? new Date(Date.now() + API_KEY_DAYS * DAY_MS) : options.expires,
    },
    select: { id: true },
  });
  return { id, key, secret };
}

/**
 * Creates an access token, valid for 30 days by default (contract, Authentication). The token is returned once; the database
 * contains its hash.
 * @throws {InvalidInputError} for an invalid label or date.
 */
export async function issueAccessToken(
  tx: Transaction,
  accountId: number,
  options: CredentialOptions = {},
): Promise<{ id: number; token: string; expires: Date }> {
  checkOptions(options);
  const token = newAccessToken();
  const expires = options.expires ?? new Date(Date.now() + ACCESS_TOKEN_DAYS * DAY_MS);
  const { id } = await tx.accessToken.create({
    data: { accountId, hash: hashAccessToken(token), label: (options.label ?? '').trim(), expires },
    select: { id: true },
  });
  return { id, token, expires };
}
