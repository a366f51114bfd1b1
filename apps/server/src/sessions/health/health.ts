import type { Counts } from '../counts.ts'
import type { Share } from './adoption.ts'

/** A release in one environment of one project. */
export interface EnvironmentShare extends Share {
  readonly projectId: number
  readonly environment: string
}

/** What sessions say of a release in one project. */
export interface ProjectHealth {
  readonly projectId: number
  readonly counts: Counts
  readonly day: Share
}

/** What sessions say of a release. */
export interface ReleaseHealth {
  readonly version: string
  readonly counts: Counts
  readonly day: Share
  /** Those in which it ran in the last day and that have a name, the most sessions first. */
  readonly environments: readonly EnvironmentShare[]
  /** Those in which it ran. */
  readonly projects: readonly ProjectHealth[]
}
