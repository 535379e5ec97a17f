import '../domain/accounts/mutations.ts';
import '../domain/accounts/queries.ts';
import '../domain/addons/author-mutations.ts';
import '../domain/addons/mutations.ts';
import '../domain/addons/queries.ts';
import '../domain/discovery/compat-override.ts';
import '../domain/discovery/curation-mutations.ts';
import '../domain/discovery/featured.ts';
import '../domain/discovery/language-tool.ts';
import '../domain/discovery/recommendations.ts';
import '../domain/discovery/replacement.ts';
import '../domain/pictures/mutations.ts';
import '../domain/pictures/persona-mutations.ts';
import '../domain/search/queries.ts';
import '../domain/signing/mutations.ts';
import '../domain/signing/queries.ts';
import '../domain/signing/review-mutations.ts';
import '../domain/signing/signature-log-queries.ts';
import '../domain/signing/subscription.ts';
import '../domain/statistics/mutations.ts';
import '../domain/versions/download.ts';
import '../domain/versions/mutations.ts';
import '../domain/versions/queries.ts';
import '../domain/versions/version.ts';
import { builder } from './builder.ts';
import './user-errors.ts';

/** The whole schema: every file above has declared its part by now. */
export const schema = builder.toSchema();
