/* The add-on whose reports or ratings moderators look for: by a reference, or by the displayed name of one that they may see. */
import { canSeeAddon, refuse } from '../../auth/permissions.ts';
import { canSeeHeldRatings } from '../../auth/rating-permissions.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { isFound, perRequest } from '../../graphql/per-request.ts';
import { addonReference } from '../../graphql/references.ts';
import { comparableText } from '../../infra/storable-text.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import { type AddonRights, addonRights, findAddonRights, NO_ADDON } from '../addons/find-addon.ts';
import { addonsByName } from '../addons/named-addons.ts';
import { similarAddons } from '../search/similar-addons.ts';

/** What a text names. */
interface AddonChoice {
  /** The text, as stored texts are compared with it. */
  text: string;
  /** The one add-on that it names, in any state; null for none or several. */
  chosen: AddonRights | null;
  /** Ids of several with this displayed name, which the viewer sees. */
  options: readonly number[];
  /** Ids of public add-ons with a name like a text that names nothing. */
  similar: readonly number[];
}

async function rightsBy(context: Context, by: AddonRef): Promise<AddonRights | null> {
  try {
    return await findAddonRights(context, by);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

async function choiceOf(context: Context, typed: string): Promise<AddonChoice> {
  const text = comparableText(typed).trim();
  const none: AddonChoice = { text, chosen: null, options: [], similar: [] };
  if (text === '') return none;
  const referred = await rightsBy(context, addonReference(text));
  if (referred !== null) return { ...none, chosen: referred };
  const named = await addonRights(context).loadMany((await addonsByName(text)).map(({ id }) => id));
  const visible = named.filter((addon) => isFound<AddonRights>(addon) && canSeeAddon(context.viewer, addon));
  const [chosen = null, ...others] = visible as AddonRights[];
  if (others.length > 0) return { ...none, options: (visible as AddonRights[]).map(({ id }) => id) };
  return chosen === null ? { ...none, similar: (await similarAddons(text)).map(({ id }) => id) } : { ...none, chosen };
}

/** What a text names for the viewer. One that is no reference takes a statement more, and one that names nothing a search. */
export const addonChoices = perRequest<string, AddonChoice>((texts, context) =>
  Promise.all(texts.map((text) => choiceOf(context, text))),
);

/**
 * The id of the add-on that a moderator chooses, whose ratings need not be visible; null without one, and that of none for an unknown one.
 * @throws {NotAuthenticatedError}, {NotPermittedError} for others than moderators.
 */
export async function moderatedAddon(
  context: Context,
  { addon, addonNamed }: { addon?: AddonRef | null | undefined; addonNamed?: string | null | undefined },
): Promise<number | null> {
  if (!canSeeHeldRatings(context.viewer)) throw refuse(context.viewer);
  if (addon == null && addonNamed == null) return null;
  const named = addonNamed == null ? null : ((await addonChoices(context).load(addonNamed)).chosen?.id ?? NO_ADDON);
  if (addon == null) return named;
  const referred = (await rightsBy(context, addon))?.id ?? NO_ADDON;
  return named === null || named === referred ? referred : NO_ADDON;
}
