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

/** PORT, what screens read of releases and environments. */
export interface ReleaseView {
  /** Names, in order. Null for all projects of the organisation. */
  environments(organizationId: number, projectIds: readonly number[] | null): Promise<string[]>
  /** By project, in the order of the names: the first `limit` of each. */
  environmentsOf(projectIds: readonly number[], limit: number): Promise<ReadonlyMap<number, readonly string[]>>
  /** Newest first. */
  releases(
    organizationId: number,
    filter: { readonly query: string; readonly projectIds: readonly number[] | null },
    page: { readonly offset: number; readonly limit: number },
  ): Promise<Release[]>
  release(organizationId: number, version: string): Promise<Release | null>
}
