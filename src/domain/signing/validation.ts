import { builder, INTERNAL } from '../../graphql/builder.ts';

/** The stored `validation_results` object. */
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
  description: 'The severity of a validation message.',
  values: {
    ERROR: { value: 'error', description: 'Makes the package invalid.' },
    WARNING: { value: 'warning', description: 'A possible problem.' },
    NOTICE: { value: 'notice', description: 'Information.' },
  } as const,
});

const ValidationMessage = builder.objectRef<StoredMessage>('ValidationMessage').implement({
  description: 'One message of the validator.',
  fields: (t) => ({
    type: t.field({ type: MessageType, description: 'The severity.', resolve: (message) => message.type }),
    code: t.string({ description: 'The identifier of the violated rule.', resolve: (message) => message.id.join('.') }),
    message: t.exposeString('message', { description: 'One sentence in English.' }),
    description: t.string({
      description: 'Explanation in English; empty when there is none.',
      resolve: ({ description }) => (Array.isArray(description) ? description.join('\n') : (description ?? '')),
    }),
    file: t.string({
      nullable: true,
      description: 'Path in the package; null when the message concerns the whole package.',
      resolve: (message) => message.file ?? null,
    }),
    line: t.int({
      nullable: true,
      description: 'Line in the file, from 1.',
      resolve: (message) => message.line ?? null,
    }),
    column: t.int({
      nullable: true,
      description: 'Column in the line, as the validator counts.',
      resolve: (message) => message.column ?? null,
    }),
  }),
});

export const Validation = builder.objectRef<StoredValidation>('Validation').implement({
  description: 'Results of the validator for one package.',
  fields: (t) => ({
    errors: t.exposeInt('errors', { description: 'Number of errors.' }),
    warnings: t.exposeInt('warnings', { description: 'Number of warnings.' }),
    notices: t.exposeInt('notices', { description: 'Number of notices.' }),
    messages: t.field({
      type: [ValidationMessage],
      description: 'All messages, in the order of the validator.',
      resolve: (results) => results.messages,
    }),
    json: t.field({
      subGraphs: INTERNAL,
      type: 'JSON',
      description: 'validation_results of REST.',
      resolve: (results) => results,
    }),
  }),
});
