import { countReplays, listReplaySelectors, REPLAYS_COUNTED_MAX } from '@firsthand/contract'
import { readScope } from '../../accounts/index.ts'
import { readTraceId } from '../../event/index.ts'
import { badRequest, bind, orBadRequest, readPage, toPage, type Route } from '../../http/index.ts'
import {
  compileFilter,
  lastDays,
  parseSearch,
  textOf,
  unlessTooLarge,
  type FieldTerm,
  type Period,
  type SearchedTable,
  type SearchNode,
} from '../../search/index.ts'
import { nameOf } from '../element-name.ts'
import { LIMITS } from '../limits.ts'
import { selectorOf } from '../list/selector.ts'
import type { ReplayScope } from '../replay.ts'
import type { Granted, ReplayServices } from '../services.ts'
import type { ReplayCounts, SelectorRecord, SelectorSort } from './counts.view.ts'

interface CountServices extends Pick<ReplayServices, 'clock' | 'projects'>, Granted<{ issues: 'records' }> {
  readonly counts: ReplayCounts
}

/** Sums over many replays, as Sentry's clients ask for them. */
export const createCountRoutes = (services: CountServices): Route[] => [selectorsRoute(services), countRoute(services)]

const COLUMNS: ReadonlyMap<string, SelectorSort['column']> = new Map([
  ['count_dead_clicks', 'deadClicks'],
  ['count_rage_clicks', 'rageClicks'],
])

const ONLY = 'Elements are searched by count_dead_clicks and count_rage_clicks only.'

/** Keys are refused before they are looked up; words are none. */
const SELECTORS: SearchedTable = {
  fieldOf: ({ name }) => ({ kind: 'number', sql: COLUMNS.get(name) ?? 'deadClicks' }),
  words: "''",
  tags: null,
  refuse: ({ name, tag }) => (!tag && COLUMNS.has(name) ? null : ONLY),
}

/** @throws HttpError 400 */
const compileSelectorSearch = (written: string, now: number) => {
  const parsed = parseSearch(written, (name) => COLUMNS.has(name))
  if (!parsed.ok) throw badRequest(parsed.error.message)
  const { root } = parsed.value
  if (root !== null && hasWords(root)) throw badRequest(ONLY)
  const filter = compileFilter(root, SELECTORS, now)
  if (!filter.ok) throw badRequest(filter.error.message)
  return filter.value
}

const hasWords = (node: SearchNode): boolean =>
  node.kind === 'text' || ((node.kind === 'and' || node.kind === 'or') && node.children.some(hasWords))

const selectorJson = (record: SelectorRecord) => ({
  dom_element: selectorOf(record),
  element: {
    alt: record.alt,
    aria_label: record.ariaLabel,
    class: [...record.classes],
    component_name: record.component,
    id: record.id,
    role: record.role,
    tag: record.tag,
    testid: record.testid,
    title: record.title,
    project_id: record.projectId,
  },
  named: nameOf(record, record.words),
  component_name: record.component,
  project_id: record.projectId,
  count_dead_clicks: record.deadClicks,
  count_rage_clicks: record.rageClicks,
})

const selectorsRoute = (services: CountServices): Route =>
  bind(listReplaySelectors, async ({ query, request }) => {
    const now = services.clock.now()
    const organizationId = request.organization.id
    const asked = orBadRequest(await readScope(services, organizationId, query, now))
    const period = asked.period ?? lastDays(now, LIMITS.REPLAY_LIST_DAYS)
    const descending = query.sort.startsWith('-')
    const column = COLUMNS.get(descending ? query.sort.slice(1) : query.sort) ?? 'deadClicks'
    const choice = {
      environments: asked.environments,
      period,
      sort: { column, descending },
      filter: compileSelectorSearch(query.query ?? '', now),
    }
    const page = readPage({ cursor: query.cursor, limit: query.per_page })
    const found = services.counts.selectors({ organizationId, projectIds: asked.projectIds }, choice, page)
    const { rows, page: links } = toPage(await unlessTooLarge(found, period), page)
    return { body: { data: rows.map(selectorJson) }, page: links }
  })

const COUNTED = ['issue.id', 'transaction', 'replay_id'] as const

const isCounted = (node: SearchNode): node is FieldTerm =>
  node.kind === 'field' && (COUNTED as readonly string[]).includes(node.key.name)

