import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { aboutPage, securityTextPage } from './about.ts';
import { preferencesForm, preferencesPage } from './preferences.ts';
import { loginPage, logoutForm, logoutPage } from './sign-in.ts';

/** Signing in and out, the preferences, and the operator. */
export const sitePages: readonly PageRow[] = [loginPage, logoutPage, preferencesPage, aboutPage, securityTextPage];
export const siteForms: readonly FormRow[] = [logoutForm, preferencesForm];
