import { builder, INTERNAL } from '../../graphql/builder.ts';

/** The stored validation_results object, as the validator wrote it. */
export interface StoredValidation {
  errors: number;
  warnings: number;
  notices: number;
  messages: StoredMessage[];
}

interface StoredMessage {
  id: string[];
  type: 'error' | 'warning' | 'notice';
  message: string;
  description: string | string[] | null;
  file?: string | null;
  line?: number | null;
  column?: number | null;
}

const MessageType = builder.enumType('ValidationMessageType', {
  description: 'How serious a validation message is. Only errors keep a package back.',
  values: { ERROR: { value: 'error' }, WARNING: { value: 'warning' }, NOTICE: { value: 'notice' } } as const,
});

const ValidationMessage = builder.objectRef<StoredMessage>('ValidationMessage').implement({
  description: 'One finding of the validator.',
  fields: (t) => ({
    type: t.field({ type: MessageType, resolve: (message) => message.type }),
    code: t.string({ description: 'The rule that was broken.', resolve: (message) => message.id.join('.') }),
    message: t.exposeString('message'),
    description: t.string({
      resolve: ({ description }) => (Array.isArray(description) ? description.join('\n') : (description ?? '')),
    }),
    file: t.string({ nullable: true, resolve: (message) => message.file ?? null }),
    line: t.int({ nullable: true, resolve: (message) => message.line ?? null }),
    column: t.int({ nullable: true, resolve: (message) => message.column ?? null }),
  }),
});

export const Validation = builder.objectRef<StoredValidation>('Validation').implement({
  description: 'What the validator found in a package.',
  fields: (t) => ({
    errors: t.exposeInt('errors'),
    warnings: t.exposeInt('warnings'),
    notices: t.exposeInt('notices'),
    messages: t.field({ type: [ValidationMessage], resolve: (results) => results.messages }),
    json: t.field({
      subGraphs: INTERNAL,
      type: 'JSON',
      description: 'The whole object as the REST endpoints show it under validation_results.',
      resolve: (results) => results,
    }),
  }),
});
