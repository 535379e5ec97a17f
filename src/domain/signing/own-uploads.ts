/* The uploads of the viewer, as the submission API (v5) lists them. */
import { requireSignedIn } from '../../auth/permissions.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { type NumberedPage, numberedPage } from '../../graphql/connections.ts';
import { db } from '../../infra/db.ts';
import { loadUploadsAt } from './load-upload.ts';
import { Upload } from './upload.ts';

interface UploadPage extends NumberedPage {
  accountId: number;
  /** Number of uploads on all pages; counted once. */
  count(): Promise<number>;
}

const UploadPage = builder.objectRef<UploadPage>('UploadPage').implement({
  description: 'A numbered page of the uploads of an account, newest first.',
  fields: (t) => ({
    totalCount: t.int({
      description: 'Number of uploads on all pages.',
      resolve: ({ count }) => count(),
    }),
    nodes: t.field({
      type: [Upload],
      description: 'The uploads of the page.',
      resolve: ({ accountId, page, pageSize }) => loadUploadsAt(accountId, (page - 1) * pageSize, pageSize),
    }),
  }),
});

builder.queryField('ownUploads', (t) =>
  t.field({
    type: UploadPage,
    subGraphs: INTERNAL,
    description: 'The uploads of the viewer, newest first.',
    args: {
      page: t.arg.int({ required: true, description: 'Page number from 1.' }),
      pageSize: t.arg.int({ required: true, description: 'Uploads per page.' }),
    },
    resolve: (_root, { page, pageSize }, { viewer }) => {
      const { accountId } = requireSignedIn(viewer);
      let counting: Promise<number> | undefined;
      const count = () => (counting ??= db.upload.count({ where: { accountId } }).then());
      return { accountId, count, ...numberedPage(page, pageSize) };
    },
  }),
);
