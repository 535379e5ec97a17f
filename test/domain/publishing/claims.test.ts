/* What is read of the claims of ID tokens: whether a publisher trusts their subject, and what versions show of the job. */
import { describe, expect, it } from 'vitest';
import { provenanceOf } from '../../../src/domain/publishing/provenance.ts';
import { isSubjectPattern, matchesSubject } from '../../../src/domain/publishing/subject-pattern.ts';
import { JOB_CLAIMS } from '../../support/job-claims.ts';

describe('a pattern of subjects', () => {
  it.each([
    ...Object.values(JOB_CLAIMS).map(({ sub }) => sub),
    'repo:example@1/notes@2:*',
    'repo:example/*',
    'repo:example/notes:*',
    'project_path:a/b:*',
  ])('may be %s', (pattern) => expect(isSubjectPattern(pattern)).toBe(true));

  it.each(['', '*', 'repo:*', 'repo:/*', 'repo:example*', 'repo:a*/b', 'repo:example/**', 'repo:a b/c', 'repo:é/c'])(
    'may not be %j',
    (pattern) => expect(isSubjectPattern(pattern)).toBe(false),
  );

  it('matches the whole subject, and any rest only with * at the end', () => {
    expect(matchesSubject('repo:example/notes:*', 'repo:example/notes:ref:refs/heads/main')).toBe(true);
    expect(matchesSubject('repo:example/notes:*', 'repo:example/notes-2:ref:refs/heads/main')).toBe(false);
    expect(matchesSubject('repo:example/notes', 'repo:example/notes:ref:refs/heads/main')).toBe(false);
    expect(matchesSubject('repo:example/n.tes', 'repo:example/notes')).toBe(false);
  });
});

describe('the provenance of a version', () => {
  const GITHUB = 'https://token.actions.githubusercontent.com';
  const claims = { repository: 'example/notes', sha: 'a'.repeat(40), ref: 'refs/heads/main', run_id: '17' };

  it('has the repository, the commit and the page of the run, where the token says that they are public', () => {
    expect(provenanceOf(GITHUB, { ...claims, repository_visibility: 'public' })).toMatchObject({
      ...{ issuer: GITHUB, repository: 'example/notes', commit: 'a'.repeat(40), ref: 'refs/heads/main' },
      runUrl: 'https://github.com/example/notes/actions/runs/17',
    });
  });

  it('has the file of the job, and the page of the pipeline of a GitLab server', () => {
    const { repository, project_path, ref, sha } = { ...JOB_CLAIMS.github, ...JOB_CLAIMS.gitlab };
    expect([repository, project_path]).toEqual(['example/notes', 'example/notes']);
    expect(provenanceOf('https://git.example', JOB_CLAIMS.gitlab)).toEqual({
      ...{ issuer: 'https://git.example', repository, commit: sha, ref },
      workflow: 'gitlab.com/example/notes//.gitlab-ci.yml@refs/heads/main',
      runUrl: 'https://git.example/example/notes/-/pipelines/574',
    });
    expect(provenanceOf(GITHUB, JOB_CLAIMS.github)).toMatchObject({
      workflow: 'example/notes/.github/workflows/release.yml@refs/heads/main',
      runUrl: 'https://github.com/example/notes/actions/runs/17',
    });
  });

  it('has the issuer alone otherwise', () => {
    expect(provenanceOf(GITHUB, claims)).toEqual({ issuer: GITHUB });
    expect(provenanceOf(GITHUB, { ...claims, repository_visibility: 'private' })).toEqual({ issuer: GITHUB });
  });

  it('links only to servers with an https address', () => {
    const runUrlOf = (server: string) =>
      provenanceOf('https://ci.example', { ...claims, repository_visibility: 'public', server_url: server }).runUrl;
    expect(runUrlOf('https://git.example/any?path')).toBe('https://git.example/example/notes/actions/runs/17');
    for (const server of ['javascript:alert(1)//', 'http://git.example', 'git.example', ''])
      expect(runUrlOf(server), server).toBe(undefined);
  });

  it('leaves out values that are no usable texts', () => {
    const odd = { repository: 'x'.repeat(301), sha: 1, ref: 'a\nb', run_id: '1/../2', repository_visibility: 'public' };
    expect(Object.values(provenanceOf(GITHUB, odd)).filter((value) => value !== undefined)).toEqual([GITHUB]);
  });
});
