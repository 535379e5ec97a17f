import { html } from 'hono/html';
import {
  AdminAddApplicationVersionDocument,
  AdminApplicationsPageDocument,
} from '../../generated/operations/graphql.ts';
import { enumValues, wordParam } from '../../http/params.ts';
import { APPLICATIONS } from '../../package/enums.ts';
import { appTabs } from '../catalogue/categories.ts';
import { formElement } from '../components/form.ts';
import { choice, textField } from '../fields.ts';
import { form } from '../form.ts';
import { code } from '../html.ts';
import { page } from '../page.ts';
import { adminPage, adminUrl } from './admin-page.ts';

/** The applications as values of the GraphQL enum. */
export const APPLICATION_VALUES = APPLICATIONS.map((app) => app.toUpperCase() as Uppercase<typeof app>);

/** Parameter of pages about one application. */
export const APPLICATION_PARAM = wordParam('The application.', enumValues(APPLICATIONS));

/** The versions of an application that add-ons may name, after the form of a new one, because they are many. The newest are first. None is removed, because manifests and stored ranges name them. */
export const applicationsPage = page({
  path: '/admin/applications/',
  visitor: 'account',
  query: { app: APPLICATION_PARAM },
  document: AdminApplicationsPageDocument,
  variables: ({ query }) => ({ app: query.app ?? 'DESKTOP_BROWSER' }),
  view: ({ applicationVersions: versions }, { query }, ui) => {
    const { t } = ui;
    const app = query.app ?? 'DESKTOP_BROWSER';
    return adminPage(ui, {
      tab: 'applications',
      body: html`<p>${t('admin.applications.why')} <a href="/docs/application-versions/">${t('admin.public')}</a></p>
${appTabs(ui, app, (each) => `${adminUrl('applications')}?app=${each}`)}
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
})}
<h2>${t('admin.column.versions')}</h2>
<p class="cluster" dir="ltr">${versions.toReversed().map(({ version }) => html`${code(version)} `)}</p>`,
    });
  },
});

export const addVersionForm = form({
  page: applicationsPage,
  name: 'application-version',
  fields: { app: choice(...APPLICATION_VALUES), version: textField },
  document: AdminAddApplicationVersionDocument,
  variables: (input) => ({ input }),
});
