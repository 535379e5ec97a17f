/** The account behind a credential, and the moment it was looked up. */
export interface KeyHolder {
  accountId: number;
  username: string;
  readDevAgreement: Date | null;
  /** Disabled or deleted. */
  isGone: boolean;
  rules: string[];
  /** The database's clock, in seconds: the one clock that all processes judge tokens by. */
  now: number;
}
