import type { EventScope } from '../events.view.ts'

/** A statement with its parameters; answers its rows. */
export type Query = <Row>(sql: string, params: Readonly<Record<string, unknown>>) => Promise<Row[]>

/** A `WHERE` over `events` with its parameters. Always names the projects. */
export interface ScopeSql {
  readonly where: string
  readonly params: Readonly<Record<string, unknown>>
}

export const scopeSql = (scope: EventScope): ScopeSql => {
  const narrow = narrowScopeSql(scope)
  const { filter } = scope
  const conditions = ['events.organization_id = {organization:UInt32}', narrow.where]
  if (filter !== null && filter.sql !== '1') conditions.push(`(${filter.sql})`)
  return {
    where: conditions.join('\n  AND '),
    params: { ...filter?.params, ...narrow.params, organization: scope.organizationId },
  }
}

/** The same, of what was sent: errors are counted without what Firsthand found in spans. */
export const sentScopeSql = (scope: EventScope): ScopeSql => {
  const { where, params } = scopeSql(scope)
  return { where: `${where}\n  AND events.type != 'generic'`, params }
}

/** Parts of the projection `by_issue`, as a table named `events`: it sees every row of `events`, with few columns. */
export const NARROW_EVENTS = "mergeTreeProjection(currentDatabase(), 'events', 'by_issue') AS events"

/** Different users that narrow rows tell of: `user_hash` of an event without a user is that of ''. */
export const NARROW_USERS = "uniqCombinedIf(14)(events.user_hash, events.user_hash != cityHash64(''))"

/**
 * A scope over `NARROW_EVENTS`; its filter is the caller's concern. The projects alone say which organisation is meant
 * (a project has one, and the caller has looked them up there): each more column of the condition costs milliseconds.
 */
export const narrowScopeSql = (scope: Omit<EventScope, 'filter' | 'organizationId'>): ScopeSql => {
  const { projectIds, issueIds, period, environments } = scope
  const conditions = ['events.project_id IN {projects:Array(UInt64)}']
  const params: Record<string, unknown> = { projects: projectIds }
  if (issueIds !== null) {
    conditions.push('events.issue_id IN {issues:Array(UInt64)}')
    params['issues'] = issueIds
  }
  if (period !== null) {
    conditions.push(
      'events.timestamp >= fromUnixTimestamp64Milli({from:Int64})',
      'events.timestamp < fromUnixTimestamp64Milli({to:Int64})',
    )
    params['from'] = period.from
    params['to'] = period.to
  }
  if (environments.length > 0) {
    conditions.push('events.environment IN {environments:Array(String)}')
    params['environments'] = environments
  }
  return { where: conditions.join('\n  AND '), params }
}
