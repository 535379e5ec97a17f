import {
  AddonRevisionDocument,
  ReviewNoteDetailDocument,
  ReviewNoteListDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam, recordId } from '../../http/params.ts';
import { reviewNote } from '../json/activity.ts';
import { requireFound } from '../json/shape.ts';
import { pageEnvelope, pageOf } from '../pagination.ts';
import { jsonReply, type Route, route } from '../route.ts';
import type { View } from '../view.ts';
import { addonParams, addonVariables } from './addons.ts';

const versionParams = { ...addonParams, version_id: recordId('Id of the version.') };
const query = { lang: labelParam('Language of the labels of actions.') };

const flags = {
  document: AddonRevisionDocument,
  variables: ({ addon = '' }: Readonly<Record<string, string>>, view: View) => addonVariables({ addon }, view),
};

const reviewNoteList = route({
  method: 'GET',
  path: '/addons/addon/:addon/versions/:version_id/reviewnotes/',
  summary: 'The thread of a version, newest first',
  signIn: 'required',
  params: versionParams,
  query,
  paginated: true,
  flags,
  document: ReviewNoteListDocument,
  variables: ({ path, page, view }) => ({ ...addonVariables(path, view), version: path.version_id, ...page }),
  reply: ({ reviewThread }, { address, page, view }) => {
    const { totalCount: count, edges } = requireFound(reviewThread).notes;
    return jsonReply(
      pageEnvelope(address, page, { count, results: edges.map(({ node }) => reviewNote.write(node, view)) }),
    );
  },
  responses: { 200: { description: 'A page of review notes.', schema: pageOf(reviewNote.schema) } },
  refusals: [403, 404],
});

const reviewNoteDetail = route({
  method: 'GET',
  path: '/addons/addon/:addon/versions/:version_id/reviewnotes/:note_id/',
  summary: 'One review note of a version',
  signIn: 'required',
  params: { ...versionParams, note_id: recordId('Id of the review note.') },
  query,
  flags,
  document: ReviewNoteDetailDocument,
  variables: ({ path, view }) => ({ ...addonVariables(path, view), version: path.version_id, id: path.note_id }),
  reply: ({ reviewThread }, { view }) =>
    jsonReply(reviewNote.write(requireFound(requireFound(reviewThread).note), view)),
  responses: { 200: { description: 'The review note.', schema: reviewNote.schema } },
  refusals: [403, 404],
});

export const activityRoutes: readonly Route[] = [reviewNoteList, reviewNoteDetail];
