import type { EventScope } from '../../issues/events.view.ts'

/** A `WHERE` over `events` with its parameters. Always names organisation and projects. */
export interface ScopeSql {
  readonly where: string
  readonly params: Readonly<Record<string, unknown>>
}

export const scopeSql = (scope: EventScope): ScopeSql => {
  const { organizationId, projectIds, issueIds, period, environments, filter } = scope
  const conditions = ['events.organization_id = {organization:UInt32}', 'events.project_id IN {projects:Array(UInt64)}']
  const params: Record<string, unknown> = { ...filter?.params, organization: organizationId, projects: projectIds }
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
  if (filter !== null && filter.sql !== '1') conditions.push(`(${filter.sql})`)
  return { where: conditions.join('\n  AND '), params }
}
