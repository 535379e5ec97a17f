import { CATALOGUE_SAMPLES, type SampleQuery } from './catalogue-samples.ts';
import { MUTATION_SAMPLES } from './mutation-samples.ts';

/** One for each thing that people come for; a test runs them all. */
export const SAMPLE_QUERIES: readonly SampleQuery[] = [
  {
    query: `# Who am I? Put {"Authorization": "Bearer ..."} into the headers below; anonymous is null.
query Viewer {
  viewer {
    databaseId
    username
  }
}
`,
    variables: {},
  },
  {
    query: `# An add-on by its id, slug or guid, with its newest versions.
query AddonWithVersions($ref: String!) {
  addon(ref: $ref) {
    guid
    name {
      value
      all {
        locale
        value
      }
    }
    status
    versions(first: 3) {
      edges {
        node {
          version
          channel
          files {
            name
            hash
            url
          }
        }
      }
    }
  }
}
`,
    variables: { ref: 'tab-notes' },
  },
  ...CATALOGUE_SAMPLES,
  {
    query: `# How far an upload has come, what was found in it and what happens next.
query UploadStatus($pk: String!) {
  upload(pk: $pk) {
    guid
    version
    stage
    reason
    nextStep
    validation {
      errors
      warnings
      messages {
        type
        code
        message
        file
        line
        column
      }
    }
  }
}
`,
    variables: { pk: '' },
  },
  {
    query: `# The same, pushed: the present stage first, then every further one until the last.
subscription WatchUpload($pk: String!) {
  uploadChanged(pk: $pk) {
    stage
    reason
    nextStep
    files {
      url
      hash
    }
  }
}
`,
    variables: { pk: '' },
  },
  {
    query: `# Every certificate that was ever signed with. Each hash covers the one before.
query SignatureLog($after: String) {
  signatureLog(first: 20, after: $after) {
    edges {
      node {
        index
        serial
        guid
        version
        inputSha256
        previousHash
        hash
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
    variables: { after: null },
  },
  ...MUTATION_SAMPLES,
];
