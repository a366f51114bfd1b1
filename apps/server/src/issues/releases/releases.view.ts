/** A version of software that events named. */
export interface Release {
  readonly id: number
  readonly version: string
  /** These are milliseconds since the epoch. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly releasedAt: number | null
  readonly newIssues: number
  readonly projects: readonly {
    readonly id: number
    readonly slug: string
    readonly name: string
    readonly platform: string
  }[]
}
