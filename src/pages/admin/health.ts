import { AdminHealthPageDocument } from '../../generated/operations/graphql.ts';
import { facts } from '../components/facts.ts';
import { page, redirect } from '../page.ts';
import { adminHref, adminPage } from './frame.ts';

/** The state of the service. Leads those who may not see it to the first page of the administration that they may open. */
export const healthPage = page({
  path: '/admin/',
  visitor: 'account',
  document: AdminHealthPageDocument,
  view: ({ serviceState }, { viewer }, ui) => {
    const [first = 'health'] = viewer?.adminPages ?? [];
    if (first !== 'health') return redirect(adminHref(first));
    const { t } = ui;
    const text = t(serviceState.isReadOnly ? 'admin.health.frozen' : 'admin.health.writable');
    return adminPage(ui, {
      tab: 'health',
      body: facts(ui, { items: [{ term: t('admin.health.read-only'), value: text }] }),
    });
  },
});
