/** Permissions of a manifest that let an add-on read or change sensitive data of its user. */
const SENSITIVE: ReadonlySet<string> = new Set([
  ...['<all_urls>', 'bookmarks', 'browsingData', 'clipboardRead', 'cookies', 'devtools', 'downloads', 'find'],
  ...['geolocation', 'history', 'management', 'nativeMessaging', 'pkcs11', 'privacy', 'proxy', 'sessions', 'tabs'],
  ...['topSites', 'webNavigation', 'webRequest'],
]);

/** A match pattern whose host is `*`, with any port and path. */
const EVERY_HOST = /^(?:\*|https?|wss?|ftp):\/\/\*(?::(?:\d+|\*))?\//;

/**
 * The value of `requires_sensitive_data_access` (contract, Add-on). `permissions` are those of a file: permissions, host
 * permissions and match patterns of content scripts; optional ones are not among them.
 */
export function requiresSensitiveAccess(permissions: readonly string[]): boolean {
  return permissions.some((permission) => SENSITIVE.has(permission) || EVERY_HOST.test(permission));
}
