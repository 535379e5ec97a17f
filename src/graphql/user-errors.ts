import {
  changedFieldsOf,
  fieldMessagesOf,
  InvalidInputError,
  NotFoundError,
  NotPermittedError,
  PackageError,
  type ServiceError,
  VersionExistsError,
} from '../errors.ts';
import { englishText, type Message } from '../texts/messages.ts';
import { builder } from './builder.ts';
import { MessageRef } from './message.ts';
import { ErrorCodeEnum, publicCode } from './public-code.ts';

export const UserError = builder.interfaceRef<ServiceError>('UserError').implement({
  description: 'A failure of a mutation that its caller can do something about.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description:
        'The kind of failure: BAD_USER_INPUT, INVALID_PACKAGE, NOT_FOUND, NOT_PERMITTED, VERSION_EXISTS or CONFLICT.',
      resolve: ({ code }) => publicCode(code),
    }),
    message: t.exposeString('message'),
    reason: t.expose('reason', {
      type: MessageRef,
      description: 'What `message` says as a code and parameters.',
    }),
    path: t.stringList({
      nullable: true,
      description: 'The input fields at fault, where single ones are.',
      resolve: (error) => Object.keys(fieldMessagesOf(error) ?? {}),
    }),
  }),
});

interface FieldFault {
  name: string;
  messages: readonly Message[];
  isChanged: boolean;
}

const FieldError = builder.objectRef<FieldFault>('FieldError').implement({
  description: 'What is wrong with one input field.',
  fields: (t) => ({
    name: t.exposeString('name'),
    messages: t.stringList({ resolve: ({ messages }) => messages.map(englishText) }),
    reasons: t.field({
      type: [MessageRef],
      description: 'What each of `messages` says as a code and parameters.',
      resolve: ({ messages }) => messages,
    }),
    isChanged: t.exposeBoolean('isChanged', {
      description:
        'Whether others have changed the field since the client read it: it has another value than `expected` names.',
    }),
  }),
});

builder.objectType(InvalidInputError, {
  name: 'InvalidInputError',
  interfaces: [UserError],
  fields: (t) => ({
    fields: t.field({
      type: [FieldError],
      resolve: (error) => {
        const changed = changedFieldsOf(error);
        const faults = Object.entries(fieldMessagesOf(error) ?? {});
        return faults.map(([name, messages]) => ({ name, messages, isChanged: changed.includes(name) }));
      },
    }),
  }),
});

for (const errorClass of [PackageError, NotPermittedError, NotFoundError, VersionExistsError]) {
  builder.objectType(errorClass, { name: errorClass.name, interfaces: [UserError] });
}
