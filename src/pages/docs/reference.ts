import { html } from 'hono/html';
import { segmentParam } from '../../http/params.ts';
import { DOCUMENTED_VERSIONS, openApiText } from '../../rest/openapi.ts';
import { dataTable } from '../components/data-table.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { commandBlock, helpArticle, helpPage, pointList } from './article.ts';
import { type ApiDocument, type DocumentedOperation, endpointsByArea, type OpenApiEndpoint } from './openapi.ts';
import { boundsText, keyList, schemaId, typeText } from './reference-schema.ts';

/** Headings of the reference, which is in English as the texts of the documents are. */
const WORDS = {
  objects: 'Objects',
  parameters: 'Parameters of',
  body: 'Body',
  responses: 'Responses',
  example: 'Example of a response',
};

/** The versions of the API. */
export const apiPage = helpPage({
  path: '/docs/api/',
  intro: 'docs.api.intro',
  body: ({ t }) => html`<dl class="link-terms">
${DOCUMENTED_VERSIONS.map(
  (version) => html`<dt><a href="/docs/api/${version}/">${t('docs.api.of', { version: code(version) })}</a></dt>
<dd>${t(`docs.api.${version}`)} <a href="/docs/openapi-${version}.json">${t('docs.api.document', { version: code(version) })}</a></dd>
`,
)}</dl>
<h2 id="authentication">${t('docs.api.authentication')}</h2>
${pointList([
  t('docs.api.authentication-key', { header: code('Authorization: JWT …') }),
  t('docs.api.authentication-token', { header: code('Authorization: Bearer …') }),
])}
<p><a href="/account/keys/">${t('account.keys.title')}</a></p>`,
});

/** The reference of one version, from its OpenAPI document. */
export const referencePage = page({
  path: '/docs/api/:version/',
  visitor: 'all',
  params: { version: segmentParam('Version of the API.') },
  view: (_data, { path }, ui) => {
    const version = DOCUMENTED_VERSIONS.find((each) => each === path.version);
    if (version === undefined) return null;
    const { t } = ui;
    const document = JSON.parse(openApiText(version)) as ApiDocument;
    const areas = endpointsByArea(document);
    return helpArticle(ui, {
      title: 'docs.api.title',
      intro: `docs.api.${version}`,
      path: `/docs/api/${version}/`,
      above: { text: t('docs.api.title'), href: '/docs/api/' },
      heading: t('docs.api.of', { version }),
      body: html`<p><a href="/docs/api/${version}/try/">${t('docs.api.try')}</a> · <a href="/docs/openapi-${version}.json">${t('docs.api.document', { version })}</a></p>
<div class="prose" lang="en" dir="ltr">
${[...areas].map(([area, endpoints]) => html`<h2 id="area-${area}">${area}</h2>${endpoints.map((each) => endpointSection(ui, each))}`)}
<h2 id="schemas">${WORDS.objects}</h2>
${Object.entries(document.components?.schemas ?? {}).map(
  ([name, schema]) => html`<details class="api-part"><summary><h3>${name}</h3></summary>
<p id="${schemaId(name)}">${schema.description ?? typeText(schema)}</p>
${keyList(schema)}
</details>
`,
)}
</div>`,
    });
  },
});

/** Who may send a request. */
function accessOf({ security = [] }: DocumentedOperation): string {
  if (security.length === 0) return 'Credentials are ignored.';
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  return isOptional ? 'Credentials are optional.' : 'Credentials are required.';
}

function endpointSection(ui: Ui, endpoint: OpenApiEndpoint): Html {
  const { id, method, path, operation } = endpoint;
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const [body] = bodies;
  return html`<details class="api-part"><summary><h3><code>${method} ${path}</code></h3> ${operation.summary}</summary>
<p id="${id}">${accessOf(operation)}</p>
${parameterTable(ui, endpoint)}
${
  body?.[1].schema === undefined
    ? ''
    : html`<h4>${WORDS.body}</h4><p>${bodies.map(([type], index) => html`${index > 0 ? ', ' : ''}<code>${type}</code>`)}</p>${keyList(body[1].schema)}`
}
<h4>${WORDS.responses}</h4>
<dl class="api-responses">${Object.entries(operation.responses).map(([status, response]) => {
    const [content] = Object.values(response.content ?? {});
    return html`<dt><code>${status}</code></dt>
<dd>${response.description}${content?.schema ? html` <span class="muted">${typeText(content.schema)}</span>` : ''}${
      status === '200' && content?.schema ? keyList(content.schema) : ''
    }</dd>
`;
  })}</dl>
${example(operation)}
</details>
`;
}

function parameterTable(ui: Ui, { id, method, path, operation }: OpenApiEndpoint): Html {
  const { parameters = [] } = operation;
  if (parameters.length === 0) return html``;
  return dataTable(ui, {
    id: `${id}-parameters`,
    caption: `${WORDS.parameters} ${method} ${path}`,
    isCaptionHidden: true,
    columns: ['Name', 'In', 'Type', 'Meaning'].map((text) => html`${text}`),
    rows: parameters.map(({ name, in: place, required, description = '', schema = {} }) => [
      html`<code>${name}</code>`,
      `${place}${required ? ', required' : ''}`,
      html`${typeText(schema)}${[boundsText(schema)].filter(Boolean).map((bounds) => `, ${bounds}`)}`,
      description,
    ]),
  });
}

const MAX_EXAMPLE = 1_500;

/** The recorded response, cut after some lines. */
function example({ responses }: DocumentedOperation): Html {
  const recorded = responses['200']?.content?.['application/json']?.example;
  if (recorded === undefined) return html``;
  const text = JSON.stringify(recorded, null, 2);
  const shown = text.length <= MAX_EXAMPLE ? text : `${text.slice(0, text.lastIndexOf('\n', MAX_EXAMPLE))}\n…`;
  return html`<details><summary>${WORDS.example}</summary>${commandBlock(shown)}</details>`;
}
