import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret of a webhook: 32 random bytes in the notation of Standard Webhooks. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** The headers of a delivery by Standard Webhooks 1.0, with a signature by each secret. `seconds` is the time of the attempt since 1970. */
export function signatureHeaders(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
