/** Whether every viewer may see an add-on. */
export function isPublicAddon(addon: { status: string; isDisabledByDeveloper: boolean }): boolean {
  return addon.status === 'public' && !addon.isDisabledByDeveloper;
}

/** Whether searches may return an add-on: public, and with something to install. */
export function isSearchable(
  addon: Parameters<typeof isPublicAddon>[0] & { type: string; currentVersion: object | null },
): boolean {
  return isPublicAddon(addon) && (addon.type === 'persona' || addon.currentVersion !== null);
}

/** `isPublicAddon` as a Prisma filter. */
export const PUBLIC_ADDON = { status: 'public', isDisabledByDeveloper: false } as const;

/** `isPublicAddon` as an SQL condition on `addon a`. */
export const IS_PUBLIC_ADDON = "a.status = 'public' AND NOT a.is_disabled_by_developer";

/** `isSearchable` as an SQL condition on `addon a`. */
export const IS_SEARCHABLE = `(a.type = 'persona' OR a.current_version_id IS NOT NULL) AND ${IS_PUBLIC_ADDON}`;
