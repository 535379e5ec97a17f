import { config } from '../config.ts';
import type { DemoCredentials } from '../demo/accounts.ts';
import type { Demo } from '../demo/fill-demo.ts';

/** The text that a start prints when the service is ready: URLs, accounts, first commands. */
export function welcome(demo: Demo | null): string {
  const { BASE_URL, SITE_NAME } = config;
  const lines = [
    '',
    `${SITE_NAME} is ready at ${BASE_URL}/`,
    '',
    `  GraphQL           ${BASE_URL}/graphql`,
    `  REST              ${BASE_URL}/api/v4/   described in ${BASE_URL}/docs/openapi-v4.json`,
    `  Root certificate  ${BASE_URL}/signing/root.pem`,
    `  State             ${BASE_URL}/readyz`,
    '',
    ...(demo === null ? withoutDemo() : demo.credentials === null ? demoAgain() : demoFirst(demo.credentials)),
    '',
    'Commands: npx addons --help      Stop: Ctrl-C',
    '',
    '',
  ];
  return lines.join('\n');
}

function withoutDemo(): string[] {
  return [
    'Next: an account and an API key.',
    '',
    '  npx addons user create --username me --email me@example.org',
    '  npx addons key create --user me',
  ];
}

function demoAgain(): string[] {
  return [
    'This is a demo: its keys were shown at the first start. For another one:',
    '',
    '  npx addons key create --user demo-developer',
    '  npx addons token create --user demo-reviewer',
  ];
}

function demoFirst({ developer, reviewerToken, adminToken }: DemoCredentials): string[] {
  const { BASE_URL } = config;
  return [
    `This is a demo. Its add-ons are being published in the background. In a browser, open ${BASE_URL}/ and sign in as`,
    'demo-developer, demo-reviewer, demo-moderator, demo-admin or demo-user. Keys and tokens are shown this once:',
    '',
    `  demo-developer    API key     ${developer.key}`,
    `                    secret      ${developer.secret}`,
    '  demo-developer-2  second developer, without a key yet',
    `  demo-reviewer     Authorization: Bearer ${reviewerToken}`,
    `  demo-admin        Authorization: Bearer ${adminToken}`,
    '',
    'Sign a first add-on with curl:',
    '',
    '  mkdir -p var/hello',
    `  echo '{"manifest_version": 2, "name": "Hello", "version": "1.0"}' > var/hello/manifest.json`,
    '  npx addons pack var/hello var/hello.xpi',
    `  curl -X PUT -F upload=@var/hello.xpi ${BASE_URL}/api/v4/addons/hello@example.org/versions/1.0/ \\`,
    `    -H "Authorization: JWT $(npx addons jwt --key ${developer.key} --secret ${developer.secret})"`,
    '',
    'or with sign-addon, which waits for the signature and downloads the file:',
    '',
    `  node -e 'require("sign-addon").signAddon({ xpiPath: "var/hello.xpi", id: "hello-2@example.org", version: "1.0",`,
    `    downloadDir: "var", apiUrlPrefix: "${BASE_URL}/api/v4", apiKey: "${developer.key}",`,
    `    apiSecret: "${developer.secret}" }).then((result) => console.log(result))'`,
  ];
}
