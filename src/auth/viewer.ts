/** Nobody is signed in. */
export interface Anonymous {
  kind: 'anonymous';
}

/** An account that proved who it is with this request, and the permission rules of its groups. */
export interface SignedIn {
  kind: 'account';
  accountId: number;
  username: string;
  /** `app:action` rules; either part may be `*` (contract, Account). */
  rules: readonly string[];
  /** What proved it: an API key's one-time token or an access token. */
  via: { scheme: 'jwt'; apiKeyId: number } | { scheme: 'bearer'; tokenId: number };
}

/** Who is asking. */
export type Viewer = Anonymous | SignedIn;

export const ANONYMOUS: Anonymous = { kind: 'anonymous' };
