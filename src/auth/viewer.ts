import type { Message } from '../texts/messages.ts';

/** No account is signed in. */
interface Anonymous {
  kind: 'anonymous';
  /** Why the credentials of the request sign in no account, where it has any. */
  problem?: Message;
}

/** The account that this request authenticates, and the permission rules of its groups. */
export interface SignedIn {
  kind: 'account';
  accountId: number;
  username: string;
  /** `app:action` rules; either part may be `*` (contract, Account). */
  rules: readonly string[];
  /**
   * The credential: an API key's one-time token, an access token, the page session made with one, or the reply address of a mail.
   * An API key with `addonId` only uploads versions of this add-on (docs/publishing-from-ci.md). `signedInAt` is the sign-in that made it; of a token that the operator made, its creation.
   */
  via:
    | { scheme: 'jwt'; apiKeyId: number; addonId: number | null }
    | { scheme: 'bearer'; tokenId: number; signedInAt: Date }
    | { scheme: 'page'; tokenId: number; signedInAt: Date }
    | { scheme: 'mail' };
}

/** The client of a request. */
export type Viewer = Anonymous | SignedIn;

export const ANONYMOUS: Anonymous = { kind: 'anonymous' };

/** The API key that the account uses in this request; null for other credentials. */
export const apiKeyOf = ({ via }: SignedIn): number | null => (via.scheme === 'jwt' ? via.apiKeyId : null);

/** The API key of the viewer that only uploads versions of one add-on; null for other credentials. */
export function uploadKeyOf(viewer: Viewer): { apiKeyId: number; addonId: number } | null {
  if (viewer.kind === 'anonymous' || viewer.via.scheme !== 'jwt') return null;
  const { apiKeyId, addonId } = viewer.via;
  return addonId === null ? null : { apiKeyId, addonId };
}
