/* The forms that send a package, and what must precede them. */
import { html } from 'hono/html';
import { config } from '../../config.ts';
import { AcceptDeveloperAgreementDocument } from '../../generated/operations/graphql.ts';
import { UPLOAD_LIMIT_BYTES } from '../../infra/staging/staging.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { choice } from '../fields.ts';
import { type FileRule, type FormRow, form } from '../form.ts';
import type { Html } from '../html.ts';
import { type PageRow, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';

/** The rule of files that are packages. */
export const PACKAGE_FILE: FileRule = { limitBytes: UPLOAD_LIMIT_BYTES, isCounted: true };

const PACKAGE_TYPES = '.xpi,.zip,.crx';

/** The channel of a package. */
export const channelField = choice('LISTED', 'UNLISTED');

/** The form that accepts the developer agreement on a page that needs it. */
export const hubAgreementForm = (page: PageRow): FormRow =>
  form({
    page,
    name: 'hub-agreement',
    fields: {},
    document: AcceptDeveloperAgreementDocument,
    variables: () => ({}),
    done: (_result, _input, _values, ui) => redirect(ui.path, 303),
  });

/** The agreement with its button, in the place of what needs it. */
export const agreementBox = (ui: Ui): Html => html`<section class="prose">
<h2>${ui.t('docs.agreement.title')}</h2>
<p>${ui.t('hub.agreement.why')}</p>
${
  // The agreement of an operator is not summarized.
  config.DEVELOPER_AGREEMENT_URL === undefined &&
  html`<ul><li>${ui.t('hub.agreement.rights')}</li><li>${ui.t('hub.agreement.law')}</li><li>${ui.t('hub.agreement.review')}</li></ul>`
}
<p><a href="/docs/agreement/">${ui.t('account.agreement.read')}</a></p>
<p><a href="/docs/review/">${ui.t('hub.agreement.rules')}</a></p>
${formElement(ui, { name: 'hub-agreement', parts: [], submit: ui.t('hub.agreement.accept') })}
</section>`;

interface PackageForm {
  name: string;
  submit: Html;
  /** The channel that is chosen at first. */
  channel: 'LISTED' | 'UNLISTED';
  hidden?: Readonly<Record<string, string>>;
}

/** A form that sends a package: channel, file, limits. */
export function packageForm(ui: Ui, { name, submit, channel, hidden = {} }: PackageForm): Html {
  const { t, format } = ui;
  const parts: FormPart[] = [
    {
      kind: 'radio',
      name: 'channel',
      label: t('hub.channel'),
      isRequired: true,
      value: channel,
      options: [
        { value: 'LISTED', text: t('hub.channel.listed'), hint: t('hub.channel.listed-hint') },
        { value: 'UNLISTED', text: t('hub.channel.unlisted'), hint: t('hub.channel.unlisted-hint') },
      ],
    },
    {
      kind: 'file',
      name: 'file',
      label: t('hub.package'),
      hint: t('hub.package.hint', { size: format.limit(UPLOAD_LIMIT_BYTES) }),
      accept: PACKAGE_TYPES,
      isRequired: true,
    },
  ];
  return html`${formElement(ui, { name, parts, submit, hidden })}
<p class="muted">${t('hub.package.limits')} <a href="/docs/limits/">${t('hub.package.limits-link')}</a></p>`;
}
