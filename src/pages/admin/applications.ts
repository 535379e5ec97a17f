import { html } from 'hono/html';
import {
  AdminAddApplicationVersionDocument,
  AdminApplicationsPageDocument,
} from '../../generated/operations/graphql.ts';
import { enumValues, word } from '../../http/params.ts';
import { APPLICATIONS } from '../../package/enums.ts';
import { appTabs } from '../catalogue/categories.ts';
import { formElement } from '../components/form.ts';
import { choice, textField } from '../fields.ts';
import { form } from '../form.ts';
import { code } from '../html.ts';
import { page } from '../page.ts';
import { adminHref, adminPage } from './frame.ts';

export const APPS = APPLICATIONS.map((app) => app.toUpperCase() as Uppercase<typeof app>);

/** Parameter of pages about one application. */
export const APP = word('The application.', enumValues(APPLICATIONS));

/** The versions of an application that add-ons may name. None is removed, because manifests and stored ranges name them. */
export const applicationsPage = page({
  path: '/admin/applications/',
  visitor: 'account',
  query: { app: APP },
  document: AdminApplicationsPageDocument,
  variables: ({ query }) => ({ app: query.app ?? 'DESKTOP_BROWSER' }),
  view: ({ applicationVersions: versions }, { query }, ui) => {
    const { t } = ui;
    const app = query.app ?? 'DESKTOP_BROWSER';
    return adminPage(ui, {
      tab: 'applications',
      body: html`<p>${t('admin.applications.why')} <a href="/docs/application-versions/">${t('admin.public')}</a></p>
${appTabs(ui, app, (each) => `${adminHref('applications')}?app=${each}`)}
<p class="cluster" dir="ltr">${versions.map(({ version }) => html`${code(version)} `)}</p>
<h2>${t('admin.applications.add')}</h2>
${formElement(ui, {
  name: 'application-version',
  hidden: { app },
  parts: [
    {
      ...{ kind: 'text', name: 'version', label: t('admin.applications.version') },
      ...{ hint: t('admin.applications.version-hint'), isRequired: true, direction: 'ltr', maxLength: 64 },
    },
  ],
  submit: t('admin.applications.submit'),
})}`,
    });
  },
});

export const addVersionForm = form({
  page: applicationsPage,
  name: 'application-version',
  fields: { app: choice(...APPS), version: textField },
  document: AdminAddApplicationVersionDocument,
  variables: (input) => ({ input }),
});
