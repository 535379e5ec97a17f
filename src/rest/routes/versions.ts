import { z } from 'zod';
import { VersionDetailDocument, type VersionFilter, VersionListDocument } from '../../generated/operations/graphql.ts';
import { enumValues, langParam, type Param, recordId, refuseParam, sentText, textParam } from '../../http/params.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { requireFound } from '../json/shape.ts';
import { addonVersion, type VersionFields, versionShape, withoutLicenseText } from '../json/versions.ts';
import { pageEnvelope, pageOf } from '../pagination.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { textVariables } from '../translations.ts';
import { API_VERSIONS, type View } from '../view.ts';
import { addonParams, addonVariables } from './addons.ts';

const FILTERS: Readonly<Record<string, VersionFilter>> = enumValues([
  'all_without_unlisted',
  'all_with_unlisted',
  'all_with_deleted',
] as const);

/** Which versions a list shows; an empty one counts as absent. */
const filter: Param<VersionFilter | null> = {
  schema: z.enum(Object.keys(FILTERS)),
  description: 'Shows versions that are not public, to callers with the permission.',
  read: sentText.transform((text, context) => {
    if (text === null || text === '') return null;
    const known = Object.hasOwn(FILTERS, text) ? FILTERS[text] : undefined;
    if (known !== undefined) return known;
    const facts = { value: printable(text), words: Object.keys(FILTERS).join(', ') };
    return refuseParam(context, () => message('version.unknown_filter', facts));
  }),
};

/** The detail route refuses a filter. */
const noFilter: Param<string | null> = {
  ...textParam('Not valid here.'),
  undocumented: true,
  read: sentText.transform((text, context) =>
    text ? refuseParam(context, () => message('version.filter_not_here')) : null,
  ),
};

/** A version in a list. Under v5 only a single version has the text of its licence. */
const writeInList = (shown: VersionFields, view: View) =>
  versionShape.write(view.gates.submission ? withoutLicenseText(shown) : shown, view);

const versionList = route({
  method: 'GET',
  path: '/addons/addon/:addon/versions/',
  apiVersions: API_VERSIONS,
  summary: 'Versions of an add-on, newest first',
  signIn: 'optional',
  params: addonParams,
  query: { filter, lang: langParam },
  paginated: true,
  document: VersionListDocument,
  variables: ({ path, query, page, view }) => ({
    ...addonVariables(path, view),
    ...textVariables(view),
    ...page,
    submission: view.gates.submission,
    filter: query.filter,
  }),
  reply: ({ addon }, { address, page, view }) => {
    const { versions } = requireFound(addon);
    return jsonReply(
      pageEnvelope(address, page, {
        count: versions.totalCount,
        results: versions.edges.map(({ node }) => writeInList(node, view)),
      }),
    );
  },
  responses: {
    200: { description: 'A page of versions.', schema: pageOf(versionShape.schema), v5: pageOf(addonVersion.v5) },
  },
  refusals: [400, 403, 404],
});

const versionDetail = route({
  method: 'GET',
  path: '/addons/addon/:addon/versions/:version_id/',
  summary: 'One version of an add-on',
  signIn: 'optional',
  params: { ...addonParams, version_id: recordId('Id of the version.') },
  query: { filter: noFilter, lang: langParam },
  document: VersionDetailDocument,
  variables: ({ path, view }) => ({ ...addonVariables(path, view), ...textVariables(view), id: path.version_id }),
  reply: ({ addon }, { view }) => jsonReply(versionShape.write(requireFound(requireFound(addon).version), view)),
  responses: { 200: { description: 'The version.', schema: versionShape.schema } },
  refusals: [400, 403, 404],
});

export const versionRoutes: readonly Route[] = [versionList, versionDetail];
