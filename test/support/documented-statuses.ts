import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readDocuments, STATUSES_FILE } from './openapi-documents.ts';

/** Processes that have never read the state of the service are not ready. Afterwards they keep the last one. */
const IN_MEMORY = ['GET /site/ 503', 'GET /shelves/sponsored/ 503'];

/**
 * Throws if the OpenAPI documents contain a status that no test of the whole suite received. Runs of single files or tests are
 * not checked.
 */
export async function requireDocumentedStatuses(project: TestProject, runFolder: string): Promise<void> {
  if (!(await ranWholeSuite(project))) return;
  const lines = (await readFile(join(runFolder, STATUSES_FILE), 'utf8').catch(() => '')).split('\n');
  // The API versions share their code, so a status counts for all of them.
  const seen = new Set(lines.map((line) => line.replace(/^\S+ /, '').replace(/\/api\/v\w+/, '')));
  const missing = documentedStatuses().filter((entry) => !seen.has(entry) && !IN_MEMORY.includes(entry));
  if (missing.length > 0) throw new Error(`No test has received these documented responses:\n${missing.join('\n')}`);
}

async function ranWholeSuite(project: TestProject): Promise<boolean> {
  const { vitest } = project;
  if (vitest.config.testNamePattern !== undefined || vitest.config.watch) return false;
  const { testFiles } = await project.globTestFiles();
  // Suites that need other servers are separate projects.
  if (!testFiles.some((path) => path.includes('/test/rest/'))) return false;
  const ran = new Set(vitest.state.getFiles().map((file) => file.filepath));
  return testFiles.every((file) => ran.has(file));
}

function documentedStatuses(): string[] {
  const entries = Object.values(readDocuments()).flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([template, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.keys(responses).map(
          (status) => `${method.toUpperCase()} ${template.replace(/\/api\/v\w+/, '')} ${status}`,
        ),
      ),
    ),
  );
  return [...new Set(entries)];
}
