/*
 * The claims of ID tokens of jobs in the names and formats that the providers document, for a push to a public repository:
 * https://docs.github.com/en/actions/reference/security/oidc and https://docs.gitlab.com/ci/secrets/id_token_authentication/
 */
const SHA = '714a629c0b401fdce83e847fc9589983fc6f46bc';

export const JOB_CLAIMS = {
  /** The subject has the numeric ids of owner and repository, as of repositories since July 2026. */
  github: {
    sub: 'repo:example@123456/notes@456789:ref:refs/heads/main',
    ...{ ref: 'refs/heads/main', ref_type: 'branch', ref_protected: 'true', base_ref: '', head_ref: '', sha: SHA },
    ...{ repository: 'example/notes', repository_id: '456789', repository_visibility: 'public' },
    ...{ repository_owner: 'example', repository_owner_id: '123456', actor: 'octocat', actor_id: '12' },
    ...{ run_id: '17', run_number: '10', run_attempt: '2', runner_environment: 'github-hosted', event_name: 'push' },
    ...{ workflow: 'Release', workflow_sha: SHA, job_workflow_sha: SHA },
    workflow_ref: 'example/notes/.github/workflows/release.yml@refs/heads/main',
    job_workflow_ref: 'example/notes/.github/workflows/release.yml@refs/heads/main',
  },
  gitlab: {
    sub: 'project_path:example/notes:ref_type:branch:ref:main',
    ...{ namespace_id: '72', namespace_path: 'example', project_id: '20', project_path: 'example/notes' },
    ...{ user_id: '1', user_login: 'sample', user_email: 'sample@example.com', user_access_level: 'owner' },
    ...{ pipeline_id: '574', pipeline_source: 'push', job_id: '302', ref: 'main', ref_type: 'branch' },
    ...{ ref_path: 'refs/heads/main', ref_protected: 'true', groups_direct: ['example'], runner_id: 1, sha: SHA },
    ...{ runner_environment: 'gitlab-hosted', project_visibility: 'public', ci_config_sha: SHA },
    ci_config_ref_uri: 'gitlab.com/example/notes//.gitlab-ci.yml@refs/heads/main',
  },
} as const;

/** `iat`, `nbf` and `exp` of a token that was issued now: of a job of GitLab with a timeout of three hours. */
export function timesOf(provider: keyof typeof JOB_CLAIMS): { iat: number; nbf: number; exp: number } {
  const iat = Math.floor(Date.now() / 1000);
  const [before, life] = provider === 'github' ? [600, 300] : [5, 10_800];
  return { iat, nbf: iat - before, exp: iat + life };
}
