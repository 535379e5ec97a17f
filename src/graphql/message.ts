import { LANGUAGES } from '../texts/languages.ts';
import type { Message } from '../texts/messages.ts';
import { messageText } from '../texts/translated-messages.ts';
import { builder } from './builder.ts';

/** A message of the service for programs that translate it or branch on it. */
export const MessageRef = builder.objectRef<Message>('Message').implement({
  description: 'A message of the service: what it says as a code, and the values in it.',
  fields: (t) => ({
    code: t.exposeString('code', {
      description: 'Area and fault, such as `package.manifest_syntax`. A code keeps its meaning and its parameters.',
    }),
    params: t.expose('params', { type: 'JSON', description: 'Strings and numbers by name, such as `{"line": 3}`.' }),
    text: t.string({
      args: {
        locale: t.arg.string({
          defaultValue: 'en',
          required: true,
          description: `A language: ${LANGUAGES.join(', ')}. Other languages have the English text.`,
        }),
      },
      description: 'The message as a sentence.',
      resolve: (message, { locale }) => messageText(message, languageIn(locale)),
    }),
  }),
});

const languageIn = (locale: string) => LANGUAGES.find((language) => language === locale.split('-')[0]) ?? 'en';
