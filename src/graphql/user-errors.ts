import {
  changedFieldsOf,
  InvalidInputError,
  NotFoundError,
  NotPermittedError,
  PackageError,
  type ServiceError,
  VersionExistsError,
} from '../errors.ts';
import { builder } from './builder.ts';
import { publicCode } from './public-code.ts';

const UserError = builder.interfaceRef<ServiceError>('UserError').implement({
  description: 'A failure of a mutation that its caller can do something about.',
  fields: (t) => ({
    code: t.string({
      description:
        'The kind of failure, as in extensions.code of other errors: BAD_USER_INPUT, INVALID_PACKAGE, NOT_FOUND, NOT_PERMITTED or VERSION_EXISTS.',
      resolve: ({ code }) => publicCode(code),
    }),
    message: t.exposeString('message'),
    path: t.stringList({
      nullable: true,
      description: 'The input fields at fault, where single ones are.',
      resolve: (error) => Object.keys(fieldsOf(error)),
    }),
  }),
});

function fieldsOf({ details }: ServiceError): Record<string, string[]> {
  return (details.fields ?? {}) as Record<string, string[]>;
}

interface FieldFault {
  name: string;
  messages: string[];
  isChanged: boolean;
}

const FieldError = builder.objectRef<FieldFault>('FieldError').implement({
  description: 'What is wrong with one input field.',
  fields: (t) => ({
    name: t.exposeString('name'),
    messages: t.exposeStringList('messages'),
    isChanged: t.exposeBoolean('isChanged', {
      description:
        'Whether others have changed the field since the client read it: it has another value than `replaces` names.',
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
        const faults = Object.entries(fieldsOf(error));
        return faults.map(([name, messages]) => ({ name, messages, isChanged: changed.includes(name) }));
      },
    }),
  }),
});

for (const errorClass of [PackageError, NotPermittedError, NotFoundError, VersionExistsError]) {
  builder.objectType(errorClass, { name: errorClass.name, interfaces: [UserError] });
}
