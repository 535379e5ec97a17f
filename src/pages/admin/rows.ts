import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { healthPage } from './health.ts';
import { dropJobForm, jobPage, jobsPage, retryJobForm } from './jobs.ts';

/** The pages of the administration. Each has a tab in `ADMIN_PAGES` of `auth/operator-permissions.ts`, which says who may open it. */
export const adminPages: readonly PageRow[] = [healthPage, jobsPage, jobPage];

export const adminForms: readonly FormRow[] = [retryJobForm, dropJobForm];
