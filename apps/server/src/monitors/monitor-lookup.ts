import type { Actor, Monitor } from '@firsthand/contract'
import type { Accounts } from '../accounts/index.ts'
import { notFound } from '../http/index.ts'
import type { IssueWorkflow } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { MonitorRow } from './ledger/monitor-rows.ts'
import type { Monitors } from './ledger/monitors.ts'
import type { RunsView } from './ledger/runs-view.ts'
import { LIMITS } from './limits.ts'
import { monitorJson } from './monitor-json.ts'

/** How routes find monitors, and show them. */
export interface LookupParts {
  readonly accounts: Pick<Accounts, 'store' | 'projects'>
  readonly monitors: Monitors
  readonly runs: RunsView
  readonly findAssignee: IssueWorkflow['assignee']
  readonly clock: Clock
}

export type MonitorLookup = ReturnType<typeof createMonitorLookup>

export const createMonitorLookup = (parts: LookupParts) => {
  const { clock, monitors, runs } = parts

  const projectsOf = async (organizationId: number, named: readonly string[] | undefined) => {
    if (named === undefined || named.includes('-1')) return null
    const ids = await parts.accounts.projects.resolve(organizationId, named)
    if (ids === null) throw notFound('There is no such project in this organisation.')
    return ids
  }

  const found = async (organizationId: number, monitor: string, project?: readonly string[]): Promise<MonitorRow> => {
    const row = await monitors.find(organizationId, monitor, await projectsOf(organizationId, project))
    if (row === null) throw notFound('There is no such monitor in this organisation.')
    return row
  }

  const ownersOf = async (organizationId: number, rows: readonly MonitorRow[]): Promise<ReadonlyMap<string, Actor>> => {
    const owners = new Map<string, Actor>()
    for (const row of rows) {
      const reference = referenceOf(row)
      if (reference === null || owners.has(ownerKey(row))) continue
      const owner = await parts.findAssignee(organizationId, reference)
      if (owner === null) continue
      const { id, name, type } = owner
      owners.set(ownerKey(row), { type, id: String(id), name, ...(type === 'team' ? { slug: owner.slug } : {}) })
    }
    return owners
  }

  const shown = async (organizationId: number, rows: readonly MonitorRow[]): Promise<Monitor[]> => {
    const environments = await runs.environments(rows.map(({ id }) => id))
    const [running, late, typical, owners, full] = await Promise.all([
      runs.running(environments.map(({ id }) => id)),
      runs.lateSince(environments),
      Promise.all(environments.map(async ({ id }) => [id, await runs.typicalDuration(id)] as const)),
      ownersOf(organizationId, rows),
      runs.fullProjects(rows.map((row) => row.project_id)),
    ])
    const durations = new Map(typical)
    const byMonitor = Map.groupBy(environments, (row) => row.monitor_id)
    return rows.map((row) => {
      const own = byMonitor.get(row.id) ?? []
      return monitorJson(
        row,
        own.map((environment) => ({
          row: environment,
          runningSince: running.get(environment.id) ?? null,
          lateSince: late.get(environment.id) ?? null,
          typicalDuration: durations.get(environment.id) ?? null,
        })),
        {
          owner: owners.get(ownerKey(row)) ?? null,
          isFull: full.has(row.project_id) || own.length >= LIMITS.MONITOR_ENVIRONMENTS,
          now: clock.now(),
        },
      )
    })
  }

  const one = async (row: MonitorRow): Promise<Monitor> => {
    const [body] = await shown(row.organization_id, [row])
    if (body === undefined) throw notFound()
    return body
  }

  return { projectsOf, found, shown, one }
}

const ownerKey = (row: MonitorRow): string => `${row.owner_user_id} ${row.owner_team_id}`

const referenceOf = (row: Pick<MonitorRow, 'owner_team_id' | 'owner_user_id'>) => {
  if (row.owner_team_id !== null) return { kind: 'team', reference: String(row.owner_team_id) } as const
  return row.owner_user_id === null ? null : ({ kind: 'user', id: row.owner_user_id } as const)
}
