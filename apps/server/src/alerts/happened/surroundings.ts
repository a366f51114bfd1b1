import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { releaseOf, type Happening, type Noted } from './happening.ts'

type Db = Pick<LedgerTransaction, 'selectFrom'>

/** What is said of something that happened besides what was noted: names, releases, what people said. */
export interface Surroundings {
  readonly organization: (id: number) => string
  readonly project: (id: number | null) => NamedProject | null
  /** The newest release of a project at a time; null when there was none. */
  readonly latestRelease: (projectId: number | null, at: number) => string | null
  /** When a project's release was first seen; null when nobody knows. */
  readonly firstSeen: (projectId: number | null, version: string) => number | null
  readonly said: (issueId: number | null) => Said | null
}

export interface NamedProject {
  readonly id: number
  readonly slug: string
  readonly name: string
}

/** What visitors said about an issue. */
export interface Said {
  readonly people: number
  readonly first: string
  readonly by: string
}

const distinct = (values: readonly (number | null)[]): number[] => [
  ...new Set(values.filter((value) => value !== null)),
]

interface SeenRelease {
  readonly version: string
  readonly firstSeen: number
}

/** Releases of a project that are looked at: those that are newest. */
const RELEASES_LOOKED_AT = 50

const readReleases = async (db: Db, facts: readonly Noted[]): Promise<ReadonlyMap<number, readonly SeenRelease[]>> => {
  const releases = new Map<number, readonly SeenRelease[]>()
  const projects = distinct(facts.flatMap((fact) => (releaseOf(fact) ? [fact.projectId] : [])))
  for (const projectId of projects) {
    const rows = await db
      .selectFrom('release_projects')
      .innerJoin('releases', 'releases.id', 'release_projects.release_id')
      .select(['releases.version', 'release_projects.first_seen'])
      .where('release_projects.project_id', '=', projectId)
      .orderBy('release_projects.first_seen', 'desc')
      .orderBy('releases.id', 'desc')
      .limit(RELEASES_LOOKED_AT)
      .execute()
    releases.set(
      projectId,
      rows.map(({ version, first_seen: firstSeen }) => ({ version, firstSeen })),
    )
  }
  return releases
}

const readSaid = async (db: Db, issueIds: readonly number[]): Promise<ReadonlyMap<number, Said>> => {
  const said = new Map<number, Said>()
  for (const part of chunks(issueIds, ROWS_PER_STATEMENT)) {
    const counts = await db
      .selectFrom('feedback')
      .select(({ fn }) => ['issue_id', fn.countAll<number>().as('people'), fn.min('id').as('first')])
      .where('issue_id', 'in', part)
      .where('status', '!=', 'spam')
      .where('merged_into_id', 'is', null)
      .groupBy('issue_id')
      .execute()
    for (const { issue_id: issueId, people, first } of counts) {
      const report = await db
        .selectFrom('feedback')
        .select(['message', 'name'])
        .where('id', '=', first)
        .executeTakeFirst()
      if (issueId !== null && report !== undefined) {
        said.set(issueId, { people, first: report.message.slice(0, 280), by: report.name || 'Somebody' })
      }
    }
  }
  return said
}

/** When releases were first seen, of all facts that name one. */
export const readFirstSeen = async (
  { db }: Ledger,
  facts: readonly Happening[],
): Promise<Pick<Surroundings, 'firstSeen'>> => {
  const releases = await readReleases(db, facts)
  return {
    firstSeen: (projectId, version) =>
      releases.get(projectId ?? 0)?.find((release) => release.version === version)?.firstSeen ?? null,
  }
}

/** @param facts of which something is said, or in whose rules the newest release is asked for */
export const readSurroundings = async ({ db }: { readonly db: Db }, facts: readonly Noted[]): Promise<Surroundings> => {
  const organizations = await db
    .selectFrom('organizations')
    .select(['id', 'slug'])
    .where('id', 'in', [0, ...distinct(facts.map(({ organizationId }) => organizationId))])
    .execute()
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'slug', 'name'])
    .where('id', 'in', [0, ...distinct(facts.map(({ projectId }) => projectId))])
    .execute()
  const releases = await readReleases(db, facts)
  const said = await readSaid(db, distinct(facts.map(({ issueId }) => issueId)))
  const slugs = new Map(organizations.map(({ id, slug }) => [id, slug]))
  const named = new Map(projects.map((project) => [project.id, project]))
  const releasesOf = (projectId: number | null) => releases.get(projectId ?? 0) ?? []
  return {
    organization: (id) => slugs.get(id) ?? '',
    project: (id) => named.get(id ?? 0) ?? null,
    latestRelease: (projectId, at) => releasesOf(projectId).find(({ firstSeen }) => firstSeen <= at)?.version ?? null,
    firstSeen: (projectId, version) =>
      releasesOf(projectId).find((release) => release.version === version)?.firstSeen ?? null,
    said: (issueId) => said.get(issueId ?? 0) ?? null,
  }
}
