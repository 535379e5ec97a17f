import { html } from 'hono/html';
import { config } from '../config.ts';
import { type Page, page } from './plain-page.ts';
import { SIGN_IN_PATH } from './site/sign-in.ts';

/** The start page: a description of the service and links. `hasSignIn`: whether people can sign in. */
export async function startPage(hasSignIn: boolean): Promise<Page> {
  return page(
    'Start',
    html`<main>
<h1>${config.SITE_NAME}</h1>
<p>This service validates, signs and distributes browser add-ons.</p>
<ul>
${hasSignIn ? html`<li><a href="${SIGN_IN_PATH}">Sign in</a></li>` : ''}
<li><a href="/graphql">GraphQL API</a>, with a page to try it</li>
<li>REST API: <a href="/docs/openapi-v5.json">version 5</a>, <a href="/docs/openapi-v4.json">version 4</a> and <a href="/docs/openapi-v3.json">version 3</a> as OpenAPI documents</li>
<li><a href="/signing/root.pem">Root certificate</a> of the signatures</li>
<li><a href="/readyz">State of this server</a></li>
</ul>
</main>`,
  );
}
