import { InvalidInputError } from '../../errors.ts';
import {
  FileDownloadDocument,
  type FileDownloadQuery,
  SubmitAddonDocument,
  SubmitVersionDocument,
  type UploadFieldsFragment,
  UploadPermissionDocument,
  UploadStatusDocument,
} from '../../generated/operations/graphql.ts';
import type { Form } from '../../http/multipart.ts';
import type { UploadedFile } from '../../infra/staging/uploaded-file.ts';
import { uploadStatus, uploadStatusJson } from '../json/signing.ts';
import { label, recordId, segment } from '../parameters.ts';
import { json, type Reply } from '../reply.ts';
import { failures, notModified } from '../responses.ts';
import { type Route, route } from '../route.ts';
import type { View } from '../view.ts';

/** What the five signing endpoints have in common (contract, Signing). */
const signing = { signIn: 'required', jti: 'optional', errors: 'error' } as const;

const versionParams = {
  guid: segment('Id of the add-on; upper and lower case are the same.'),
  version: segment('Version number, as in the manifest.'),
};

const UPLOAD_PART = { name: 'upload', description: 'The add-on package.' };

const accepted = {
  201: { description: 'The add-on and the version were created.', schema: uploadStatus },
  202: { description: 'The version was created.', schema: uploadStatus },
};
const status = { 200: { description: 'The status of the upload.', schema: uploadStatus } };

/**
 * The file of an upload form, for an operation.
 * @throws {InvalidInputError} when there is none.
 */
function uploadOf(form: Form): Promise<UploadedFile> {
  if (form.file === null) throw new InvalidInputError('Missing "upload" key in multipart file data.');
  return Promise.resolve(form.file);
}

function versionOf(form: Form): string {
  const version = form.fields.get('version');
  if (version === undefined) throw new InvalidInputError('Missing "version" key in multipart form data.');
  return version;
}

/** What both submitting operations answer. Refusals are thrown by `execute` and do not arrive here. */
type Submitted = { addonCreated: boolean; upload: UploadFieldsFragment } | { code: string; message: string };

function submittedReply(result: Submitted, view: View): Reply {
  if (!('upload' in result)) throw new Error(`an unexpected refusal: ${result.code}`);
  return json(uploadStatusJson(result.upload, view), result.addonCreated ? 201 : 202);
}

const submitVersion = route({
  ...signing,
  method: 'PUT',
  path: '/addons/:guid/versions/:version/',
  summary: 'Upload a version of an add-on, or the first version of a new one',
  params: versionParams,
  query: {},
  form: {
    file: UPLOAD_PART,
    fields: { channel: 'listed or unlisted; only for further versions of an existing add-on.' },
    required: [],
  },
  check: { document: UploadPermissionDocument, variables: ({ path }) => path },
  document: SubmitVersionDocument,
  variables: ({ path }, form) => ({
    input: { ...path, file: uploadOf(form), channelName: form.fields.get('channel') ?? null },
  }),
  reply: ({ submitVersion: result }, { view }) => submittedReply(result, view),
  responses: { ...accepted, ...failures('error', [400, 401, 403, 409, 415, 429, 503]) },
});

const submitAddon = route({
  ...signing,
  method: 'POST',
  path: '/addons/',
  summary: 'Upload a WebExtension without naming its id',
  params: {},
  query: {},
  form: { file: UPLOAD_PART, fields: { version: 'Version number, as in the manifest.' }, required: ['version'] },
  check: { document: UploadPermissionDocument, variables: () => ({}) },
  document: SubmitAddonDocument,
  variables: (_input, form) => {
    const file = uploadOf(form);
    return { input: { file, version: versionOf(form) } };
  },
  reply: ({ submitAddon: result }, { view }) => submittedReply(result, view),
  responses: { ...accepted, ...failures('error', [400, 401, 403, 409, 415, 429, 503]) },
});

const newestUpload = route({
  ...signing,
  method: 'GET',
  path: '/addons/:guid/versions/:version/',
  summary: 'Status of the newest upload of a version',
  params: versionParams,
  query: {},
  document: UploadStatusDocument,
  variables: ({ path }) => path,
  reply: ({ upload }, { view }) => json(uploadStatusJson(upload, view)),
  responses: { ...status, ...failures('error', [401, 403, 404, 429, 503]) },
});

const oneUpload = route({
  ...signing,
  method: 'GET',
  path: '/addons/:guid/versions/:version/uploads/:pk/',
  summary: 'Status of one upload of a version',
  params: { ...versionParams, pk: segment('Identifier of the upload.') },
  query: {},
  document: UploadStatusDocument,
  variables: ({ path }) => path,
  reply: ({ upload }, { view }) => json(uploadStatusJson(upload, view)),
  responses: { ...status, ...failures('error', [401, 403, 404, 429, 503]) },
});

/** What both addresses of a file answer (contract, Signing: file, and File: url). */
const fileParams = {
  params: { file_id: recordId('Id of the file.'), base_filename: segment('Any name; it only names the saved file.') },
  query: { src: label('Where the download was asked for.') },
};
const fileResponses = {
  200: { description: 'The file.', file: true },
  206: { description: 'The part of the file that was asked for.', file: true },
  302: { description: 'The address of the file on a mirror; X-Target-Digest has its SHA-256.' },
  ...notModified,
  ...failures('error', [401, 404, 416, 429, 503]),
} as const;

function fileReply({ fileDownload: file }: FileDownloadQuery): Reply {
  if (file.mirrorUrl === null) return { kind: 'file', file };
  return { kind: 'redirect', location: file.mirrorUrl, headers: { 'X-Target-Digest': `sha256:${file.sha256}` } };
}

const download = route({
  ...signing,
  ...fileParams,
  method: 'GET',
  path: '/file/:file_id/:base_filename',
  summary: 'Download a file',
  document: FileDownloadDocument,
  variables: ({ path, query, whole }) => ({ id: path.file_id, source: query.src, counted: whole }),
  reply: fileReply,
  responses: fileResponses,
});

/** The address that the catalogue gives: public files need no credentials there. */
const catalogueDownload = route({
  ...signing,
  ...fileParams,
  signIn: 'optional',
  outsideApi: true,
  method: 'GET',
  path: '/downloads/file/:file_id/:base_filename',
  summary: 'Download a file',
  document: FileDownloadDocument,
  variables: ({ path, query, whole }) => ({ id: path.file_id, source: query.src, counted: whole }),
  reply: fileReply,
  responses: fileResponses,
});

export const signingRoutes: readonly Route[] = [
  submitVersion,
  submitAddon,
  newestUpload,
  oneUpload,
  download,
  catalogueDownload,
];
