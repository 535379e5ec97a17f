import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { preferencesForm, preferencesPage } from './preferences.ts';
import { loginPage, logoutForm, logoutPage } from './sign-in.ts';

/** Signing in and out, and the preferences. */
export const sitePages: readonly PageRow[] = [loginPage, logoutPage, preferencesPage];
export const siteForms: readonly FormRow[] = [logoutForm, preferencesForm];
