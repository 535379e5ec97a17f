import { builder } from '../../graphql/builder.ts';

export const WriteFormEnum = builder.enumType('WriteForm', {
  description: 'The forms that a translated field may be written in.',
  values: {
    STRING_OR_OBJECT: { value: 'string-or-object', description: 'As v3 and v4 take it.' },
    OBJECT: { value: 'object', description: 'As v4dev takes it.' },
  } as const,
});
