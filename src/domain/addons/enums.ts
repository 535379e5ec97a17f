import { builder } from '../../graphql/builder.ts';

export const ApplicationEnum = builder.enumType('Application', {
  description: 'An application that add-ons are made for.',
  values: {
    DESKTOP_BROWSER: { value: 'desktop_browser', description: 'The browser for desktop computers.' },
    MOBILE_BROWSER: { value: 'mobile_browser', description: 'The browser for phones and tablets.' },
    SUITE_APP: { value: 'suite_app', description: 'The suite of browser, mail and chat.' },
    MAIL_CLIENT: { value: 'mail_client', description: 'The mail client.' },
  } as const,
});

export const AddonTypeEnum = builder.enumType('AddonType', {
  description: 'What an add-on is.',
  values: {
    EXTENSION: { value: 'extension', description: 'Adds functions to an application.' },
    THEME: { value: 'theme', description: 'A complete theme in a legacy package format.' },
    DICTIONARY: { value: 'dictionary', description: 'A spelling dictionary.' },
    SEARCH: { value: 'search', description: 'A search engine.' },
    LANGUAGE: { value: 'language', description: 'A language pack: the interface of an application in one language.' },
    PERSONA: { value: 'persona', description: 'A lightweight theme of pictures and colours, without a package.' },
    STATICTHEME: { value: 'statictheme', description: 'A theme packaged as a WebExtension.' },
  } as const,
});

export const AddonStatusEnum = builder.enumType('AddonStatus', {
  description: 'The state of an add-on. Only imported add-ons have the states marked as legacy.',
  values: {
    LITE: { value: 'lite', description: 'Legacy: preliminarily reviewed.' },
    PUBLIC: { value: 'public', description: 'Approved and part of the public catalogue.' },
    DELETED: { value: 'deleted', description: 'Deleted by its owner.' },
    PENDING: { value: 'pending', description: 'Awaits review.' },
    DISABLED: { value: 'disabled', description: 'Disabled by the operator.' },
    REJECTED: { value: 'rejected', description: 'Refused by a reviewer.' },
    NOMINATED: { value: 'nominated', description: 'Its first listed version awaits review.' },
    INCOMPLETE: { value: 'incomplete', description: 'Has no listed version.' },
    UNREVIEWED: { value: 'unreviewed', description: 'Legacy: published without review.' },
    LITE_NOMINATED: { value: 'lite-nominated', description: 'Legacy: preliminarily reviewed, awaits full review.' },
    REVIEW_PENDING: { value: 'review-pending', description: 'Legacy: flagged for another review.' },
  } as const,
});

export const PlatformEnum = builder.enumType('Platform', {
  description: 'The operating system that a file is for.',
  values: {
    ALL: { value: 'all', description: 'Every operating system.' },
    MAC: { value: 'mac', description: 'macOS.' },
    LINUX: { value: 'linux', description: 'Linux.' },
    ANDROID: { value: 'android', description: 'Android.' },
    WINDOWS: { value: 'windows', description: 'Windows.' },
  } as const,
});

export const ChannelEnum = builder.enumType('Channel', {
  description: 'How a version is distributed.',
  values: {
    LISTED: { value: 'listed', description: 'Published in the catalogue after review.' },
    UNLISTED: { value: 'unlisted', description: 'Signed and distributed by its developers.' },
  } as const,
});

export type AddonStatus = (typeof AddonStatusEnum)['$inferType'];
