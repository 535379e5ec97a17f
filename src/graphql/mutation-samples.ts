import type { SampleQuery } from './catalogue-samples.ts';

const REFUSAL = `    ... on UserError {
      code
      message
      path
    }`;

/** Changes that developers and curators make. A refusal is a member of the result, beside its payload. */
export const MUTATION_SAMPLES: readonly SampleQuery[] = [
  {
    query: `# Edits the listing of an add-on. A null value deletes a language; failures are members of the result.
mutation UpdateAddon($input: UpdateAddonInput!) {
  updateAddon(input: $input) {
    ... on UpdateAddonPayload {
      addon {
        guid
        summary {
          value
        }
        description {
          all {
            locale
            value
          }
        }
      }
    }
${REFUSAL}
  }
}
`,
    variables: {
      input: {
        id: '1',
        summary: [{ locale: 'en-US', value: 'What it does, in a sentence.' }],
        description: [
          { locale: 'en-US', value: 'All that it does, with <b>simple</b> HTML.' },
          { locale: 'de', value: null },
        ],
      },
    },
  },
  {
    query: `# Takes the icon of an add-on away. To give it one, send the request as multipart with a PNG or JPEG as file.
mutation SetAddonIcon($input: SetAddonIconInput!) {
  setAddonIcon(input: $input) {
    ... on SetAddonIconPayload {
      addon {
        iconUrl
      }
    }
${REFUSAL}
  }
}
`,
    variables: { input: { id: '1' } },
  },
  {
    query: `# Makes somebody an author of an add-on; for its owners.
mutation AddAddonAuthor($input: AddAddonAuthorInput!) {
  addAddonAuthor(input: $input) {
    ... on AddAddonAuthorPayload {
      addon {
        authors {
          username
        }
      }
    }
${REFUSAL}
  }
}
`,
    variables: { input: { id: '1', account: { username: 'colleague' }, role: 'DEVELOPER', listed: true } },
  },
  {
    query: `# Says what is new in a version; id is that of the version.
mutation UpdateVersion($input: UpdateVersionInput!) {
  updateVersion(input: $input) {
    ... on UpdateVersionPayload {
      version {
        version
        releaseNotes {
          value
        }
      }
    }
${REFUSAL}
  }
}
`,
    variables: { input: { id: '1', releaseNotes: [{ locale: 'en-US', value: 'Faster, and it remembers.' }] } },
  },
  {
    query: `# Features an add-on, in one language or all; for curators.
mutation SetFeatured($input: SetFeaturedInput!) {
  setFeatured(input: $input) {
    ... on SetFeaturedPayload {
      addon {
        guid
        isFeatured
      }
    }
${REFUSAL}
  }
}
`,
    variables: { input: { id: '1', app: 'DESKTOP_BROWSER', locale: null, category: null, featured: true } },
  },
];
