import type { ReleaseStatus } from './ledger/schema.ts'

export interface ReleaseAuthor {
  readonly name: string
  readonly email: string
}

export interface ReleaseCommit {
  readonly id: string
  readonly repository: string | null
  readonly message: string | null
  readonly author: ReleaseAuthor | null
  readonly committedAt: number | null
}

export interface Deploy {
  readonly id: number
  readonly environment: string
  readonly name: string | null
  readonly url: string | null
  readonly startedAt: number | null
  readonly finishedAt: number
}

/** A version of software that events or programs named. Instants are milliseconds since the epoch. */
export interface Release {
  readonly id: number
  readonly version: string
  readonly status: ReleaseStatus
  readonly url: string | null
  readonly ref: string | null
  readonly firstSeenAt: number
  /** Null when no event has named it. */
  readonly lastSeenAt: number | null
  readonly startedAt: number | null
  readonly releasedAt: number | null
  readonly newIssues: number
  readonly regressedIssues: number
  readonly commits: number
  readonly lastCommit: ReleaseCommit | null
  readonly authors: readonly ReleaseAuthor[]
  readonly deploys: number
  readonly lastDeploy: Deploy | null
  /** Where it runs: its deploys that no newer one took the place of, the newest first. */
  readonly currentDeploys: readonly Deploy[]
  readonly projects: readonly {
    readonly id: number
    readonly slug: string
    readonly name: string
    readonly platform: string
    readonly newIssues: number
  }[]
}
