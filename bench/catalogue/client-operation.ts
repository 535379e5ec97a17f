/**
 * The fields of the detail JSON, queried as an external front end would: with other fragments, names and order than `AddonDetail`,
 * the operation of the detail route.
 */
export const ADDON_PAGE = `
query AddonPage($ref: Int!) {
  addon(by: { databaseId: $ref }) {
    type
    slug
    guid
    databaseId
    status
    name { all { locale value } }
    summary { all { locale value } }
    description { all { locale value } }
    developerComments { all { locale value } }
    homepage { all { locale value } }
    supportUrl { all { locale value } }
    supportEmail { all { locale value } }
    url
    editUrl
    reviewUrl
    ratingsUrl
    contributionsUrl
    iconUrl
    icons { size url }
    authors { databaseId username name url pictureUrl }
    categories { app slug }
    tags
    created
    lastUpdated
    defaultLocale
    averageDailyUsers
    weeklyDownloads
    ratings { average bayesianAverage count textCount }
    previews {
      databaseId
      caption { all { locale value } }
      imageUrl
      imageSize { width height }
      thumbnailUrl
      thumbnailSize { width height }
    }
    isDisabled
    isExperimental
    isFeatured
    isSourcePublic
    hasEula
    hasPrivacyPolicy
    hasPublicStatistics
    requiresPayment
    requiresSensitiveDataAccess
    currentVersion { ...Release }
    latestUnlistedVersion { ...Release }
    themeData {
      name { value }
      description { value }
      author
      category { value }
      accentColor
      textColor
      headerUrl
      footerUrl
      previewUrl
      iconUrl
      updateUrl
      detailUrl
    }
  }
}

fragment Release on Version {
  databaseId
  version
  channel
  url
  editUrl
  reviewed
  isStrictCompatibilityEnabled
  compatibility { app min max }
  license { databaseId name { all { locale value } } url }
  releaseNotes { all { locale value } }
  files { ...Package }
}

fragment Package on File {
  databaseId
  platform
  status
  size
  hash
  url
  created
  permissions
  isWebextension
  isRestartRequired
  isVendorSignedExtension
}
`;
