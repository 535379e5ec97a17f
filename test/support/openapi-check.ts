/*
 * Checks every REST response that a test receives against the committed OpenAPI documents, and records its status.
 * `documented-statuses.ts` reports documented statuses that no test of the whole suite received.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { inject } from 'vitest';
import type { Reply } from './client.ts';
import { type Documents, findOperation, readDocuments, STATUSES_FILE } from './openapi-documents.ts';

/**
 * The documents and the compiled schemas of bodies. A process keeps them from one test file to the next, because compiling takes
 * longer than most tests.
 */
const kept = globalThis as typeof globalThis & { openApiCheck?: ReturnType<typeof prepareCheck> };

function prepareCheck() {
  const documents: Documents = readDocuments();
  // Most schemas are compiled for few responses, so their code is neither inlined nor optimized.
  const ajv = new Ajv2020({
    ...{ strict: false, validateFormats: false, allErrors: true },
    ...{ inlineRefs: false, code: { optimize: false } },
  });
  for (const [version, document] of Object.entries(documents)) ajv.addSchema(document, version);
  return { documents, ajv, compiled: new Map<string, ValidateFunction>() };
}

kept.openApiCheck ??= prepareCheck();
const { documents, ajv, compiled } = kept.openApiCheck;

/**
 * Checks one response under /api/.
 * @throws {Error} if the documents do not allow it.
 */
export function checkReply({ method, path, reply }: { method: string; path: string; reply: Reply }): void {
  if (!path.startsWith('/api/') || method === 'OPTIONS') return;
  const where = `${method} ${path} returned ${reply.status}`;
  if (!/^(true|false)$/.test(String(reply.headers['x-svc-read-only'])))
    throw new Error(`${where} without X-SVC-Read-Only`);
  const found = findOperation(documents, method === 'HEAD' ? 'GET' : method, path);
  if (found === null || (method === 'HEAD' && reply.status === 405)) {
    checkUnrouted(where, reply);
    return;
  }
  const response = found.operation.responses[String(reply.status)];
  if (response === undefined) throw new Error(`${where}, which is not documented: ${reply.text.slice(0, 500)}`);
  if (method === 'HEAD') return;
  const isPage =
    response.content?.['text/html'] !== undefined && /^text\/html;/.test(String(reply.headers['content-type']));
  const schemaPointer =
    response.content?.['application/json'] && !isPage
      ? `${found.pointer}/responses/${reply.status}/content/application~1json/schema`
      : null;
  if (schemaPointer !== null) checkBody(where, reply, schemaPointer);
  appendFileSync(
    join(inject('runFolder'), STATUSES_FILE),
    `${found.version} ${method} ${found.template} ${reply.status}\n`,
  );
}

/** Checks responses to unknown paths and methods, and to writes in read-only mode. */
function checkUnrouted(where: string, reply: Reply): void {
  if (![404, 405, 503].includes(reply.status)) throw new Error(`${where} without a route`);
  checkType(where, reply);
  if (typeof (reply.json as { detail?: unknown } | null)?.detail !== 'string' && reply.bytes.length > 0) {
    throw new Error(`${where} without "detail"`);
  }
}

function checkBody(where: string, reply: Reply, pointer: string): void {
  checkType(where, reply);
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
  compiled.set(pointer, validate);
  if (!validate(reply.json)) {
    throw new Error(
      `${where} with a body that is not documented: ${ajv.errorsText(validate.errors)}\n${reply.text.slice(0, 2000)}`,
    );
  }
}

/** Stock signing clients do not read a body whose content type has a parameter. */
function checkType(where: string, reply: Reply): void {
  const type = reply.headers['content-type'];
  if (type !== 'application/json') throw new Error(`${where} with the content type ${type}`);
}
