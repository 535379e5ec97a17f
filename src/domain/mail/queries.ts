import { requirePermission } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { countedFields, keysetConnection } from '../../graphql/connections.ts';
import { countMails, listMails } from './find-mails.ts';
import { MailStateEnum, OutgoingMail } from './outgoing-mail.ts';

builder.queryField('mailOutbox', (t) =>
  t.connection(
    {
      type: OutgoingMail,
      description: 'Outgoing mails, newest first, sent ones included. Requires Admin:Mail.',
      args: {
        to: t.arg.string({ description: 'Only mails to this address, in any case.' }),
        state: t.arg({ type: MailStateEnum, description: 'Only mails in this state.' }),
      },
      resolve: async (_root, { to, state, ...cursors }, { viewer }) => {
        requirePermission(viewer, 'Admin:Mail');
        const filter = { to: to ?? null, state: state ?? null };
        return {
          ...(await keysetConnection('mailOutbox', cursors, (page) => listMails(filter, page))),
          totalCount: () => countMails(filter),
        };
      },
    },
    {
      name: 'OutgoingMailConnection',
      description: 'One page of outgoing mails.',
      fields: (t) => ({
        ...countedFields(t),
        hasMailServer: t.boolean({
          description: 'Whether a mail server is configured. Without one, mails wait.',
          resolve: () => config.SMTP_URL !== undefined,
        }),
      }),
    },
    { name: 'OutgoingMailEdge', description: 'A mail and its cursor.' },
  ),
);
