import type { Viewer } from '../auth/viewer.ts';
import type { AddonType } from '../package/enums.ts';

/** The request that a resolver runs for. */
export interface Context {
  viewer: Viewer;
  /** The language of constant texts and the start of the fallback chain, canonical case: `en-US`. */
  locale: string;
  /** The language of constant texts on pages, whose interface may have another language than the texts of add-ons. */
  language?: string;
  /** Address of the client, for rate limits; null outside of requests. */
  ip: string | null;
  /** Whether searches count towards the limit of the client's network. Pages have a limit of their own. */
  limitsSearches?: true;
  /** Whether changes need no recent sign-in. REST has documented requests for them, which API keys may send. */
  waivesRecentSignIn?: true;
  /** Types of add-ons that do not exist for this request, which comes through an interface without them. */
  hiddenTypes?: readonly AddonType[];
  /** Id of the request in log lines. */
  requestId: string;
  /** Names of the operations that ran for the request, to which each adds its own; absent where nothing logs them. */
  operations?: string[];
}

/** The language of constant texts: that of the page, or `locale`. */
export const languageOf = ({ language, locale }: Context): string => language ?? locale;
