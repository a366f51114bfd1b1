import { shortVersion } from '../issues/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { readVersion } from '../lib/release-version.ts'
import type { HealthOf } from './health-data.ts'
import type { Deploy, Release, ReleaseCommit } from './release.ts'

const dateOf = (at: number | null): string | null => (at === null ? null : toDate(at))

/** A release in the documented JSON shape of Sentry's API. */
export const releaseJson = (release: Release, health: HealthOf | null = null) => ({
  id: String(release.id),
  version: release.version,
  shortVersion: shortVersion(release.version),
  status: release.status,
  ref: release.ref,
  url: release.url,
  dateCreated: toDate(release.firstSeenAt),
  dateStarted: dateOf(release.startedAt),
  dateReleased: dateOf(release.releasedAt),
  firstEvent: release.lastSeenAt === null ? null : toDate(release.firstSeenAt),
  lastEvent: dateOf(release.lastSeenAt),
  newGroups: release.newIssues,
  regressedGroups: release.regressedIssues,
  commitCount: release.commits,
  lastCommit: release.lastCommit === null ? null : commitJson(release.lastCommit),
  authors: release.authors.map(({ name, email }) => ({ name, email })),
  deployCount: release.deploys,
  lastDeploy: release.lastDeploy === null ? null : deployJson(release.lastDeploy),
  currentDeploys: release.currentDeploys.map(deployJson),
  versionInfo: versionInfo(release.version),
  projects: release.projects.map(({ id, slug, name, platform, newIssues }) => {
    const data = health?.isAsked === true ? health.of(release.version, id)?.data : undefined
    return {
      id: String(id),
      slug,
      name,
      platform,
      platforms: platform === '' ? [] : [platform],
      newGroups: newIssues,
      ...(data !== undefined && { hasHealthData: data.hasHealthData, healthData: data }),
    }
  }),
  ...(health?.hasStages === true && {
    adoptionStages: Object.fromEntries(
      release.projects.flatMap(({ id, slug }) => {
        const stage = health.of(release.version, id)?.stage ?? null
        // When it came to it is not kept.
        return stage === null ? [] : [[slug, { stage, adopted: null, unadopted: null }] as const]
      }),
    ),
  }),
})

const versionInfo = (name: string) => {
  const read = readVersion(name)
  const numbers = read.kind === 'version' ? read.numbers : []
  const numberAt = (place: number): number | null => (read.kind === 'version' ? Number(numbers[place] ?? 0) : null)
  return {
    package: read.package,
    version: {
      raw: read.raw,
      major: numberAt(0),
      minor: numberAt(1),
      patch: numberAt(2),
      pre: read.kind === 'version' ? read.preRelease : null,
      buildCode: read.kind === 'version' ? read.build : null,
      components: read.kind === 'version' ? numbers.length : null,
    },
    description: shortVersion(name),
    buildHash: read.kind === 'hash' ? read.raw : null,
  }
}

export const commitJson = ({ id, message, committedAt, repository, author }: ReleaseCommit) => ({
  id,
  message,
  dateCreated: dateOf(committedAt),
  repository: repository === null ? null : { name: repository },
  author: author === null ? null : { name: author.name, email: author.email },
})

export const deployJson = ({ id, environment, name, url, startedAt, finishedAt }: Deploy) => ({
  id: String(id),
  environment,
  name,
  url,
  dateStarted: dateOf(startedAt),
  dateFinished: toDate(finishedAt),
})
