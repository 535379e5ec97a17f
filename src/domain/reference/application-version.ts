import { builder } from '../../graphql/builder.ts';
import type { Application } from '../../package/enums.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { listApplicationVersions } from './manage-reference.ts';

/** A version of an application. */
export const ApplicationVersion = builder
  .objectRef<{ app: Application; version: string }>('ApplicationVersion')
  .implement({
    description: 'A version of an application that add-ons can declare compatibility with.',
    fields: (t) => ({
      app: t.expose('app', { type: ApplicationEnum, description: 'The application.' }),
      version: t.exposeString('version', { description: 'Version number such as 57.0 or 60.*.' }),
    }),
  });

builder.queryField('applicationVersions', (t) =>
  t.field({
    type: [ApplicationVersion],
    description: 'The versions of an application that add-ons can declare compatibility with, lowest first.',
    args: { app: t.arg({ type: ApplicationEnum, required: true, description: 'The application.' }) },
    extensions: { items: 500 },
    resolve: async (_root, { app }) => (await listApplicationVersions(app)).map((version) => ({ app, version })),
  }),
);
