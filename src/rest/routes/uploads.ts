/* Routes of the submission API: uploads, and add-ons and versions made from them. */

import { z } from 'zod';
import { type FieldMessages, InvalidInputError, NotFoundError, refusedField } from '../../errors.ts';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  AdmitNamedUploadDocument,
  AdmitNewVersionDocument,
  AdmitUploadDocument,
  CreateUploadDocument,
  OwnUploadDocument,
  OwnUploadsDocument,
  type SubmitAddonInput,
  SubmitNamedAddonDocument,
  SubmitNewAddonDocument,
  type SubmitNewAddonMutation,
  SubmitNewVersionDocument,
  type SubmitVersionInput,
} from '../../generated/operations/graphql.ts';
import type { MultipartForm } from '../../http/multipart.ts';
import { type Param, segmentParam, sentText } from '../../http/params.ts';
import { message } from '../../texts/messages.ts';
import { multipart } from '../body.ts';
import { keysBelow } from '../errors.ts';
import { addonShape } from '../json/addons.ts';
import { requireFound, responseOf } from '../json/shape.ts';
import { uploadShape } from '../json/uploads.ts';
import { versionShape } from '../json/versions.ts';
import { pageEnvelope, pageOf } from '../pagination.ts';
import { ADDON_REQUEST } from '../requests/addon-request.ts';
import { CHANNEL_NAMES, channelOf } from '../requests/names.ts';
import { errorFields, type ReadRequest, readRequest, schemaOf } from '../requests/read-request.ts';
import { submissionBody } from '../requests/submission-body.ts';
import { readVersionRequest, uploadOfUuid, VERSION_CREATION } from '../requests/version-request.ts';
import { jsonReply, type Route, type RouteReply, route } from '../route.ts';
import { textVariables } from '../translations.ts';
import type { View } from '../view.ts';
import { addonParams, submittedReference } from './addons.ts';
import { inputOf, submissionWrite } from './submission.ts';

const uploads = { apiVersions: ['v5'], signIn: 'required' } as const;

/** The parts of an upload form. @throws {InvalidInputError} that names every missing part. */
function partsOf({ file, fields, fileProblem }: MultipartForm) {
  const channel = channelOf(fields.get('channel'));
  if (file !== null && channel !== undefined) return { file: Promise.resolve(file), channel };
  throw new InvalidInputError(message('form.incomplete'), {
    ...(file === null ? { upload: [fileProblem ?? message('form.no_file', { name: 'upload' })] } : {}),
    ...(channel === undefined ? { channel: [message('form.no_channel')] } : {}),
  });
}

const tooLarge = (limit: number) =>
  refusedField('upload', message('upload.too_large', { size: String(Math.floor(limit / 1024 / 1024)) }));

const createUpload = route({
  ...uploads,
  method: 'POST',
  path: '/addons/upload/',
  summary: 'Upload a package, which becomes a version with its submission',
  body: multipart({
    file: { name: 'upload', description: 'The package: .zip, .xpi or .crx.', tooLarge },
    fields: {
      channel: {
        description: 'The channel that the package is validated for.',
        required: true,
        values: CHANNEL_NAMES,
      },
    },
  }),
  uploadKeys: () => ({ newUpload: true }),
  check: { document: AdmitUploadDocument, variables: () => ({}) },
  document: CreateUploadDocument,
  variables: (_input, form) => ({ input: partsOf(form) }),
  reply: ({ createUpload: result }, { view }) =>
    jsonReply(uploadShape.write(payloadOf(result, 'upload').upload, view), 201),
  responses: { 201: responseOf('The upload, which is validated next.', uploadShape) },
  refusals: [400, 415],
});

const listUploads = route({
  ...uploads,
  method: 'GET',
  path: '/addons/upload/',
  summary: 'Uploads of the account, newest first',
  paginated: true,
  document: OwnUploadsDocument,
  variables: ({ page }) => page,
  reply: ({ viewer }, { address, page, view }) => {
    const { totalCount: count, edges } = requireFound(requireFound(viewer).uploads);
    return jsonReply(
      pageEnvelope(address, page, { count, results: edges.map(({ node }) => uploadShape.write(node, view)) }),
    );
  },
  responses: { 200: { description: 'A page of uploads.', schema: pageOf(uploadShape.v5) } },
  refusals: [404],
});

/** 32 hex digits, with or without hyphens, as a global id. */
const uuid: Param<string> = {
  ...segmentParam('The uuid of the upload.'),
  read: sentText.transform((text) => uploadOfUuid(text ?? '')),
};

const showUpload = route({
  ...uploads,
  method: 'GET',
  path: '/addons/upload/:uuid/',
  summary: 'An upload of the account',
  params: { uuid },
  uploadKeys: ({ path }) => ({ upload: path.uuid }),
  document: OwnUploadDocument,
  variables: ({ path }) => ({ id: path.uuid }),
  reply: ({ upload: shown }, { view }) => {
    if (!shown?.isOwn) throw new NotFoundError();
    return jsonReply(uploadShape.write(shown, view));
  },
  responses: { 200: responseOf('The upload.', uploadShape) },
  refusals: [404],
});

const REQUIRED = message('field.required');
/** Names `version` of a request in errors; no field of an input is called so. */
const WHOLE_VERSION = 'versionRequest';

