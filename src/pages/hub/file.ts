import { FileDownloadDocument } from '../../generated/operations/graphql.ts';
import { recordId, segment } from '../../http/params.ts';
import { page } from '../page.ts';

/** A file for its authors and reviewers, with the session of pages. Other viewers of files that are not public get 404. */
export const filePage = page({
  path: '/developers/file/:id/:name',
  visitor: 'account',
  params: { id: recordId('Id of the file.'), name: segment('Any name; it only names the saved file.') },
  document: FileDownloadDocument,
  variables: ({ path: { id } }) => ({ id }),
  view: ({ fileDownload: file }, { path: { id } }) => ({ kind: 'download', id, addonId: file.addonId, file }),
});
