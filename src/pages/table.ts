import type { FormRow } from './form.ts';
import type { PageRow } from './page.ts';
import { siteForms, sitePages } from './site/rows.ts';

/** Every page. The first match wins. */
export const pages: readonly PageRow[] = [...sitePages];

/** Every form. */
export const forms: readonly FormRow[] = [...siteForms];