/** @throws {InvalidInputError} with all faults of a request that names no upload: nothing else can be checked then. */
function requireUpload({ input, faults }: ReadRequest, missing: FieldMessages): void {
  if ('upload' in input) return;
  const fields = faults !== null && 'upload' in faults ? faults : { ...faults, ...missing };
  throw new InvalidInputError(REQUIRED, fields);
}

/** An Add-on request with its version, as the input of a submission. */
function submissionOf<Input>(values: Readonly<Record<string, unknown>>): Input {
  const listing = readRequest(ADDON_REQUEST, values);
  const { data: version } = z.record(z.string(), z.unknown()).safeParse(values.version);
  const made = version === undefined ? null : readVersionRequest(VERSION_CREATION, version);
  const faults = { ...listing.faults, ...made?.faults };
  const request: ReadRequest = {
    input: { ...listing.input, ...made?.input },
    faults: Object.keys(faults).length === 0 ? null : faults,
  };
  requireUpload(request, { [made === null ? WHOLE_VERSION : 'upload']: [REQUIRED] });
  return inputOf<Input>(request);
}

const ADDON_CREATION = schemaOf(ADDON_REQUEST).extend({ version: schemaOf(VERSION_CREATION, ['upload']) });

const addonErrors = {
  fields: {
    ...errorFields(ADDON_REQUEST),
    ...keysBelow('version', errorFields(VERSION_CREATION)),
    [WHOLE_VERSION]: 'version',
  },
  package: 'version.upload',
};

/** The result of a submission that names an add-on or makes one. */
type Submitted = Omit<Extract<SubmitNewAddonMutation['submitAddon'], { addon: unknown }>, '__typename'>;

function addonReply({ addon: shown, version: made }: Submitted, isCreated: boolean, view: View): RouteReply {
  return jsonReply(addonShape.write({ ...shown, version: made }, view), isCreated ? 201 : 200);
}

/** Declared by both submissions that name or make an add-on. */
const addonSubmission = {
  ...submissionWrite,
  body: submissionBody(ADDON_CREATION),
  errorKeys: addonErrors,
  refusals: [400, 403, 404, 409, 415],
};

const createAddon = route({
  ...addonSubmission,
  method: 'POST',
  path: '/addons/addon/',
  summary: 'Make an add-on from an upload',
  check: { document: AdmitUploadDocument, variables: () => ({}) },
  document: SubmitNewAddonDocument,
  variables: ({ view }, { values }) => ({ input: submissionOf<SubmitAddonInput>(values), ...textVariables(view) }),
  reply: ({ submitAddon: result }, { view }) => {
    const done = payloadOf(result, 'version');
    return addonReply(done, done.isNewVersion, view);
  },
  responses: {
    200: responseOf('The add-on that the same upload has made before, with the changes.', addonShape),
    201: responseOf('The new add-on.', addonShape),
  },
});

const putAddon = route({
  ...addonSubmission,
  method: 'PUT',
  path: '/addons/addon/:guid/',
  summary: 'Make an add-on, or change one and add a version, from an upload',
  params: { guid: segmentParam('Guid of the add-on; upper and lower case are the same.') },
  uploadKeys: ({ path }) => ({ addon: path }),
  check: { document: AdmitNamedUploadDocument, variables: ({ path }) => path },
  document: SubmitNamedAddonDocument,
  variables: ({ path, view }, { values }) => ({
    input: { ...path, ...submissionOf<Omit<SubmitVersionInput, 'guid'>>(values) },
    ...textVariables(view),
  }),
  reply: ({ submitVersion: result }, { view }) => {
    const done = payloadOf(result, 'version');
    return addonReply(done, done.isNewAddon, view);
  },
  responses: {
    200: responseOf('The add-on after the change, with the version of the upload.', addonShape),
    201: responseOf('The new add-on.', addonShape),
  },
});

const createVersion = route({
  ...submissionWrite,
  method: 'POST',
  path: '/addons/addon/:addon/versions/',
  summary: 'Make a version from an upload',
  params: addonParams,
  body: submissionBody(schemaOf(VERSION_CREATION, ['upload'])),
  uploadKeys: ({ path }) => ({ addon: submittedReference(path.addon) }),
  check: { document: AdmitNewVersionDocument, variables: ({ path }) => ({ by: submittedReference(path.addon) }) },
  document: SubmitNewVersionDocument,
  variables: ({ view }, { values }, { admission }) => {
    const request = readVersionRequest(VERSION_CREATION, values);
    requireUpload(request, { upload: [REQUIRED] });
    const input = inputOf<Omit<SubmitVersionInput, 'addon'>>(request);
    return { input: { ...input, addon: String(admission) }, ...textVariables(view) };
  },
  reply: ({ submitVersion: result }, { view }) => {
    const { version: made, isNewVersion } = payloadOf(result, 'version');
    return jsonReply(versionShape.write(made, view), isNewVersion ? 201 : 200);
  },
  errorKeys: { fields: errorFields(VERSION_CREATION) },
  responses: {
    200: responseOf('The version that the same upload has made before, with the changes.', versionShape),
    201: responseOf('The new version.', versionShape),
  },
  refusals: [400, 403, 404, 409, 415],
});

export const uploadRoutes: readonly Route[] = [
  createUpload,
  listUploads,
  showUpload,
  createAddon,
  putAddon,
  createVersion,
];
