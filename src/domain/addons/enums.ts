import { enumOf } from '../../graphql/builder.ts';

export const ApplicationEnum = enumOf('Application', 'An application that add-ons are made for.', {
  desktop_browser: 'The browser for desktop computers.',
  mobile_browser: 'The browser for phones and tablets.',
  suite_app: 'The suite of browser, mail and chat.',
  mail_client: 'The mail client.',
});

export const AddonTypeEnum = enumOf('AddonType', 'What an add-on is.', {
  extension: 'Adds functions to an application.',
  theme: 'A complete theme in a legacy package format.',
  dictionary: 'A spelling dictionary.',
  search: 'A search engine.',
  language: 'A language pack: the interface of an application in one language.',
  persona: 'A lightweight theme of pictures and colours, without a package.',
  statictheme: 'A theme packaged as a WebExtension.',
});

export const AddonStatusEnum = enumOf(
  'AddonStatus',
  'The state of an add-on. Only imported add-ons have the states marked as legacy.',
  {
    lite: 'Legacy: preliminarily reviewed.',
    public: 'Approved and part of the public catalogue.',
    deleted: 'Deleted by its owner.',
    pending: 'Awaits review.',
    disabled: 'Disabled by the operator.',
    rejected: 'Refused by a reviewer.',
    nominated: 'Its first listed version awaits review.',
    incomplete: 'Has no listed version.',
    unreviewed: 'Legacy: published without review.',
    'lite-nominated': 'Legacy: preliminarily reviewed, awaits full review.',
    'review-pending': 'Legacy: flagged for another review.',
  },
);

export const PlatformEnum = enumOf('Platform', 'The operating system that a file is for.', {
  all: 'Every operating system.',
  mac: 'macOS.',
  linux: 'Linux.',
  android: 'Android.',
  windows: 'Windows.',
});

export const ChannelEnum = enumOf('Channel', 'How a version is distributed.', {
  listed: 'Published in the catalogue after review.',
  unlisted: 'Signed and distributed by its developers.',
});

export type AddonStatus = (typeof AddonStatusEnum)['$inferType'];
