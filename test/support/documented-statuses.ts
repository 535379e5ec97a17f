import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readDocuments, STATUSES_FILE } from './openapi-documents.ts';

/**
 * Fails the run when the OpenAPI documents promise a status that no test of the whole suite has received. A run of some
 * files or some tests proves nothing about the rest and is let through.
 */
export async function requireDocumentedStatuses(project: TestProject, runFolder: string): Promise<void> {
  if (!(await ranCompletely(project))) return;
  const lines = (await readFile(join(runFolder, STATUSES_FILE), 'utf8').catch(() => '')).split('\n');
  // The versions are one code: a status seen under one of them is seen.
  const seen = new Set(lines.map((line) => line.replace(/^\S+ /, '').replace(/\/api\/v\w+/, '')));
  const missing = promised().filter((entry) => !seen.has(entry));
  if (missing.length > 0) throw new Error(`No test has received these documented answers:\n${missing.join('\n')}`);
}

async function ranCompletely(project: TestProject): Promise<boolean> {
  const { vitest } = project;
  if (vitest.config.testNamePattern !== undefined || vitest.config.watch) return false;
  const { testFiles } = await project.globTestFiles();
  // What needs a server of another kind is a suite of its own.
  if (!testFiles.some((path) => path.includes('/test/rest/'))) return false;
  const ran = new Set(vitest.state.getFiles().map((file) => file.filepath));
  return testFiles.every((file) => ran.has(file));
}

function promised(): string[] {
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
