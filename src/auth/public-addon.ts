/** Whether every viewer may see an add-on. */
export function isPublicAddon(addon: { status: string; isDisabledByDeveloper: boolean }): boolean {
  return addon.status === 'public' && !addon.isDisabledByDeveloper;
}

/** `isPublicAddon` as a Prisma filter. */
export const PUBLIC_ADDON = { status: 'public', isDisabledByDeveloper: false } as const;

/** `isPublicAddon` as an SQL condition on `addon a`. */
export const IS_PUBLIC_ADDON = "a.status = 'public' AND NOT a.is_disabled_by_developer";
