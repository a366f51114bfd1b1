import {
  createUptimeCheck,
  deleteUptimeCheck,
  getUptimeCheck,
  getUptimeTimelines,
  listUptimeChecks,
  listUptimeResults,
  restoreUptimeCheck,
  tryUptimeCheck,
  updateUptimeCheck,
  type BodyOutput,
  type UptimeCheck as CheckJson,
} from '@firsthand/contract'
import { HOUR_MS } from '../lib/durations.ts'
import type { Accounts } from '../accounts/index.ts'
import {
  badRequest,
  bind,
  conflict,
  notFound,
  readMomentPage,
  readPage,
  toMomentPage,
  toPage,
  type Route,
} from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import { explainFailure, type Outgoing } from '../lib/outgoing.ts'
import { readStatuses } from './judge.ts'
import type { CheckChange, Checks } from './ledger/checks.ts'
import { askedOf, type CheckRow } from './ledger/records.ts'
import type { Results } from './ledger/results.ts'
import { askOnce } from './runner.ts'
import { readBody, readHeaders, type SealedCheck, type Secrets } from './secrets.ts'
import { cellsOf, resultJson } from './uptime-json.ts'

export interface UptimeParts {
  readonly accounts: Pick<Accounts, 'store' | 'projects'>
  readonly checks: Checks
  readonly results: Results
  readonly outgoing: Pick<Outgoing, 'judge' | 'send'>
  readonly secrets: Secrets
  readonly clock: Clock
  /** Told whenever people change checks. */
  readonly changed: (organizationId: number, projectId: number) => void
}

/** Uptime checks over HTTP. */
export const createUptimeRoutes = (parts: UptimeParts): Route[] => [
  ...createCheckRoutes(parts),
  ...createResultRoutes(parts),
]

const findIn =
  ({ checks }: Pick<UptimeParts, 'checks'>) =>
  async (organizationId: number, guid: string): Promise<CheckRow> => {
    const row = await checks.find(organizationId, guid)
    if (row === null) throw notFound('There is no such check in this organisation.')
    return row
  }

const createCheckRoutes = (parts: UptimeParts): Route[] => {
  const { accounts, changed, checks, clock, results } = parts
  const found = findIn(parts)
  const shown = async (row: CheckRow): Promise<CheckJson> => checkJson(row, await results.typical(row.id))
  return [
    bind(listUptimeChecks, async ({ query, request }) => {
      const page = readPage(query)
      const isOfSome = query.project !== undefined && !query.project.includes('-1')
      const projectIds = isOfSome ? await accounts.projects.resolve(request.organization.id, query.project ?? []) : null
      if (isOfSome && projectIds === null) throw notFound('There is no such project in this organisation.')
      const rows = await checks.list(request.organization.id, { ...page, projectIds })
      const { page: links, rows: own } = toPage(rows, page)
      return { body: await Promise.all(own.map(shown)), page: links }
    }),
    bind(createUptimeCheck, async ({ body, request }) => {
      const { id: organizationId } = request.organization
      const project = await accounts.store.project(organizationId, body.project)
      if (project === null) throw badRequest('There is no such project.', { project: 'There is no such project.' })
      const change = await readChange(parts, { organizationId, asked: DEFAULT }, body)
      const guid = await checks.add(
        organizationId,
        project.id,
        { ...NEW, name: new URL(body.url).host, asked: JSON.stringify(DEFAULT), ...change },
        clock.now(),
      )
      if (guid === null) throw conflict('The organisation has as many checks as it may. Delete one that is not needed.')
      changed(organizationId, project.id)
      return { body: await shown(await found(organizationId, guid)), status: 201 }
    }),
    bind(getUptimeCheck, async ({ params, request }) => ({
      body: await shown(await found(request.organization.id, params.check)),
    })),
    bind(updateUptimeCheck, async ({ body, params, request }) => {
      const row = await found(request.organization.id, params.check)
      const before = { organizationId: row.organization_id, asked: askedOf(row) }
      await checks.change(row.organization_id, row.id, await readChange(parts, before, body), clock.now())
      changed(row.organization_id, row.project_id)
      return { body: await shown(await found(request.organization.id, params.check)) }
    }),
    bind(deleteUptimeCheck, async ({ params, request }) => {
      const row = await found(request.organization.id, params.check)
      await checks.remove(row.organization_id, row.id, clock.now())
      changed(row.organization_id, row.project_id)
      return { body: null, status: 202 }
    }),
    bind(restoreUptimeCheck, async ({ params, request }) => {
      const row = await checks.find(request.organization.id, params.check, true)
      if (row === null) throw notFound('It was not deleted, or so long ago that it is gone.')
      await checks.restore(row.organization_id, row.id, clock.now())
      changed(row.organization_id, row.project_id)
      return { body: await shown(await found(request.organization.id, params.check)) }
    }),
  ]
}

