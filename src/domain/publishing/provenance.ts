/* What the ID token of a job of continuous integration states about it, where it states that this is public. */
import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { Version } from '../versions/version.ts';

/** Where a version was built, by the claims of a verified ID token. Absent values are not public or not stated. */
interface Provenance {
  issuer: string;
  repository?: string;
  commit?: string;
  ref?: string;
  workflow?: string;
  runUrl?: string;
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_LENGTH = 300;

function textOf(claims: Claims, ...names: readonly string[]): string | undefined {
  const value = names.map((name) => claims[name]).find((each) => typeof each === 'string');
  return typeof value === 'string' && value.length <= MAX_LENGTH && !/\p{Cc}/u.test(value) ? value : undefined;
}

/** The origin of a server, which pages link to; undefined for what is no address of a page. */
function serverOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, origin } = new URL(url);
  return protocol === 'https:' ? origin : undefined;
}

/** Claims of GitHub and GitLab, of public repositories; of others only the issuer. */
export function provenanceOf(issuer: string, claims: Claims): Provenance {
  if (textOf(claims, 'repository_visibility', 'project_visibility') !== 'public') return { issuer };
  const repository = textOf(claims, 'repository', 'project_path');
  return {
    issuer,
    repository,
    commit: textOf(claims, 'sha'),
    ref: textOf(claims, 'ref'),
    workflow: textOf(claims, 'workflow_ref', 'ci_config_ref_uri'),
    ...(repository !== undefined && runOf(issuer, repository, claims)),
  } as Provenance;
}

const GITHUB = 'https://token.actions.githubusercontent.com';

/** The page of a run. The issuer of a GitLab server is its address. */
function runOf(issuer: string, repository: string, claims: Claims): { runUrl: string } | null {
  const [run, pipeline] = [textOf(claims, 'run_id'), textOf(claims, 'pipeline_id')];
  const isPipeline = run === undefined;
  const server = isPipeline
    ? serverOf(issuer)
    : (serverOf(textOf(claims, 'server_url')) ?? (issuer === GITHUB ? 'https://github.com' : undefined));
  if (server === undefined || !/^\d+$/.test(run ?? pipeline ?? '')) return null;
  return { runUrl: `${server}/${repository}/${isPipeline ? `-/pipelines/${pipeline}` : `actions/runs/${run}`}` };
}

const ProvenanceType = builder.objectRef<Provenance>('Provenance').implement({
  description: 'The job of continuous integration that uploaded a version, by the ID token that it sent.',
  fields: (t) => ({
    issuer: t.exposeString('issuer', { description: 'The issuer of the ID token.' }),
    repository: t.string({
      nullable: true,
      description: 'The public repository, such as example/notes; null for one that is not public.',
      resolve: ({ repository }) => repository ?? null,
    }),
    commit: t.string({
      nullable: true,
      description: 'The hash of the commit.',
      resolve: ({ commit }) => commit ?? null,
    }),
    ref: t.string({ nullable: true, description: 'The branch or tag.', resolve: ({ ref }) => ref ?? null }),
    workflow: t.string({
      nullable: true,
      description: 'The file that defines the job, with its repository and branch.',
      resolve: ({ workflow }) => workflow ?? null,
    }),
    runUrl: t.string({
      nullable: true,
      description: 'The page of the run; null where it is unknown.',
      resolve: ({ runUrl }) => runUrl ?? null,
    }),
  }),
});

const ofVersions = perRequest<number, Provenance | null>(async (ids) => {
  const rows = await db.$queryRaw<{ versionId: number; provenance: Provenance }[]>`
    SELECT DISTINCT ON (u.version_id) u.version_id AS "versionId", k.provenance FROM upload u JOIN api_key k ON k.id = u.api_key_id
    WHERE u.version_id = ANY(${[...ids]}::int[]) AND k.provenance IS NOT NULL ORDER BY u.version_id, u.id DESC`;
  const byVersion = new Map(rows.map(({ versionId, provenance }) => [versionId, provenance]));
  return ids.map((id) => byVersion.get(id) ?? null);
});

builder.objectField(Version, 'provenance', (t) =>
  t.field({
    type: ProvenanceType,
    nullable: true,
    description: 'The job of a trusted publisher that uploaded it; null for one that was uploaded otherwise.',
    resolve: ({ id }, _args, context) => ofVersions(context).load(id),
  }),
);
