import { type FieldMessages, InvalidInputError, NotFoundError } from '../../errors.ts';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  AdmitUploadDocument,
  type Channel,
  FileDownloadDocument,
  LatestDownloadDocument,
  SubmitAddonDocument,
  SubmitVersionDocument,
  type UploadFieldsFragment,
  UploadStatusDocument,
} from '../../generated/operations/graphql.ts';
import { addonReference, uploadId } from '../../graphql/references.ts';
import type { MultipartForm } from '../../http/multipart.ts';
import {
  applicationParam,
  enumValues,
  labelParam,
  type Param,
  recordId,
  segmentParam,
  wordParam,
} from '../../http/params.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { PLATFORMS } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { multipart } from '../body.ts';
import { requireFound } from '../json/shape.ts';
import { uploadStatus } from '../json/signing.ts';
import { CHANNEL_NAMES, channelOf } from '../requests/names.ts';
import { jsonReply, type Route, type RouteReply, route } from '../route.ts';
import { API_VERSIONS, type View } from '../view.ts';
import { addonParams } from './addons.ts';

/** Declared by all five signing endpoints (contract, Signing). */
const signing = { apiVersions: API_VERSIONS, signIn: 'required', jti: 'optional', errors: 'error' } as const;

const versionParams = {
  guid: segmentParam('Id of the add-on; upper and lower case are the same.'),
  version: segmentParam('Version number, as in the manifest.'),
};

const CHANNEL_PART = {
  description: 'Channel of a further version. A new add-on starts unlisted.',
  values: CHANNEL_NAMES,
};
const UPLOAD_PART = { name: 'upload', description: 'The add-on package.' };

const accepted = {
  201: { description: 'The add-on and the version were created.', schema: uploadStatus.schema },
  202: { description: 'The version was created.', schema: uploadStatus.schema },
};

/** The file of an upload form, as operations take it. @throws {InvalidInputError} without a file. */
function uploadOf(form: MultipartForm): Promise<UploadedFile> {
  if (form.file === null) throw new InvalidInputError(form.fileProblem ?? message('form.no_file', { name: 'upload' }));
  return Promise.resolve(form.file);
}

function versionOf(form: MultipartForm): string {
  const version = form.fields.get('version');
  if (version === undefined) throw new InvalidInputError(message('form.no_field', { name: 'version' }));
  return version;
}

/** The channel of a form as fields of an input. An unknown one is refused after the checks of package, version and id. */
function channelFields({ fields }: MultipartForm): { channel: Channel | null; inputFaults?: FieldMessages } {
  const name = fields.get('channel');
  const channel = channelOf(name) ?? null;
  if (name === undefined || channel !== null) return { channel };
  return { channel, inputFaults: { channel: [message('upload.unknown_channel', { channel: printable(name) })] } };
}

/** The result of both submitting operations. */
const submittedReply = (
  { upload, isNewAddon }: { isNewAddon: boolean; upload: UploadFieldsFragment },
  view: View,
): RouteReply => jsonReply(uploadStatus.write(upload, view), isNewAddon ? 201 : 202);

const submitVersion = route({
  ...signing,
  method: 'PUT',
  path: '/addons/:guid/versions/:version/',
  summary: 'Upload a version of an add-on, or the first version of a new one',
  params: versionParams,
  body: multipart({ file: UPLOAD_PART, fields: { channel: CHANNEL_PART } }),
  uploadKeys: ({ path }) => ({ addon: { guid: path.guid } }),
  check: { document: AdmitUploadDocument, variables: ({ path }) => path },
  document: SubmitVersionDocument,
  variables: ({ path }, form) => ({
    input: { ...path, file: uploadOf(form), ...channelFields(form) },
  }),
  reply: ({ submitVersion: result }, { view }) => submittedReply(payloadOf(result, 'upload'), view),
  responses: accepted,
  refusals: [400, 403, 409, 415],
});

const submitAddon = route({
  ...signing,
  method: 'POST',
  path: '/addons/',
  summary: 'Upload a WebExtension without naming its id',
  body: multipart({
    file: UPLOAD_PART,
    fields: { version: { description: 'Version number, as in the manifest.', required: true }, channel: CHANNEL_PART },
  }),
  check: { document: AdmitUploadDocument, variables: () => ({}) },
  document: SubmitAddonDocument,
  variables: (_input, form) => {
    const file = uploadOf(form);
    const version = versionOf(form);
    // A known channel is ignored: a new add-on starts unlisted.
    const { channel: _channel, ...faults } = channelFields(form);
    return { input: { file, version, ...faults } };
  },
  reply: ({ submitAddon: result }, { view }) => submittedReply(payloadOf(result, 'upload'), view),
  responses: accepted,
  refusals: [400, 403, 409, 415],
});

