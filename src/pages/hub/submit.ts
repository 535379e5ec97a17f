import { html } from 'hono/html';
import {
  HubSubmitDocument,
  HubUploadPackageDocument,
  HubValidatePackageDocument,
} from '../../generated/operations/graphql.ts';
import { form } from '../form.ts';
import { page, redirect } from '../page.ts';
import { requireFile } from '../submit.ts';
import { agreementBox, channelField, hubAgreementForm, PACKAGE_FILE, packageForm } from './upload-forms.ts';
import { waitingUploads } from './waiting-uploads.ts';

/** Sending the package of a new add-on. */
export const submitPage = page({
  path: '/developers/submit/',
  visitor: 'account',
  document: HubSubmitDocument,
  variables: () => ({}),
  view: ({ viewer }, _input, ui) => {
    const { t } = ui;
    const waiting = viewer?.uploads?.nodes ?? [];
    const hasAgreed = viewer?.private?.developerAgreementAccepted != null;
    const sending = html`<p>${t('hub.submit.how')}</p>
${packageForm(ui, { name: 'hub-upload', submit: t('hub.submit.send'), channel: 'LISTED' })}
${waitingUploads(ui, waiting)}`;
    return {
      title: t('hub.submit.title'),
      robots: 'noindex',
      section: 'developers',
      scripts: ['upload.js', 'live.js'],
      main: html`<h1>${t('hub.submit.title')}</h1>
${hasAgreed ? sending : agreementBox(ui)}`,
    };
  },
});

export const submitAgreementForm = hubAgreementForm(submitPage);

/** The package becomes a version with `/developers/submit/<pk>/`, when it is valid. */
export const uploadForm = form({
  page: submitPage,
  name: 'hub-upload',
  fields: { channel: channelField },
  file: PACKAGE_FILE,
  document: HubUploadPackageDocument,
  variables: ({ channel }, _input, file) => ({ channel, file: Promise.resolve(requireFile(file)) }),
  done: ({ createUpload }) =>
    redirect('upload' in createUpload ? `/validation/${createUpload.upload.pk}/` : '/developers/submit/', 303),
});

/** Checking a package without submitting it. */
export const validatePage = page({
  path: '/developers/validate/',
  visitor: 'account',
  view: (_data, _input, ui) => ({
    title: ui.t('hub.validate.title'),
    robots: 'noindex',
    section: 'developers',
    scripts: ['upload.js'],
    main: html`<h1>${ui.t('hub.validate.title')}</h1>
<p>${ui.t('hub.validate.how')}</p>
${packageForm(ui, { name: 'hub-validate', submit: ui.t('hub.validate.send'), channel: 'LISTED' })}`,
  }),
});

export const validateForm = form({
  page: validatePage,
  name: 'hub-validate',
  fields: { channel: channelField },
  file: PACKAGE_FILE,
  document: HubValidatePackageDocument,
  variables: ({ channel }, _input, file) => ({ channel, file: Promise.resolve(requireFile(file)) }),
  done: ({ createUpload }) =>
    redirect('upload' in createUpload ? `/validation/${createUpload.upload.pk}/` : '/developers/validate/', 303),
});
