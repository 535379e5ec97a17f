import type { Browser } from './firefox.ts';

const IMPORT = `const { AddonManager, AddonManagerPrivate } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');`;

/** What the browser says about an installed add-on. */
export interface InstalledAddon {
  version: string;
  type: string;
  isActive: boolean;
  /** -1: the signature is intact, its issuer unknown. */
  signedState: number;
}

/**
 * Downloads and installs the file at a URL, as a link does after the user's consent.
 * @throws {Error} with the browser's code of the error.
 */
export async function installAddon(browser: Browser, url: string): Promise<void> {
  await browser.run(
    `${IMPORT}
    const [url] = values;
    const install = await AddonManager.getInstallForURL(url);
    await install.install().catch(() => {
      throw new Error(url + ' was not installed, error ' + install.error + ', state ' + install.state);
    });`,
    url,
  );
}

/** The add-on, or null if it is not installed. */
export function findAddon(browser: Browser, guid: string): Promise<InstalledAddon | null> {
  return browser.run(
    `${IMPORT}
    const addon = await AddonManager.getAddonByID(values[0]);
    if (addon === null) return null;
    const { version, type, isActive, signedState } = addon;
    return { version, type, isActive, signedState };`,
    guid,
  );
}

/** Runs the daily check for updates of all add-ons, which also starts their installation. */
export async function checkForUpdates(browser: Browser): Promise<void> {
  await browser.run(`${IMPORT} await AddonManagerPrivate.backgroundUpdateCheck();`);
}

/**
 * Clicks the install link on the page of an add-on, and accepts the browser's installation prompt.
 * @throws {Error} if no prompt appears, for example because the file was saved to disk.
 */
export async function followInstallLink(browser: Browser, page: string): Promise<void> {
  await browser.click(page, 'main a[type="application/x-xpinstall"]');
  await browser.run(
    `const deadline = Date.now() + 20_000;
    for (;;) {
      const prompt = window.PopupNotifications.getNotification('addon-webext-permissions');
      if (prompt) return prompt.mainAction.callback({ checkboxChecked: false, source: 'button' });
      if (Date.now() > deadline) throw new Error('the link opened no installation prompt');
      await new Promise((resolve) => window.setTimeout(resolve, 100));
    }`,
  );
}

/** An add-on that the add-ons manager recommends. Themes have no text there. */
export interface Recommended {
  guid: string;
  name: string;
  text: string;
}

/** The cards of the page of recommendations, in their order. */
export function listRecommended(browser: Browser): Promise<Recommended[]> {
  return browser.run(
    `await window.BrowserAddonUI.openAddonsMgr('addons://discover/');
    const page = window.gBrowser.selectedBrowser.contentDocument;
    const deadline = Date.now() + 20_000;
    for (;;) {
      const cards = [...page.querySelectorAll('recommended-addon-card')];
      if (cards.length > 0) {
        const textOf = (card, selector) => card.querySelector(selector)?.textContent ?? '';
        return cards.map((card) => ({
          guid: card.addonId,
          name: textOf(card, '.disco-addon-name'),
          text: textOf(card, '.disco-description-main'),
        }));
      }
      if (Date.now() > deadline) throw new Error('the add-ons manager recommends nothing');
      await new Promise((resolve) => window.setTimeout(resolve, 100));
    }`,
  );
}