const createResultRoutes = (parts: UptimeParts): Route[] => {
  const { clock, outgoing, results } = parts
  const found = findIn(parts)
  return [
    bind(listUptimeResults, async ({ params, query, request }) => {
      const page = readMomentPage(query)
      const row = await found(request.organization.id, params.check)
      const { page: links, rows } = toMomentPage(await results.list(row.id, page), page, ({ at, id }) => ({ at, id }))
      return { body: rows.map(resultJson), page: links }
    }),
    bind(getUptimeTimelines, async ({ query, request }) => {
      const until = clock.now()
      const partMs = Math.ceil((query.hours * HOUR_MS) / query.parts)
      const from = until - partMs * query.parts
      const rows = await Promise.all(
        [...new Set(query.check)].map((guid) => parts.checks.find(request.organization.id, guid)),
      )
      const own = rows.filter((row) => row !== null)
      const byCheck = Map.groupBy(
        await results.parts(
          own.map(({ id }) => id),
          { from, until, partMs },
        ),
        ({ checkId }) => checkId,
      )
      return {
        body: {
          start: toDate(from),
          end: toDate(until),
          parts: query.parts,
          lines: own.map(({ guid, id }) => ({ check: guid, cells: cellsOf(byCheck.get(id) ?? []) })),
        },
      }
    }),
    bind(tryUptimeCheck, async ({ body, request }) => {
      const { id: organizationId } = request.organization
      const before = body.check === undefined ? DEFAULT : askedOf(await found(organizationId, body.check))
      const { asked = JSON.stringify(before) } = await readChange(parts, { organizationId, asked: before }, body)
      const check = parts.secrets.open(organizationId, askedOf({ asked }))
      const { answer, failure } = await askOnce(outgoing.send, check, request.signal)
      return {
        body: {
          failure: failure?.kind ?? null,
          reason: failure?.reason ?? null,
          httpStatus: answer?.status ?? null,
          totalMs: answer?.times.total ?? null,
        },
      }
    }),
  ]
}

const DEFAULT: SealedCheck = {
  url: '',
  method: 'GET',
  headers: [],
  sealedBody: '',
  timeoutMs: 10_000,
  statuses: '200-299',
  textPresent: '',
  textAbsent: '',
  jsonPath: '',
  jsonValue: '',
  latencyMs: null,
}

const NEW = {
  environment: 'production',
  interval_seconds: 60,
  failures_needed: 3,
  oks_needed: 1,
  is_disabled: 0,
  is_muted: 0,
} as const

type Change = BodyOutput<typeof updateUptimeCheck>

const JUDGE_MS = 5000

/** @throws HttpError 400 for an address that may not be asked */
const readChange = async (
  { outgoing, secrets }: Pick<UptimeParts, 'outgoing' | 'secrets'>,
  { asked: before, organizationId }: { readonly organizationId: number; readonly asked: SealedCheck },
  body: Change,
): Promise<CheckChange> => {
  const { downtimeThreshold, environment, intervalSeconds, isMuted, name, recoveryThreshold, status } = body
  const url = body.url ?? before.url
  const sealing = { url, sealed: (value: string) => secrets.seal(organizationId, value) }
  const asked: SealedCheck = {
    ...readAsked(before, body),
    headers: readHeaders(before, body.headers, sealing),
    sealedBody: readBody(before, body.body, sealing),
  }
  if (body.url !== undefined) {
    const judged = await outgoing.judge(body.url, { timeoutMs: JUDGE_MS })
    // A name that has no address yet may get one.
    if (!judged.ok && judged.error.why !== 'unknown_host' && judged.error.why !== 'too_slow') {
      const detail = explainFailure(judged.error)
      throw badRequest(detail, { url: detail })
    }
  }
  if (readStatuses(asked.statuses) === null) {
    const detail = 'Statuses are written like 200-299, 401.'
    throw badRequest(detail, { statuses: detail })
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(environment === undefined ? {} : { environment }),
    ...(intervalSeconds === undefined ? {} : { interval_seconds: intervalSeconds }),
    ...(downtimeThreshold === undefined ? {} : { failures_needed: downtimeThreshold }),
    ...(recoveryThreshold === undefined ? {} : { oks_needed: recoveryThreshold }),
    ...(status === undefined ? {} : { is_disabled: status === 'disabled' ? 1 : 0 }),
    ...(isMuted === undefined ? {} : { is_muted: isMuted ? 1 : 0 }),
    ...(JSON.stringify(asked) === JSON.stringify(before) ? {} : { asked: JSON.stringify(asked) }),
  }
}

const readAsked = (before: SealedCheck, body: Change): Omit<SealedCheck, 'headers' | 'sealedBody'> => ({
  url: body.url ?? before.url,
  method: body.method ?? before.method,
  timeoutMs: body.timeoutMs ?? before.timeoutMs,
  statuses: body.statuses ?? before.statuses,
  textPresent: body.textPresent ?? before.textPresent,
  textAbsent: body.textAbsent ?? before.textAbsent,
  jsonPath: body.jsonPath ?? before.jsonPath,
  jsonValue: body.jsonValue ?? before.jsonValue,
  latencyMs: body.latencyMs === undefined ? before.latencyMs : body.latencyMs,
})

const dateOrNull = (at: number | null): string | null => (at === null ? null : toDate(at))

const checkJson = (row: CheckRow, typicalMs: number | null): CheckJson => {
  const { headers, sealedBody, ...asked } = askedOf(row)
  return {
    id: row.guid,
    name: row.name,
    project: {
      id: String(row.project_id),
      slug: row.project_slug,
      name: row.project_name,
      platform: row.project_platform,
    },
    projectSlug: row.project_slug,
    environment: row.environment,
    status: row.is_disabled === 1 ? 'disabled' : 'active',
    isMuted: row.is_muted === 1,
    uptimeStatus: row.status as CheckJson['uptimeStatus'],
    ...asked,
    headers: headers.map(([name]): [string, null] => [name, null]),
    hasBody: sealedBody !== '',
    intervalSeconds: row.interval_seconds,
    downtimeThreshold: row.failures_needed,
    recoveryThreshold: row.oks_needed,
    dateCreated: toDate(row.created_at),
    lastChecked: dateOrNull(row.last_asked_at),
    nextCheck: dateOrNull(row.next_at),
    downSince: row.status === 'down' ? dateOrNull(row.incident_since) : null,
    lastFailure: row.last_failure === '' ? null : row.last_failure,
    typicalMs,
    certificateEndsAt: dateOrNull(row.certificate_ends_at),
  }
}
