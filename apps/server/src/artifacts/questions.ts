import type { Question } from '../lib/questions.ts'

/** A release that an upload names: whoever keeps releases makes it, should it not be there. */
export interface NamedRelease {
  readonly organizationId: number
  readonly version: string
  readonly projectIds: readonly number[]
  readonly now: number
}

export const RELEASE_NAMED: Question<NamedRelease, null> = { name: 'a release that an upload names', otherwise: null }
