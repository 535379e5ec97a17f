import { z } from 'zod';
import { AdmitAbuseReportDocument, SubmitAbuseReportDocument } from '../../generated/operations/graphql.ts';
import { objectBody } from '../body.ts';
import { accountReport, addonReport, collectionReport, ratingReport } from '../json/abuse.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { API_VERSIONS } from '../view.ts';

const MESSAGE = z.string().meta({ description: 'Plain text, at most 10,000 characters.' });

const text = (description: string) => z.string().meta({ description });

/** What browsers send in addition. It is stored for the moderators and never refused. */
const DETAILS = {
  reason: text('Reason that the reporter chose.'),
  location: text('Where the reporter saw the problem.'),
  lang: text('Language of the application.'),
  app: text('Application.'),
  appversion: text('Version of the application.'),
  operating_system: text('Operating system.'),
  operating_system_version: text('Version of the operating system.'),
  report_entry_point: text('Where the reporter opened the form.'),
};

const ADDON_DETAILS = {
  ...DETAILS,
  addon_name: text('Name of the installed add-on.'),
  addon_summary: text('Summary of the installed add-on.'),
  addon_version: text('Version of the installed add-on.'),
  addon_signature: text('State of its signature.'),
  addon_install_method: text('How it was installed.'),
  addon_install_origin: text('The site that it was installed from.'),
  addon_install_source: text('The kind of source that it was installed from.'),
  addon_install_source_url: text('The address that it was installed from.'),
  install_date: text('When it was installed.'),
};

const reportAddon = route({
  method: 'POST',
  path: '/abuse/report/addon/',
  apiVersions: API_VERSIONS,
  summary: 'Report an add-on',
  signIn: 'optional',
  body: objectBody({
    properties: { addon: text('Id, slug or guid of the add-on.'), message: MESSAGE, ...ADDON_DETAILS },
    required: ['addon', 'message'],
  }),
  check: { document: AdmitAbuseReportDocument, variables: () => ({}) },
  document: SubmitAbuseReportDocument,
  variables: (_input, { values }) => ({ kind: 'ADDON' as const, values: Object.fromEntries(values) }),
  reply: ({ submitAbuseReport: report }, { view }) => jsonReply(addonReport.write(report, view), 201),
  responses: { 201: { description: 'The report.', schema: addonReport.schema } },
  refusals: [400, 404, 415],
});

const reportAccount = route({
  method: 'POST',
  path: '/abuse/report/user/',
  summary: 'Report a user',
  signIn: 'optional',
  body: objectBody({
    properties: { user: text('Id or username of the user.'), message: MESSAGE, ...DETAILS },
    required: ['user', 'message'],
  }),
  check: { document: AdmitAbuseReportDocument, variables: () => ({}) },
  document: SubmitAbuseReportDocument,
  variables: (_input, { values }) => ({ kind: 'USER' as const, values: Object.fromEntries(values) }),
  reply: ({ submitAbuseReport: report }, { view }) => jsonReply(accountReport.write(report, view), 201),
  responses: { 201: { description: 'The report.', schema: accountReport.schema } },
  refusals: [400, 404, 415],
});

const reportCollection = route({
  method: 'POST',
  path: '/abuse/report/collection/',
  apiVersions: API_VERSIONS,
  summary: 'Report a collection',
  signIn: 'optional',
  body: objectBody({
    properties: { collection: text('Id, UUID or <username>/<slug> of the collection.'), message: MESSAGE, ...DETAILS },
    required: ['collection', 'message'],
  }),
  check: { document: AdmitAbuseReportDocument, variables: () => ({}) },
  document: SubmitAbuseReportDocument,
  variables: (_input, { values }) => ({ kind: 'COLLECTION' as const, values: Object.fromEntries(values) }),
  reply: ({ submitAbuseReport: report }, { view }) => jsonReply(collectionReport.write(report, view), 201),
  responses: { 201: { description: 'The report.', schema: collectionReport.schema } },
  refusals: [400, 404, 415],
});

const reportRating = route({
  method: 'POST',
  path: '/abuse/report/rating/',
  apiVersions: API_VERSIONS,
  summary: 'Report a rating',
  signIn: 'optional',
  body: objectBody({
    properties: { rating: text('Id of the rating, or of a reply to one.'), message: MESSAGE, ...DETAILS },
    required: ['rating', 'message'],
  }),
  check: { document: AdmitAbuseReportDocument, variables: () => ({}) },
  document: SubmitAbuseReportDocument,
  variables: (_input, { values }) => ({ kind: 'RATING' as const, values: Object.fromEntries(values) }),
  reply: ({ submitAbuseReport: report }, { view }) => jsonReply(ratingReport.write(report, view), 201),
  responses: { 201: { description: 'The report.', schema: ratingReport.schema } },
  refusals: [400, 404, 415],
});

export const abuseRoutes: readonly Route[] = [reportAddon, reportAccount, reportCollection, reportRating];
