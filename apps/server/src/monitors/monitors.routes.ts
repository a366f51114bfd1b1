import {
  createMonitor,
  deleteMonitor,
  deleteProjectMonitor,
  getMonitor,
  getProjectMonitor,
  listMonitors,
  restoreMonitor,
  updateMonitor,
  updateMonitorEnvironment,
  updateProjectMonitor,
  type BodyOutput,
  type Monitor,
} from '@firsthand/contract'
import type { Accounts } from '../accounts/index.ts'
import { badRequest, bind, conflict, notFound, readPage, toPage, type Route } from '../http/index.ts'
import type { IssueWorkflow } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import { readOwners } from './asked-owners.ts'
import { readSlug } from './check-in.ts'
import { mergeConfig, type MonitorConfig } from './config.ts'
import type { MonitorChange, MonitorChanges } from './ledger/monitor-changes.ts'
import type { MonitorRow } from './ledger/monitor-rows.ts'
import type { Monitors } from './ledger/monitors.ts'
import { configOf } from './ledger/records.ts'
import type { MonitorLookup } from './monitor-lookup.ts'

export interface MonitorParts {
  readonly accounts: Pick<Accounts, 'store'>
  readonly monitors: Monitors
  readonly changes: MonitorChanges
  readonly lookup: MonitorLookup
  readonly findAssignee: IssueWorkflow['assignee']
  readonly clock: Clock
  /** Told whenever people change monitors; for live updates, and for what is due. */
  readonly changed: (organizationId: number, projectId: number) => void
  /** Issues are others than they were. */
  readonly issuesChanged: (organizationId: number, projectId: number) => void
}

const removeEnvironments = async (
  { changed, changes, clock, issuesChanged }: MonitorParts,
  { id, organization_id: organizationId, project_id: projectId }: MonitorRow,
  names: readonly string[],
): Promise<void> => {
  const areIssuesOver = await changes.removeEnvironments(organizationId, id, names, clock.now())
  if (areIssuesOver) issuesChanged(organizationId, projectId)
  changed(organizationId, projectId)
}

/** Monitors over HTTP. */
export const createMonitorRoutes = (parts: MonitorParts): Route[] => {
  const { changed, changes, clock, monitors } = parts

  const { found, one, projectsOf, shown } = parts.lookup

  const change = async (row: MonitorRow, body: Change): Promise<Monitor> => {
    const columns = await readChange(parts, row, body)
    if (!(await changes.change(row.organization_id, row.id, columns, clock.now()))) throw taken(columns.slug ?? '')
    changed(row.organization_id, row.project_id)
    return one(await found(row.organization_id, row.guid))
  }

  const remove = async (row: MonitorRow): Promise<void> => {
    await changes.remove(row.organization_id, row.id, clock.now())
    changed(row.organization_id, row.project_id)
  }

  return [
    bind(listMonitors, async ({ query, request }) => {
      const page = readPage(query)
      const rows = await monitors.list(request.organization.id, {
        ...page,
        projectIds: await projectsOf(request.organization.id, query.project),
        environments: query.environment ?? [],
        text: query.query?.trim() ?? '',
        owners: readOwners(query.owner, request.caller.user.id),
      })
      const { page: links, rows: own } = toPage(rows, page)
      return { body: await shown(request.organization.id, own), page: links }
    }),
    bind(createMonitor, async ({ body, request }) => {
      const { id: organizationId } = request.organization
      const project = await parts.accounts.store.project(organizationId, body.project)
      if (project === null) throw badRequest('There is no such project.', { project: 'There is no such project.' })
      if (body.alert_rule) {
        const detail =
          'A monitor is made without its alert: whoever owns it is told. Leave alert_rule out, and make an alert at rules/ with the category cron.'
        throw badRequest(detail, { alert_rule: detail })
      }
      const slug = body.slug ?? readSlug(body.name)
      if (slug === '') throw badRequest('Give it a slug of letters and digits.', { slug: 'Letters and digits.' })
      const config = orBadConfig(mergeConfig(null, body.config))
      const columns = await readChange(
        parts,
        { organization_id: organizationId, config: '' },
        { ...body, config: undefined, isUpserting: undefined },
      )
      const added = await changes.add(
        organizationId,
        project.id,
        { ...NEW, ...columns, name: body.name, slug, config: JSON.stringify(config) },
        clock.now(),
      )
      if (added === 'taken') throw taken(slug)
      if (added === 'full') throw conflict('The project has as many monitors as it may. Delete one that is not needed.')
      changed(organizationId, project.id)
      return { body: await one(await found(organizationId, added.guid)), status: 201 }
    }),
    bind(getMonitor, async ({ params, query, request }) => ({
      body: await one(await found(request.organization.id, params.monitor, query.project)),
    })),
    bind(getProjectMonitor, async ({ params, request }) => ({
      body: await one(await found(request.organization.id, params.monitor, [params.project])),
    })),
    bind(updateMonitor, async ({ body, params, query, request }) => ({
      body: await change(await found(request.organization.id, params.monitor, query.project), body),
    })),
    bind(updateProjectMonitor, async ({ body, params, request }) => ({
      body: await change(await found(request.organization.id, params.monitor, [params.project]), body),
    })),
    bind(deleteMonitor, async ({ params, query, request }) => {
      const row = await found(request.organization.id, params.monitor, query.project)
      if (query.environment === undefined) await remove(row)
      else await removeEnvironments(parts, row, query.environment)
      return { body: null, status: 202 }
    }),
    bind(deleteProjectMonitor, async ({ params, request }) => {
      await remove(await found(request.organization.id, params.monitor, [params.project]))
      return { body: null, status: 202 }
    }),
    bind(restoreMonitor, async ({ params, request }) => {
      const row = await monitors.find(request.organization.id, params.monitor, null, true)
      if (row === null) throw notFound('It was not deleted, or so long ago that it is gone.')
      await changes.restore(row.organization_id, row.id, clock.now())
      changed(row.organization_id, row.project_id)
      return { body: await one(row) }
    }),
    bind(updateMonitorEnvironment, async ({ body, params, query, request }) => {
      const row = await found(request.organization.id, params.monitor, query.project)
      if (!(await changes.muteEnvironment(row.id, params.environment, body.isMuted))) throw notFound()
      changed(row.organization_id, row.project_id)
      return { body: await one(row) }
    }),
  ]
}

