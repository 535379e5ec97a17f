import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { InvalidInputError, NotFoundError, refusedField } from '../../errors.ts';
import type { TrustedPublisher as Row } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { Addon, changedAddon } from '../addons/addon.ts';
import { isAuthorOfLive } from '../addons/find-addon.ts';
import { lockEditableAddon } from '../listing/lock-addon.ts';
import { isSubjectPattern } from './subject-pattern.ts';

const MAX_PUBLISHERS = 20;

export const TrustedPublisher = builder.objectRef<Row>('TrustedPublisher').implement({
  description:
    'Jobs of continuous integration that an add-on trusts: those whose ID token has this issuer, subject and audience get a key that uploads its versions.',
  fields: (t) => ({
    id: t.id({
      description: 'Global id, for inputs. `node` does not look it up.',
      resolve: ({ id }) => globalId('TrustedPublisher', id),
    }),
    issuer: t.exposeString('issuer', { description: 'The claim `iss` of the tokens.' }),
    subject: t.exposeString('subject', { description: 'The claim `sub`. `*` at the end matches any rest.' }),
    audience: t.exposeString('audience', { description: 'A value of the claim `aud`.' }),
    account: t.field({
      type: AccountSummary,
      description: 'The owner who added it, for whom its keys upload.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was added.' }),
    lastUsed: t.expose('lastUsed', {
      type: 'DateTime',
      nullable: true,
      description: 'When a job last got a key; null before the first.',
    }),
  }),
});

const ofAddons = perRequest<number, Row[]>(async (ids) => {
  const rows = await db.trustedPublisher.findMany({ where: { addonId: { in: [...ids] } }, orderBy: { id: 'asc' } });
  return ids.map((id) => rows.filter(({ addonId }) => addonId === id));
});

builder.objectField(Addon, 'trustedPublishers', (t) =>
  t.field({
    type: [TrustedPublisher],
    nullable: true,
    description: `Jobs that may get a key for its uploads, the oldest first, at most ${MAX_PUBLISHERS}. Null unless the viewer is an author.`,
    extensions: { items: MAX_PUBLISHERS },
    resolve: async ({ id }, _args, context) =>
      (await isAuthorOfLive(context, id)) ? ofAddons(context).load(id) : null,
  }),
);

builder.queryField('publishingIssuers', (t) =>
  t.stringList({
    description: 'The issuers of ID tokens that trusted publishers may have.',
    resolve: () => [...config.PUBLISHING_ISSUERS],
  }),
);

interface NewPublisher {
  issuer: string;
  subject: string;
  audience: string;
}

function checkPublisher({ issuer, subject, audience }: NewPublisher): void {
  if (!config.PUBLISHING_ISSUERS.includes(issuer)) {
    throw refusedField(
      'issuer',
      message('publisher.issuer_not_offered', { issuers: config.PUBLISHING_ISSUERS.join(', ') }),
    );
  }
  if (!isSubjectPattern(subject)) throw refusedField('subject', message('publisher.invalid_subject'));
  if (!/^[\x21-\x7e]{3,300}$/.test(audience)) throw refusedField('audience', message('publisher.invalid_audience'));
}

/** @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}; {InvalidInputError} for values that cannot be used. */
async function addPublisher(viewer: Viewer, addonId: number, publisher: NewPublisher): Promise<number> {
  return db.$transaction(async (tx) => {
    const {
      account: { accountId },
    } = await lockEditableAddon(tx, viewer, addonId, 'ownership');
    checkPublisher(publisher);
    if ((await tx.trustedPublisher.count({ where: { addonId } })) >= MAX_PUBLISHERS) {
      throw new InvalidInputError(message('publisher.too_many', { count: MAX_PUBLISHERS }));
    }
    if ((await tx.trustedPublisher.count({ where: { addonId, ...publisher } })) > 0) {
      throw refusedField('subject', message('publisher.exists'));
    }
    const { id } = await tx.trustedPublisher.create({
      data: { addonId, accountId, ...publisher },
      select: { id: true },
    });
    await recordActivity(tx, { action: 'trusted-publisher-added', accountId, addonId, details: { ...publisher } });
    return id;
  });
}

/**
 * Removes a publisher, and revokes the keys of its add-on that jobs have got. Returns the id of the add-on.
 * @throws {NotAuthenticatedError}, {NotFoundError} for viewers who are no authors, {NotPermittedError} for those who are no owners.
 */
async function removePublisher(viewer: Viewer, id: number): Promise<number> {
  const reader = requireSignedIn(viewer);
  const found = await db.trustedPublisher.findFirst({
    where: { id, addon: { authors: { some: { accountId: reader.accountId } } } },
  });
  if (found === null) throw new NotFoundError();
  const { addonId, issuer, subject, audience } = found;
  await db.$transaction(async (tx) => {
    const {
      account: { accountId },
    } = await lockEditableAddon(tx, viewer, addonId, 'ownership');
    await tx.trustedPublisher.deleteMany({ where: { id } });
    await tx.$executeRaw`UPDATE api_key SET revoked_at = now() WHERE addon_id = ${addonId} AND provenance IS NOT NULL AND revoked_at IS NULL AND expires > now()`;
    const details = { issuer, subject, audience };
    await recordActivity(tx, { action: 'trusted-publisher-removed', accountId, addonId, details });
  });
  return addonId;
}

mutation('addTrustedPublisher', {
  description:
    'Trusts jobs of continuous integration: each gets a key that uploads versions of the add-on for 15 minutes, for its ID token. For owners of the add-on.',
  input: 'Whom to trust.',
  inputFields: (t) => ({
    addon: t.id({ required: true, description: 'Global id of the add-on.' }),
    issuer: t.string({ required: true, description: 'The claim `iss` of the tokens, one of `publishingIssuers`.' }),
    subject: t.string({
      required: true,
      description:
        'The claim `sub`. `*` at the end matches any rest, if the text before it has the owner of the repository and a slash.',
    }),
    audience: t.string({ description: 'A value of the claim `aud`. Default: the address of the service.' }),
  }),
  resolve: async ({ addon, issuer, subject, audience }, { viewer }) => {
    const addonId = idOf('Addon', addon, 'addon');
    const publisher = { issuer, subject: subject.trim(), audience: audience?.trim() || config.BASE_URL };
    return { addonId, publisherId: await addPublisher(viewer, addonId, publisher) };
  },
  payloadFields: (t) => ({
    ...changedAddon(t),
    publisher: t.field({
      type: TrustedPublisher,
      description: 'The publisher.',
      resolve: ({ publisherId }) => db.trustedPublisher.findUniqueOrThrow({ where: { id: publisherId } }),
    }),
  }),
});

mutation('removeTrustedPublisher', {
  description:
    'Ends the trust in jobs of continuous integration, and revokes the keys that jobs have got for the add-on. For owners of the add-on.',
  input: 'The publisher to remove.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the publisher.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const publisherId = idOf('TrustedPublisher', id);
    return { addonId: await removePublisher(viewer, publisherId), publisherId };
  },
  payloadFields: (t) => ({
    ...changedAddon(t),
    removedId: t.id({
      description: 'Global id of the removed publisher.',
      resolve: ({ publisherId }) => globalId('TrustedPublisher', publisherId),
    }),
  }),
});
