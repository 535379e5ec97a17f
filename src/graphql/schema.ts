import '../domain/abuse/mutations.ts';
import '../domain/abuse/queries.ts';
import '../domain/accounts/account-summary.ts';
import '../domain/accounts/mutations.ts';
import '../domain/accounts/queries.ts';
import '../domain/activity/audit-log.ts';
import '../domain/addons/account-addons.ts';
import '../domain/addons/queries.ts';
import '../domain/curation/mutations.ts';
import '../domain/discovery/compat-override.ts';
import '../domain/discovery/featured.ts';
import '../domain/discovery/language-tool.ts';
import '../domain/discovery/recommendations.ts';
import '../domain/discovery/replacement.ts';
import '../domain/groups/mutations.ts';
import '../domain/listing/author-mutations.ts';
import '../domain/listing/mutations.ts';
import '../domain/mail/mutations.ts';
import '../domain/mail/queries.ts';
import '../domain/pictures/mutations.ts';
import '../domain/pictures/persona-mutations.ts';
import '../domain/pictures/preview-mutations.ts';
import '../domain/profiles/mutations.ts';
import '../domain/reference/mutations.ts';
import '../domain/reviewing/mutations.ts';
import '../domain/reviewing/note-queries.ts';
import '../domain/reviewing/review-queue.ts';
import '../domain/search/catalogue.ts';
import '../domain/search/queries.ts';
import '../domain/sessions/mutations.ts';
import '../domain/sessions/super-create-mutation.ts';
import '../domain/signing/account-uploads.ts';
import '../domain/signing/mutations.ts';
import '../domain/signing/queries.ts';
import '../domain/signing/signature-log-queries.ts';
import '../domain/signing/subscription.ts';
import '../domain/statistics/mutations.ts';
import '../domain/versions/download.ts';
import '../domain/versions/mutations.ts';
import '../domain/versions/queries.ts';
import '../domain/versions/version.ts';
import { builder } from './builder.ts';
import './user-errors.ts';

/** Everything that the files above declare. REST's operations run on it in-process; it is never served. */
export const fullSchema = builder.toSchema();

/** What `/graphql` serves and `schema/schema.graphql` prints: the full schema without its internal parts. */
export const publicSchema = builder.toSchema({ subGraph: 'Public' });
