import { authorization } from '../crash/support/signing-client.ts';
import { graphqlResponses, REST_STARTS } from './api-responses.ts';
import { crawl } from './crawl.ts';
import { kindOfPage } from './page-kinds.ts';
import { ROLES, type Role } from './roles.ts';
import type { Setting } from './setting.ts';

/** Opened addresses of each kind of page. Every role has the public pages in common; one of them opens many. */
const PER_KIND = 8;
const PER_KIND_ANONYMOUS = 25;

/** Crawls the service as every role. */
export async function runCrawl({ service, cookies, report }: Setting): Promise<void> {
  for (const role of Object.keys(ROLES) as Role[]) {
    await report.check(`crawl as ${role}`, async (problems) => {
      const credentials = authorizationOf(role, service);
      const result = await crawl({
        origin: service.url,
        cookie: cookies[role].cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        authorization: credentials,
        starts: ['/', '/sitemap.xml', '/robots.txt', ...REST_STARTS],
        responses: await graphqlResponses(service.url, credentials),
        kindOf: kindOfPage,
        perKind: role === 'anonymous' ? PER_KIND_ANONYMOUS : PER_KIND,
      });
      console.log(`      ${result.opened} addresses`);
      problems.push(...result.problems);
    });
  }
}

/** Makes the Authorization header of a request; one-time tokens work only once. */
function authorizationOf(role: Role, { developer, reviewerToken, adminToken }: Setting['service']) {
  if (role === 'anonymous') return null;
  if (role === 'developer') return () => authorization(developer);
  const token = role === 'reviewer' ? reviewerToken : adminToken;
  return () => `Bearer ${token}`;
}
