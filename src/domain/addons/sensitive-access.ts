/** Manifest permissions that let an add-on read or change sensitive user data. */
const SENSITIVE: ReadonlySet<string> = new Set([
  ...['<all_urls>', 'bookmarks', 'browsingData', 'clipboardRead', 'cookies', 'devtools', 'downloads', 'find'],
  ...['geolocation', 'history', 'management', 'nativeMessaging', 'pkcs11', 'privacy', 'proxy', 'sessions', 'tabs'],
  ...['topSites', 'webNavigation', 'webRequest'],
]);

/** A match pattern whose host is `*`, with any port and path. */
const EVERY_HOST = /^(?:\*|https?|wss?|ftp):\/\/\*(?::(?:\d+|\*))?\//;

/**
 * The value of `requires_sensitive_data_access` (contract, Add-on). `permissions` contains the permissions, host permissions
 * and content script match patterns of a file, without optional permissions.
 */
export function requiresSensitiveAccess(permissions: readonly string[]): boolean {
  return permissions.some((permission) => SENSITIVE.has(permission) || EVERY_HOST.test(permission));
}
