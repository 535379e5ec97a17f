import { graphqlResponses, REST_STARTS } from './api-responses.ts';
import { crawl } from './crawl.ts';
import { kindOfPage } from './page-kinds.ts';
import { authorizationOf, cookieHeader, type Role } from './roles.ts';
import type { Setting } from './setting.ts';

/** Opened addresses of each kind of page. Every role has the public pages in common; one of them opens many. */
const PER_KIND = 3;
const PER_KIND_ANONYMOUS = 12;

const CRAWLING: readonly Role[] = ['anonymous', 'developer', 'reviewer', 'moderator', 'administrator'];

const REVIEWING: readonly Role[] = ['reviewer', 'administrator'];

/** Crawls the service as every role. */
export async function runCrawl({ service, cookies, report }: Setting): Promise<void> {
  for (const role of CRAWLING) {
    await report.check(`crawl as ${role}`, async (problems) => {
      const credentials = authorizationOf(cookies[role]);
      const result = await crawl({
        origin: service.url,
        cookie: cookieHeader(cookies[role]),
        authorization: credentials,
        starts: ['/', '/sitemap.xml', '/robots.txt', ...REST_STARTS],
        responses: await graphqlResponses(service.url, credentials),
        kindOf: kindOfPage,
        mayReview: REVIEWING.includes(role),
        perKind: role === 'anonymous' ? PER_KIND_ANONYMOUS : PER_KIND,
      });
      console.log(`      ${result.opened} addresses`);
      problems.push(...result.problems);
    });
  }
}
