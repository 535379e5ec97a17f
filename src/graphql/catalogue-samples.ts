/** A query that the in-browser editor offers to begin with. */
export interface SampleQuery {
  query: string;
  variables: Record<string, unknown>;
}

/** Reads of the catalogue. */
export const CATALOGUE_SAMPLES: readonly SampleQuery[] = [
  {
    query: `# The whole public catalogue, page by page: pass endCursor as after until there is no next page.
query Catalogue($filter: AddonFilter, $after: String) {
  addons(filter: $filter, first: 25, after: $after) {
    totalCount
    edges {
      node {
        databaseId
        guid
        type
        name {
          value
        }
        averageDailyUsers
        latestFile(platform: ALL) {
          url
          hash
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
    variables: { filter: { type: ['EXTENSION'] }, after: null },
  },
  {
    query: `# A search with what its results have in common, for a page with filters beside the list.
query SearchWithFacets($q: String, $filter: SearchFilter, $page: Int) {
  search(q: $q, filter: $filter, page: $page, pageSize: 10) {
    count
    pageCount
    results {
      score
      addon {
        guid
        name {
          value
        }
        summary {
          value
        }
        iconUrl
        ratings {
          average
          count
        }
      }
    }
    facets {
      types {
        value
        count
      }
      applications {
        value
        count
      }
      platforms {
        value
        count
      }
      categories {
        value {
          slug
          name {
            value
          }
        }
        count
      }
      tags {
        value
        count
      }
      locales {
        value
        count
      }
    }
  }
}
`,
    variables: { q: 'tab', filter: { app: 'DESKTOP_BROWSER' }, page: 1 },
  },
  {
    query: `# What to suggest while somebody types.
query Suggestions($q: String!) {
  autocomplete(q: $q) {
    databaseId
    name {
      value
    }
    iconUrl
    url
  }
}
`,
    variables: { q: 'ta' },
  },
  {
    query: `# A front page: what is featured, what grows, and the categories to go on with.
query FrontPage($app: Application!, $lang: String) {
  featuredAddons(app: $app, lang: $lang, first: 6) {
    name {
      value(lang: $lang)
    }
    url
  }
  growing: search(filter: { app: $app }, sort: [HOTNESS], pageSize: 6) {
    results {
      addon {
        name {
          value(lang: $lang)
        }
        averageDailyUsers
      }
    }
  }
  categories(app: $app, type: EXTENSION) {
    id
    slug
    name {
      value(lang: $lang)
    }
  }
}
`,
    variables: { app: 'DESKTOP_BROWSER', lang: 'en-US' },
  },
  {
    query: `# Language packs and dictionaries that work in a version of an application.
query LanguageTools($app: Application!, $appversion: String, $type: AddonType) {
  languageTools(app: $app, appversion: $appversion, type: $type) {
    guid
    targetLocale
    currentCompatibleVersion {
      version
      files {
        url
      }
    }
  }
}
`,
    variables: { app: 'DESKTOP_BROWSER', appversion: '60.0', type: 'LANGUAGE' },
  },
  {
    query: `# What goes with an add-on, what takes the place of old ones, and what does not work.
query Discovery($guid: String) {
  recommendations(guid: $guid, recommended: true) {
    outcome
    fallbackReason
    results {
      guid
    }
  }
  replacements(pageSize: 10) {
    count
    results {
      guid
      replacement
    }
  }
  compatOverrides(pageSize: 10) {
    count
    results {
      addonGuid
      versionRanges {
        addonMinVersion
        addonMaxVersion
        applications {
          app
          minVersion
          maxVersion
        }
      }
    }
  }
}
`,
    variables: { guid: 'tab-notes@demo.example' },
  },
  {
    query: `# What an add-on is offered under: licences, and the texts to agree to.
query Policies($ref: String!) {
  licenses {
    databaseId
    builtin
    name {
      value
    }
  }
  addon(ref: $ref) {
    eula {
      value
    }
    privacyPolicy {
      value
    }
    featureCompatibility {
      e10s
    }
  }
}
`,
    variables: { ref: 'tab-notes' },
  },
];
