import { builder } from '../../graphql/builder.ts';

export const ApplicationEnum = builder.enumType('Application', {
  description: 'An application that add-ons are made for.',
  values: {
    DESKTOP_BROWSER: { value: 'desktop_browser' },
    MOBILE_BROWSER: { value: 'mobile_browser' },
    SUITE_APP: { value: 'suite_app' },
    MAIL_CLIENT: { value: 'mail_client' },
  } as const,
});

export const AddonTypeEnum = builder.enumType('AddonType', {
  values: {
    EXTENSION: { value: 'extension' },
    THEME: { value: 'theme' },
    DICTIONARY: { value: 'dictionary' },
    SEARCH: { value: 'search' },
    LANGUAGE: { value: 'language' },
    PERSONA: { value: 'persona' },
    STATICTHEME: { value: 'statictheme' },
  } as const,
});

export const AddonStatusEnum = builder.enumType('AddonStatus', {
  values: {
    LITE: { value: 'lite' },
    PUBLIC: { value: 'public' },
    DELETED: { value: 'deleted' },
    PENDING: { value: 'pending' },
    DISABLED: { value: 'disabled' },
    REJECTED: { value: 'rejected' },
    NOMINATED: { value: 'nominated' },
    INCOMPLETE: { value: 'incomplete' },
    UNREVIEWED: { value: 'unreviewed' },
    LITE_NOMINATED: { value: 'lite-nominated' },
    REVIEW_PENDING: { value: 'review-pending' },
  } as const,
});

export const PlatformEnum = builder.enumType('Platform', {
  description: 'The operating system that a file is for.',
  values: {
    ALL: { value: 'all' },
    MAC: { value: 'mac' },
    LINUX: { value: 'linux' },
    ANDROID: { value: 'android' },
    WINDOWS: { value: 'windows' },
  } as const,
});

export type AddonStatus = (typeof AddonStatusEnum)['$inferType'];
export type AddonType = (typeof AddonTypeEnum)['$inferType'];
export type Application = (typeof ApplicationEnum)['$inferType'];
export type Platform = (typeof PlatformEnum)['$inferType'];