const MOST: Readonly<Record<string, number>> = {
  'issue.id': LIMITS.REPLAY_COUNTED_ISSUES,
  transaction: LIMITS.REPLAY_COUNTED_ISSUES,
  replay_id: LIMITS.REPLAY_COUNTED_REPLAYS,
}

/** What is counted by. @throws HttpError 400 */
const readCounted = (
  written: string,
): { readonly key: (typeof COUNTED)[number]; readonly values: readonly string[] } => {
  const parsed = parseSearch(written, (name) => (COUNTED as readonly string[]).includes(name))
  if (!parsed.ok) throw badRequest(parsed.error.message)
  const { root } = parsed.value
  const terms = root === null ? [] : root.kind === 'and' ? root.children : [root]
  const term = terms.find(isCounted)
  const key = COUNTED.find((name) => name === term?.key.name)
  if (key === undefined || term === undefined || terms.length > 1 || term.negated || term.operator !== '=') {
    throw badRequest('Replays are counted by exactly one of issue.id, transaction and replay_id.')
  }
  const values = [...new Set(term.values.map((value) => textOf(value)))]
  const most = MOST[key] ?? 0
  if (values.length > most) throw badRequest(`At most ${most} values of ${key} can be counted at once.`)
  return { key, values }
}

const countRoute = (services: CountServices): Route =>
  bind(countReplays, async ({ query, request }) => {
    const now = services.clock.now()
    const organizationId = request.organization.id
    const asked = orBadRequest(await readScope(services, organizationId, query, now))
    const scope: ReplayScope = { organizationId, projectIds: asked.projectIds }
    const { key, values } = readCounted(query.query ?? '')
    const period = asked.period ?? lastDays(now, LIMITS.REPLAY_COUNT_DAYS)
    const { environments } = asked
    const source = query.data_source
    const found = await unlessTooLarge(
      key === 'replay_id'
        ? existing(services, scope, { values, period })
        : named(services, scope, { key, values, environments, period, source }),
      period,
    )
    const isCount = query.returnIds === undefined || query.returnIds === 'false'
    return {
      body: Object.fromEntries(
        [...found].map(([name, ids]) => [name, isCount ? Math.min(ids.size, REPLAYS_COUNTED_MAX) : [...ids]]),
      ),
    }
  })

type Found = ReadonlyMap<string, ReadonlySet<string>>

/** An id names one replay, whatever its environment is: they are asked for, not searched. */
const existing = async (
  { counts }: CountServices,
  scope: ReplayScope,
  { values, period }: { readonly values: readonly string[]; readonly period: Period },
): Promise<Found> => {
  const ids = values.flatMap((value) => readTraceId(value) ?? [])
  const known = ids.length === 0 ? [] : await counts.existing(scope, ids, period)
  return new Map(known.map((id) => [id, new Set([id])]))
}

const named = async (
  { counts, issues }: CountServices,
  scope: ReplayScope,
  {
    key,
    values,
    environments,
    period,
    source,
  }: {
    readonly source: 'discover' | 'errors' | 'search_issues' | 'spans' | undefined
    readonly key: 'issue.id' | 'transaction'
    readonly values: readonly string[]
    readonly environments: readonly string[]
    readonly period: Period
  },
): Promise<Found> => {
  if (key === 'transaction') {
    const sources = source === 'spans' ? (['spans'] as const) : (['events', 'spans'] as const)
    const found = await Promise.all(
      sources.map((table) => counts.named(scope, { by: 'transaction', values, environments, period, table })),
    )
    return union(found.flat())
  }
  const ids = values.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  if (ids.length === 0) return new Map()
  const records = await issues.records(scope.organizationId, ids)
  const owner = new Map(records.flatMap(({ id, storedIds }) => storedIds.map((stored) => [stored, id] as const)))
  if (owner.size === 0) return new Map()
  const all = [...owner.keys()].map(String)
  const found = await counts.named(scope, { by: 'issue_id', values: all, environments, period, table: 'events' })
  return union(found.map(({ key, replayIds }) => ({ key: String(owner.get(Number(key))), replayIds })))
}

const union = (rows: readonly { readonly key: string; readonly replayIds: readonly string[] }[]): Found => {
  const found = new Map<string, Set<string>>()
  for (const { key, replayIds } of rows) found.set(key, new Set([...(found.get(key) ?? []), ...replayIds]))
  return found
}