const NEW = {
  is_disabled: 0,
  is_muted: 0,
  muted_until: null,
  mute_windows: '[]',
  owner_user_id: null,
  owner_team_id: null,
} as const

type Change = BodyOutput<typeof updateMonitor>

const taken = (slug: string): Error => conflict(`The project has a monitor with the slug "${slug}" already.`)

const orBadConfig = (config: ReturnType<typeof mergeConfig>): MonitorConfig => {
  if (!config.ok) throw badRequest(config.error, { config: config.error })
  return config.value
}

/** @throws HttpError 400 */
const readChange = async (
  { findAssignee }: Pick<MonitorParts, 'findAssignee'>,
  before: Pick<MonitorRow, 'organization_id' | 'config'>,
  body: Change,
): Promise<MonitorChange> => {
  const {
    config,
    isUpserting,
    is_muted: isMutedInSnakes,
    isMuted = isMutedInSnakes,
    mutedUntil,
    muteWindows,
    name,
    owner,
    slug,
    status,
  } = body
  const until = mutedUntil === undefined || mutedUntil === null ? null : Date.parse(mutedUntil)
  if (until !== null && Number.isNaN(until)) throw badRequest('mutedUntil is no date.', { mutedUntil: 'No date.' })
  return {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(isUpserting === undefined ? {} : { source: isUpserting ? 'sdk' : 'person' }),
    ...(status === undefined ? {} : { is_disabled: status === 'disabled' ? 1 : 0 }),
    ...(isMuted === undefined ? {} : { is_muted: isMuted ? 1 : 0, muted_until: isMuted ? until : null }),
    ...(muteWindows === undefined ? {} : { mute_windows: JSON.stringify(muteWindows) }),
    ...(owner === undefined ? {} : await readOwner(findAssignee, before.organization_id, owner)),
    ...(config === undefined
      ? {}
      : {
          config: JSON.stringify(orBadConfig(mergeConfig(configOf(before.config), config))),
          config_error: '',
        }),
  }
}

const readOwner = async (
  findAssignee: MonitorParts['findAssignee'],
  organizationId: number,
  text: string | null,
): Promise<Pick<MonitorChange, 'owner_team_id' | 'owner_user_id'>> => {
  if (text === null || text === '') return { owner_user_id: null, owner_team_id: null }
  const [, type, id = ''] = /^(user|team):(\d{1,15})$/.exec(text) ?? []
  const owner =
    type === undefined
      ? null
      : await findAssignee(
          organizationId,
          type === 'team' ? { kind: 'team', reference: id } : { kind: 'user', id: Number(id) },
        )
  if (owner === null) {
    const detail = `"${text}" is neither a member (user:1) nor a team (team:2) of this organisation.`
    throw badRequest(detail, { owner: detail })
  }
  return owner.type === 'team'
    ? { owner_user_id: null, owner_team_id: owner.id }
    : { owner_user_id: owner.id, owner_team_id: null }
}
