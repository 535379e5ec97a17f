import { canOperateService } from '../../auth/operator-permissions.ts';
import { requirePermission } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { refusedField } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { isReadOnly, type OperatorTexts, readOnlyCauses, readOnlyTexts, siteNotice } from '../../infra/read-only.ts';
import { storableText } from '../../infra/storable-text.ts';
import { LANGUAGES, languageOfTag } from '../../texts/languages.ts';
import { message } from '../../texts/messages.ts';
import { Localized, TranslationInput } from '../addons/localized.ts';
import { setSiteNotice } from './site-notice.ts';
import { changeReadOnlyTexts, switchReadOnly } from './switch-read-only.ts';

const ReadOnlyCauseEnum = enumOf('ReadOnlyCause', 'What keeps the service in read-only mode.', {
  switched: 'The operator has switched it on.',
  settings: 'The setting READ_ONLY.',
  low_disk: 'A disk is nearly full.',
});

interface ReadOnlySwitch {
  readOnly: boolean;
  actor: string;
  reason: string;
  created: Date;
}

const ReadOnlySwitchType = builder.objectRef<ReadOnlySwitch>('ReadOnlySwitch').implement({
  description: 'A switch of read-only mode.',
  fields: (t) => ({
    isReadOnly: t.exposeBoolean('readOnly', { description: 'Whether it was switched on.' }),
    actor: t.exposeString('actor', { description: 'Who switched it: an account, or a part of the service.' }),
    reason: t.exposeString('reason', { description: 'Why; empty without a reason.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was switched.' }),
  }),
});

/** The newest switch in the audit log; null before the first. */
async function lastSwitch(): Promise<ReadOnlySwitch | null> {
  const entry = await db.auditEntry.findFirst({ where: { action: 'read-only-switched' }, orderBy: { id: 'desc' } });
  if (entry === null) return null;
  const { readOnly, reason } = entry.details as { readOnly: boolean; reason: string };
  return { readOnly, reason, actor: entry.actor, created: entry.created };
}

const ServiceState = builder.objectRef<{ readOnly: boolean }>('ServiceState').implement({
  description: 'The state of the service.',
  fields: (t) => ({
    isReadOnly: t.exposeBoolean('readOnly', {
      description: 'Whether the service is in read-only (maintenance) mode, which refuses all changes.',
    }),
    retryAfter: t.int({
      nullable: true,
      description:
        'Seconds after which a refused change should be repeated; null outside read-only mode, and if unknown.',
      resolve: ({ readOnly }) => (readOnly ? config.RETRY_AFTER : null),
    }),
    readOnlyText: t.field({
      type: Localized,
      nullable: true,
      description:
        'What refusals of changes say in the words of the operators, in the languages that they wrote; null outside read-only mode, and while the service uses its own words.',
      resolve: async ({ readOnly }) => {
        const texts = readOnly ? await readOnlyTexts() : null;
        return texts === null || Object.keys(texts).length === 0 ? null : { texts, defaultLocale: 'en' };
      },
    }),
    notice: t.field({
      type: Localized,
      nullable: true,
      description: 'What operators tell all visitors, in the languages that they wrote; null for nothing.',
      resolve: async () => {
        const texts = await siteNotice();
        return texts === null || Object.keys(texts).length === 0 ? null : { texts, defaultLocale: 'en' };
      },
    }),
    readOnlyCauses: t.field({
      type: [ReadOnlyCauseEnum],
      nullable: true,
      description: 'What keeps the service in read-only mode; null for viewers without Admin:Service.',
      resolve: (_state, _args, { viewer }) => (canOperateService(viewer) ? readOnlyCauses() : null),
    }),
    lastSwitch: t.field({
      type: ReadOnlySwitchType,
      nullable: true,
      description: 'The newest switch of read-only mode; null before the first, and for viewers without Admin:Service.',
      resolve: (_state, _args, { viewer }) => (canOperateService(viewer) ? lastSwitch() : null),
    }),
  }),
});

/** Characters of a text in one language. */
const MAX_TEXT = 500;

/** @throws {InvalidInputError} on `text`, or `text.<locale>`, for a language without texts of the service and a text that is too long. */
function textsOf(given: readonly { locale: string; value?: string | null }[]): OperatorTexts {
  const texts = given.flatMap(({ locale, value }) => {
    const language = languageOfTag(locale);
    if (language === null) throw refusedField('text', message('field.unknown_language', { code: locale.slice(0, 32) }));
    const text = storableText(value ?? '').trim();
    if ([...text].length > MAX_TEXT)
      throw refusedField(`text.${locale}`, message('field.text_too_long', { count: MAX_TEXT }));
    return text === '' ? [] : [[language, text] as const];
  });
  return Object.fromEntries(texts);
}

const currentState = async () => ({ readOnly: await isReadOnly() });

builder.queryField('serviceState', (t) =>
  t.field({ type: ServiceState, description: 'The state of the service.', resolve: currentState }),
);

mutation('setReadOnly', {
  description:
    'Switches read-only (maintenance) mode; every process follows within a second. Requires Admin:Service. The only mutation that read-only mode allows.',
  input: 'The new state.',
  inputFields: (t) => ({
    isReadOnly: t.boolean({
      description:
        'Whether the service is in read-only mode from now on. Absent: only the texts change, while the switch is on.',
    }),
    reason: t.string({ description: 'Plain text for the audit log.' }),
    text: t.field({
      type: [TranslationInput],
      description: `What refusals of changes say until the mode ends, in languages among ${LANGUAGES.join(', ')}: plain text of at most ${MAX_TEXT} characters. In other languages, the service uses its own words. Absent: the present texts stay.`,
    }),
  }),
  resolve: async ({ isReadOnly: isOn, reason, text }, { viewer }) => {
    const operator = requirePermission(viewer, 'Admin:Service');
    const texts = text == null ? undefined : textsOf(text);
    if (isOn != null) await switchReadOnly(operator, isOn, (reason ?? '').trim(), texts);
    else await changeReadOnlyTexts(operator, texts ?? {});
    return {};
  },
  payloadFields: (t) => ({
    serviceState: t.field({
      type: ServiceState,
      description: 'The state after the switch. Read-only mode for another cause, such as a full disk, continues.',
      resolve: currentState,
    }),
  }),
});

mutation('setSiteNotice', {
  description: 'Replaces the notice that all pages show, and that clients of REST read. Requires Admin:Service.',
  input: 'The new notice.',
  inputFields: (t) => ({
    text: t.field({
      type: [TranslationInput],
      required: true,
      description: `The notice in languages among ${LANGUAGES.join(', ')}: plain text of at most ${MAX_TEXT} characters. Other languages get that in English, or in another one. Without a text, there is no notice.`,
    }),
  }),
  resolve: async ({ text }, { viewer }) => {
    await setSiteNotice(requirePermission(viewer, 'Admin:Service'), textsOf(text));
    return {};
  },
  payloadFields: (t) => ({
    serviceState: t.field({ type: ServiceState, description: 'The state with the new notice.', resolve: currentState }),
  }),
});
