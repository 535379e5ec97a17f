import type { ApiDocument, ApiVersion } from './openapi.ts';

/** Lines of a paragraph, or a table. Texts may contain `code`. */
type LimitPart = { lines: readonly string[] } | { columns: readonly string[]; rows: readonly (string | number)[][] };

/** What the help is made of; `app.ts` provides it, since pages must not import the layers that it comes from. */
export interface HelpSources {
  /** The OpenAPI document of a version. */
  apiDocument(version: ApiVersion): ApiDocument;
  /** Limits of the service by kind. */
  limits: readonly { title: string; parts: readonly LimitPart[] }[];
}
