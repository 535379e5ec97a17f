import { API_DE } from './api.de.ts';
import { API_EN } from './api.en.ts';
import { API_HE } from './api.he.ts';
import { API_MORE } from './api.more.ts';
import type { TextKey } from './text-types.ts';
import { Texts } from './translate.ts';

/** Constant texts of responses: why an add-on is not public, what to do next, labels of actions, read-only mode. */
export const API_TEXTS = new Texts({ en: API_EN, de: API_DE, he: API_HE }, { more: API_MORE });

export type ApiTextKey = TextKey<typeof API_EN>;
