import type { Counts } from '../counts.ts'
import type { Share } from './adoption.ts'

/** A release in one environment of one project. */
export interface EnvironmentShare extends Share {
  readonly projectId: number
  readonly environment: string
  /** On a whole day before, it was in use there. */
  readonly wasAdopted: boolean
}

/** What sessions say of a release. */
export interface ReleaseHealth {
  readonly version: string
  readonly counts: Counts
  readonly day: Share
  /** Those with a name in which it ran in the last day, the most sessions first, then those in which it was in use before. */
  readonly environments: readonly EnvironmentShare[]
}
