import { shortVersion } from '../issue-json.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { Release } from './releases.view.ts'

/** A release in the documented JSON shape of Sentry's API. */
export const releaseJson = (release: Release) => ({
  id: String(release.id),
  version: release.version,
  shortVersion: shortVersion(release.version),
  status: 'open',
  ref: null,
  url: null,
  dateCreated: toDate(release.firstSeenAt),
  dateReleased: release.releasedAt === null ? null : toDate(release.releasedAt),
  firstEvent: toDate(release.firstSeenAt),
  lastEvent: toDate(release.lastSeenAt),
  newGroups: release.newIssues,
  commitCount: 0,
  deployCount: 0,
  lastCommit: null,
  lastDeploy: null,
  versionInfo: {
    package: /^([^@]+)@./.exec(release.version)?.[1] ?? null,
    version: { raw: /^[^@]+@(.+)$/.exec(release.version)?.[1] ?? release.version },
    description: shortVersion(release.version),
  },
  projects: release.projects.map((project) => ({ ...project, id: String(project.id) })),
})
