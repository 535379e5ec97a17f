import { html } from 'hono/html';
import { type Html, joined } from '../html.ts';
import type { OpenApiSchema } from './openapi.ts';

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** The id of a schema in the page of the reference. */
export const schemaId = (name: string): string => `schema-${name}`;

/** The type of a value in a few words: `array of File`, `string (date-time)`, `integer or null`. */
export function typeText(schema: OpenApiSchema): Html {
  const { $ref, type, format, items, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return html`<a href="#${schemaId(nameOf($ref))}">${nameOf($ref)}</a>`;
  const alternatives = anyOf ?? oneOf ?? allOf;
  if (alternatives !== undefined) return joined(alternatives.map(typeText), allOf ? ' and ' : ' or ');
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ', ',
    );
  if (items !== undefined) return html`${'array of '}${typeText(items)}${isNullable(type) ? ' or null' : ''}`;
  if (typeof schema.additionalProperties === 'object' && schema.properties === undefined) {
    return html`${'object of '}${typeText(schema.additionalProperties)}`;
  }
  const names = type === undefined ? ['any'] : [type].flat();
  return html`${names.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
}

const isNullable = (type: OpenApiSchema['type']): boolean => [type].flat().includes('null');

/** The limits of a value: `at most 255 characters`. */
export function boundsText({ minimum, maximum, minLength, maxLength }: OpenApiSchema): string {
  return [
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : `at most ${maximum}`,
    minLength === undefined ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The keys of an object, nested ones indented; nothing for other values. */
export function keyList(schema: OpenApiSchema): Html {
  const object = objectIn(schema);
  if (object === null) return html``;
  const required = new Set(object.required);
  return html`<dl class="api-keys">
${Object.entries(object.properties ?? {}).map(
  ([name, value]) => html`<dt><code>${name}</code> <span class="muted">${typeText(value)}${
    required.has(name) ? '' : ', optional'
  }</span></dt>
<dd>${value.description ?? ''}${keyList(value)}</dd>
`,
)}</dl>`;
}

/** The object that a schema describes: itself, the items of its array, or its only alternative other than null. */
function objectIn(schema: OpenApiSchema): OpenApiSchema | null {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return objectIn(schema.items);
  const objects = (schema.anyOf ?? schema.oneOf ?? []).map(objectIn).filter((each) => each !== null);
  return objects.length === 1 ? (objects[0] ?? null) : null;
}
