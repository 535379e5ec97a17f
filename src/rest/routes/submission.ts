/* Routes of the submission API that no other API version has: changes of add-ons, and versions by id or number. */

import { payloadOf } from '../../execution/endpoint.ts';
import {
  AdmitListingDocument,
  AdmitVersionDocument,
  PatchAddonDocument,
  PatchVersionDocument,
  SourceDownloadDocument,
  type UpdateAddonInput,
  type UpdateVersionInput,
  VersionByRefDocument,
} from '../../generated/operations/graphql.ts';
import { unknownAddress } from '../../http/http-refusal.ts';
import { langParam, type Param, recordId, segmentParam, sentText } from '../../http/params.ts';
import { addonShape } from '../json/addons.ts';
import { requireFound, responseOf } from '../json/shape.ts';
import { versionShape } from '../json/versions.ts';
import { ADDON_REQUEST } from '../requests/addon-request.ts';
import { errorFields, type ReadRequest, readRequest, schemaOf } from '../requests/read-request.ts';
import { submissionBody } from '../requests/submission-body.ts';
import { readVersionRequest, VERSION_CHANGES } from '../requests/version-request.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { textVariables } from '../translations.ts';
import { addonParams, submittedReference } from './addons.ts';

/** Declared by the writes of the submission API. */
export const submissionWrite = { apiVersions: ['v5'], signIn: 'required', isLimitedWrite: true } as const;

/** A request as the input of a mutation, which also refuses what is wrong in the request itself. */
export function inputOf<Input>({ input, faults }: ReadRequest): Input {
  return (faults === null ? input : { ...input, inputFaults: faults }) as Input;
}

const changeAddon = route({
  ...submissionWrite,
  method: 'PATCH',
  path: '/addons/addon/:addon/',
  summary: 'Change an add-on',
  params: addonParams,
  body: submissionBody(schemaOf(ADDON_REQUEST)),
  check: { document: AdmitListingDocument, variables: ({ path }) => ({ by: submittedReference(path.addon) }) },
  document: PatchAddonDocument,
  variables: ({ view }, { values }, { admission: id }) => ({
    input: { id: String(id), ...inputOf<Omit<UpdateAddonInput, 'id'>>(readRequest(ADDON_REQUEST, values)) },
    ...textVariables(view),
  }),
  reply: ({ updateAddon: result }, { view }) => jsonReply(addonShape.write(payloadOf(result, 'addon').addon, view)),
  errorKeys: { fields: errorFields(ADDON_REQUEST) },
  responses: { 200: responseOf('The add-on after the change.', addonShape) },
  refusals: [400, 403, 404, 415],
});

/** A version by its id, or by its number when that has a dot or follows a `v`. @throws {HttpRefusal} 404 for other texts. */
const versionRef: Param<{ databaseId: number } | { number: string }> = {
  ...segmentParam('Id of the version; or its number, behind a v when it has no dot.'),
  read: sentText.transform((text) => {
    const ref = text ?? '';
    if (/^\d+$/.test(ref)) return { databaseId: recordId('').read.parse(ref) };
    if (/^v./s.test(ref)) return { number: ref.slice(1) };
    if (ref.includes('.')) return { number: ref };
    throw unknownAddress();
  }),
};

const versionParams = { ...addonParams, version_ref: versionRef };
const versionPath = '/addons/addon/:addon/versions/:version_ref/';

const versionByRef = route({
  method: 'GET',
  path: versionPath,
  apiVersions: ['v5'],
  summary: 'One version of an add-on',
  signIn: 'optional',
  params: versionParams,
  query: { lang: langParam },
  uploadKeys: ({ path }) => ({ addon: submittedReference(path.addon) }),
  document: VersionByRefDocument,
  variables: ({ path, view }) => ({
    by: submittedReference(path.addon),
    version: path.version_ref,
    ...textVariables(view),
  }),
  reply: ({ addon: shown }, { view }) => jsonReply(versionShape.write(requireFound(requireFound(shown).version), view)),
  responses: { 200: responseOf('The version.', versionShape) },
  refusals: [403, 404],
});

const changeVersion = route({
  ...submissionWrite,
  method: 'PATCH',
  path: versionPath,
  summary: 'Change a version',
  params: versionParams,
  body: submissionBody(schemaOf(VERSION_CHANGES)),
  uploadKeys: ({ path }) => ({
    uploadedVersion: { addon: submittedReference(path.addon), version: path.version_ref },
  }),
  check: {
    document: AdmitVersionDocument,
    variables: ({ path }) => ({ by: submittedReference(path.addon), version: path.version_ref }),
  },
  document: PatchVersionDocument,
  variables: ({ view }, { values }, { admission: id }) => ({
    input: { id: String(id), ...inputOf<Omit<UpdateVersionInput, 'id'>>(readVersionRequest(VERSION_CHANGES, values)) },
    ...textVariables(view),
  }),
  reply: ({ updateVersion: result }, { view }) =>
    jsonReply(versionShape.write(requireFound(payloadOf(result, 'version').version), view)),
  errorKeys: { fields: errorFields(VERSION_CHANGES) },
  responses: { 200: responseOf('The version after the change.', versionShape) },
  refusals: [400, 403, 404, 415],
});

const SOURCE_TYPE = 'application/octet-stream';

const versionSource = route({
  method: 'GET',
  path: '/addons/addon/:addon/versions/:version_ref/source/',
  apiVersions: ['v5'],
  summary: 'Download the source code of a version',
  signIn: 'required',
  params: versionParams,
  document: SourceDownloadDocument,
  variables: ({ path }) => ({ by: submittedReference(path.addon), version: path.version_ref }),
  reply: ({ sourceDownload: file }) => ({
    kind: 'file',
    file: { ...file, contentType: SOURCE_TYPE, disposition: 'attachment', isPublic: false, mirrorUrl: null },
    counted: null,
  }),
  responses: {
    200: { description: 'The archive, for authors and reviewers.', file: [SOURCE_TYPE] },
    206: { description: 'The requested part of the archive.', file: [SOURCE_TYPE] },
  },
  refusals: [404, 416],
});

export const submissionRoutes: readonly Route[] = [changeAddon, versionByRef, changeVersion, versionSource];
