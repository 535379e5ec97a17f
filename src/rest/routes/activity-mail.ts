import { z } from 'zod';
import { InvalidInputError } from '../../errors.ts';
import { ReceiveMailDocument } from '../../generated/operations/graphql.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import { BodyTooLargeError, MAX_BYTES } from '../../http/small-body.ts';
import { type BodyDeclaration, type ObjectBody, objectBody } from '../body.ts';
import { jsonReply, type Route, route } from '../route.ts';

const Recipients = z
  .array(z.object({ EmailAddress: z.string().meta({ description: 'Address of a recipient.' }) }))
  .meta({ description: 'Recipients; the first with the form of a reply address is used.' });

const posted = objectBody({
  properties: {
    SecretKey: z.string().meta({ description: 'The secret of incoming mail.' }),
    Type: z.string().meta({ description: '`Validation` checks the address.' }),
    Message: z
      .object({
        TextBody: z.string().meta({ description: 'Plain text of the mail.' }),
        To: Recipients.optional(),
        MessageId: z.string().optional().meta({ description: 'Message-ID; a repeated one is discarded.' }),
      })
      .meta({ description: 'The mail.' }),
    To: Recipients,
  },
  required: ['SecretKey'],
});

const NOTHING: ObjectBody = { values: new Map(), isForm: false, file: null };

/** As `posted`, but a body that cannot be read has no values, and so no secret (docs/decisions.md D120). Over 256 KiB is refused. */
const mailBody: BodyDeclaration<ObjectBody> = {
  ...posted,
  async read(request, start) {
    if (Number(request.headers['content-length']) > MAX_BYTES) throw new BodyTooLargeError();
    try {
      return await posted.read(request, start);
    } catch (error) {
      const isUnreadable = error instanceof HttpRefusal || error instanceof InvalidInputError;
      if (!isUnreadable || error instanceof BodyTooLargeError) throw error;
      return NOTHING;
    }
  },
};

const KEY = z.string().meta({ description: 'The setting INBOUND_MAIL_VALIDATION_KEY.' });

const receiveMail = route({
  method: 'POST',
  path: '/activity/mail',
  summary: 'Receive a mail from a mail server',
  signIn: 'ignored',
  body: mailBody,
  document: ReceiveMailDocument,
  variables: (_input, { values }) => ({ values: Object.fromEntries(values) }),
  reply: ({ receiveMail: { isValidation, validationKey } }) => jsonReply(validationKey, isValidation ? 200 : 201),
  responses: {
    200: { description: 'The address was checked.', schema: KEY },
    201: { description: 'The mail was received, even if it was discarded.', schema: KEY },
  },
  refusals: [400, 403],
});

export const activityMailRoutes: readonly Route[] = [receiveMail];
