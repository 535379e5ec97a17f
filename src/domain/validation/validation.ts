import { canReadSource } from '../../auth/review-permissions.ts';
import { builder, enumOf, INTERNAL } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { MessageRef } from '../../graphql/message.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { ValidationMessage as Message, ValidationResults } from '../../package/validation/validation-results.ts';
import { addonRights } from '../addons/find-addon.ts';
import { isValidated, type Stage } from '../addons/stages.ts';
import { versionFacts } from '../versions/find-version.ts';
import { Version } from '../versions/version.ts';

const MessageType = enumOf('ValidationMessageType', 'The severity of a validation message.', {
  error: 'Makes the package invalid.',
  warning: 'A possible problem.',
  notice: 'Information.',
});

const ValidationMessage = builder.objectRef<Message>('ValidationMessage').implement({
  description: 'One message of the validator.',
  fields: (t) => ({
    type: t.expose('type', { type: MessageType, description: 'The severity.' }),
    code: t.string({ description: 'The identifier of the violated rule.', resolve: (message) => message.id.join('.') }),
    message: t.exposeString('message', { description: 'One sentence in English.' }),
    reason: t.expose('reason', {
      type: MessageRef,
      nullable: true,
      description: 'The same as code and parameters; null for the messages of the linter, which exist in English only.',
    }),
    explanation: t.expose('explanation', {
      type: MessageRef,
      nullable: true,
      description: '`description` as code and parameters; null for the messages of the linter.',
    }),
    description: t.string({
      description: 'Explanation in English; empty when there is none.',
      resolve: ({ description }) => [description].flat().join('\n'),
    }),
    file: t.exposeString('file', {
      nullable: true,
      description: 'Path in the package; null when the message concerns the whole package.',
    }),
    line: t.exposeInt('line', { nullable: true, description: 'Line in the file, from 1.' }),
    column: t.exposeInt('column', { nullable: true, description: 'Column in the line, as the validator counts.' }),
  }),
});

/** The keys that clients of REST know. */
const documentedKeys = ({ reason, explanation, ...documented }: Message) => documented;

export const Validation = builder.objectRef<ValidationResults>('Validation').implement({
  description: 'Results of the validator for one package.',
  fields: (t) => ({
    errors: t.exposeInt('errors', { description: 'Number of errors.' }),
    warnings: t.exposeInt('warnings', { description: 'Number of warnings.' }),
    notices: t.exposeInt('notices', { description: 'Number of notices.' }),
    messages: t.expose('messages', {
      type: [ValidationMessage],
      description: 'All messages, in the order of the validator.',
    }),
    json: t.field({
      subGraphs: INTERNAL,
      type: 'JSON',
      description: 'validation_results of REST.',
      resolve: (results) => ({ ...results, messages: results.messages.map(documentedKeys) }),
    }),
  }),
});

const readResults = prepared<{ versionId: number; results: ValidationResults | null }>(
  lookupPool,
  'validations-of-versions',
  'SELECT version_id AS "versionId", validation AS results FROM upload WHERE version_id = ANY($1) ORDER BY id',
);

/** By version id, without access checks; null for imported versions. */
const resultsOf = perRequest<number, ValidationResults | null>(async (ids) => {
  const byVersion = new Map((await readResults(ids)).map(({ versionId, results }) => [versionId, results]));
  return ids.map((id) => byVersion.get(id) ?? null);
});

/**
 * The results for a version without the messages that another version has, too: with the same rule, text and file. Null without results
 * of both. Callers check permissions.
 */
export async function newMessages(
  context: Context,
  versionId: number,
  otherId: number,
): Promise<ValidationResults | null> {
  const [results, others] = await Promise.all([resultsOf(context).load(versionId), resultsOf(context).load(otherId)]);
  if (results === null || others === null) return null;
  const keyOf = ({ id, message, file }: ValidationResults['messages'][number]) => JSON.stringify([id, message, file]);
  const known = new Set(others.messages.map(keyOf));
  const messages = results.messages.filter((message) => !known.has(keyOf(message)));
  const count = (type: string) => messages.filter((message) => message.type === type).length;
  return { ...results, messages, errors: count('error'), warnings: count('warning'), notices: count('notice') };
}

builder.objectField(Version, 'validation', (t) =>
  t.field({
    type: Validation,
    nullable: true,
    description:
      'Results of the validator for its package. Null until they are there, for imported versions, and for viewers who are neither authors of the add-on nor reviewers of its type and channel.',
    resolve: async ({ id, addonId }, _args, context) => {
      if (context.viewer.kind === 'anonymous') return null;
      const [addon, facts] = await Promise.all([addonRights(context).load(addonId), versionFacts(context).load(id)]);
      if (!isValidated(facts.stage as Stage) || !canReadSource(context.viewer, { ...facts, addon })) return null;
      return resultsOf(context).load(id);
    },
  }),
);