const statusRoute = (path: string, summary: string, params: typeof versionParams & { pk?: Param<string> }): Route =>
  route({
    ...signing,
    method: 'GET',
    path,
    summary,
    params,
    uploadKeys: ({ path }) => ({ addon: { guid: path.guid } }),
    document: UploadStatusDocument,
    variables: ({ path: { guid, version, pk } }) => ({
      by: { addonVersion: { guid, version, upload: pk === undefined ? null : uploadId(pk) } },
    }),
    reply: ({ upload }, { view }) => jsonReply(uploadStatus.write(requireFound(upload), view)),
    responses: { 200: { description: 'The status of the upload.', schema: uploadStatus.schema } },
    refusals: [403, 404],
  });

const newestUpload = statusRoute(
  '/addons/:guid/versions/:version/',
  'Status of the newest upload of a version',
  versionParams,
);

const oneUpload = statusRoute('/addons/:guid/versions/:version/uploads/:pk/', 'Status of one upload of a version', {
  ...versionParams,
  pk: segmentParam('Identifier of the upload.'),
});

/** Media types of the files that the service stores. */
const FILE_TYPES = ['application/x-xpinstall', 'application/opensearchdescription+xml'];

/** Of a parameter that has no effect at this address. */
const UNDOCUMENTED = { undocumented: true } as const;

/** `installs`: browsers install signed public WebExtensions from links to this address. */
const fileRoute = (
  path: string,
  { installs = false, ...options }: Partial<Pick<Route, 'signIn' | 'outsideApi' | 'jti'>> & { installs?: boolean },
): Route =>
  route({
    ...signing,
    ...options,
    method: 'GET',
    path,
    summary: 'Download a file',
    params: {
      file_id: recordId('Id of the file.'),
      base_filename: segmentParam('Any name; it only names the saved file.'),
    },
    query: {
      src: labelParam('Where the user started the download, for the statistics.'),
      collection_id: labelParam('UUID of the collection whose link is used, for its statistics.'),
      download: {
        ...labelParam('`1`: browsers save the file instead of installing it.'),
        ...(!installs && UNDOCUMENTED),
      },
    },
    uploadKeys: ({ path }) => ({ file: path.file_id }),
    document: FileDownloadDocument,
    variables: (input) => ({ id: input.path.file_id }),
    reply: ({ fileDownload: file }, { path: { file_id: fileId }, query }) => {
      const isInline = installs && file.isInstallable && query.download !== '1';
      const disposition = isInline ? 'inline' : 'attachment';
      return {
        kind: 'file',
        file: { ...file, disposition },
        counted: { addonId: file.addonId, fileId, source: query.src ?? '', collection: query.collection_id },
      };
    },
    responses: {
      200: { description: 'The file.', file: FILE_TYPES },
      206: { description: 'The requested part of the file.', file: FILE_TYPES },
      302: { description: 'The address of the file on a mirror; X-Target-Digest has its SHA-256.' },
    },
    refusals: [404, 416],
  });

const download = fileRoute('/file/:file_id/:base_filename', {});

/**
 * The address in catalogue responses: public files need no credentials there. Tools of the submission API download right after
 * the response that has the address, with the same token.
 */
const catalogueDownload = fileRoute('/downloads/file/:file_id/:base_filename', {
  installs: true,
  signIn: 'optional',
  outsideApi: true,
  jti: 'repeatable-after-v5',
});

/**
 * A lasting address of the newest public file, for policies and links. The file has an address of its own, so that caches of that
 * address never serve an older version.
 */
const latestDownload = route({
  method: 'GET',
  path: '/downloads/latest/:addon/:base_filename',
  outsideApi: true,
  errors: 'error',
  summary: 'The address of the newest public file of an add-on',
  signIn: 'ignored',
  params: { ...addonParams, base_filename: segmentParam('Any name; it has no effect.') },
  query: {
    app: applicationParam,
    platform: wordParam('Platform of the file; files for all platforms match too.', enumValues(PLATFORMS)),
    src: labelParam('Where the user started the download, for the statistics.'),
  },
  document: LatestDownloadDocument,
  variables: ({ path, query }) => ({ by: addonReference(path.addon), app: query.app, platform: query.platform }),
  reply: ({ addon }, { query }) => {
    const { latestFile: file } = requireFound(addon);
    if (file === null || !file.isStored || file.status !== 'PUBLIC') throw new NotFoundError();
    const location = new URL(file.url);
    if (query.src !== null) location.searchParams.set('src', query.src);
    return { kind: 'redirect', location: location.href };
  },
  responses: { 302: { description: 'The address of the file.' } },
  refusals: [400, 401, 404],
});

export const signingRoutes: readonly Route[] = [
  submitVersion,
  submitAddon,
  newestUpload,
  oneUpload,
  download,
  catalogueDownload,
  latestDownload,
];
