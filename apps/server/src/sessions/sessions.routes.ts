import { querySessions } from '@firsthand/contract'
import { readScope, type ProjectReference } from '../accounts/index.ts'
import { bind, readPage, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import { orUnanswerable, Unanswerable } from '../lib/unanswerable.ts'
import { lastDays } from '../search/index.ts'
import { NOTHING, type Condition, type Counts } from './counts.ts'
import { conditionsOf, FIELD_NAMES, fieldNamed, type SessionField } from './fields.ts'
import { readIntervals } from './intervals.ts'
import { LIMITS } from './limits.ts'
import { compileSessionSearch } from './sessions-search.ts'
import {
  GROUP_KEYS,
  type CountedSessions,
  type GroupKey,
  type SessionCounter,
  type SessionGroup,
} from './telemetry/count-sessions.ts'

export interface SessionServices {
  readonly sessions: SessionCounter
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
}

const USUAL_DAYS = 90
const STATUS = 'session.status'

/** @throws Unanswerable */
const readFields = (names: readonly string[], byStatus: boolean): readonly SessionField[] =>
  [...new Set(names)].map((name) => {
    const field = fieldNamed(name)
    if (field === undefined) {
      throw new Unanswerable(`Sessions have no field "${name}". Ask for ${FIELD_NAMES.join(', ')}.`)
    }
    if (byStatus && field.isShare === true) {
      throw new Unanswerable(`"${name}" is a share of all sessions: it cannot be grouped by ${STATUS}.`)
    }
    return field
  })

/** @throws Unanswerable */
const readGroupBy = (names: readonly string[]): readonly GroupKey[] => {
  const unknown = names.find((name) => name !== STATUS && !GROUP_KEYS.some((key) => key === name))
  if (unknown !== undefined) {
    throw new Unanswerable(`Sessions cannot be grouped by "${unknown}", but by ${[...GROUP_KEYS, STATUS].join(', ')}.`)
  }
  return GROUP_KEYS.filter((key) => names.includes(key))
}

/** @throws Unanswerable */
const sorted = (
  groups: readonly SessionGroup[],
  orderBy: string | undefined,
  fields: readonly SessionField[],
): readonly SessionGroup[] => {
  if (orderBy === undefined) return groups
  const isDown = orderBy.startsWith('-')
  const field = fields.find(({ name }) => name === (isDown ? orderBy.slice(1) : orderBy))
  if (field === undefined)
    throw new Unanswerable(`"orderBy" is one of the fields that are asked for: ${orderBy} is none.`)
  // What has no number comes last, whichever way.
  const valueOf = ({ counts }: SessionGroup): number => field.of(counts, null) ?? (isDown ? -Infinity : Infinity)
  return groups.toSorted((one, other) => (isDown ? valueOf(other) - valueOf(one) : valueOf(one) - valueOf(other)) || 0)
}

const valuesOf = (fields: readonly SessionField[], counts: Counts, condition: Condition | null) =>
  Object.fromEntries(fields.map((field) => [field.name, field.of(counts, condition)]))

/** Ids are numbers in the groups of Sentry. */
const byOf = ({ project, ...by }: SessionGroup['by']) =>
  project === undefined ? by : { project: Number(project), ...by }

/** How many sessions there were, how they ended, and how many people had them, in the shape of Sentry's API. */
export const createSessionRoutes = ({ sessions, projects, clock }: SessionServices): Route[] => [
  bind(querySessions, async ({ query, request }) => {
    const organizationId = request.organization.id
    const now = clock.now()
    if (query.statsPeriod !== undefined && (query.start !== undefined || query.end !== undefined)) {
      throw new Unanswerable('Use either statsPeriod or start and end, not both.')
    }
    const scope = orUnanswerable(await readScope({ projects }, organizationId, query, now))
    const endsNow = query.start === undefined && query.end === undefined
    const { from, to } = scope.period ?? lastDays(now, USUAL_DAYS)
    const { buckets, period } = readIntervals(query.interval, { from, to: endsNow ? now : to }, endsNow)
    const names = query.groupBy ?? []
    const byStatus = names.includes(STATUS)
    const fields = readFields(query.field, byStatus)
    const asked: CountedSessions = {
      organizationId,
      projectIds: scope.projectIds,
      environments: scope.environments,
      period,
      filter: orUnanswerable(compileSessionSearch(query.query ?? '', scope.projects, now)),
      groupBy: readGroupBy(names),
      withDurations: fields.some(({ needsDurations }) => needsDurations === true),
    }
    const found = await sessions.groups(asked)
    const all = asked.groupBy.length === 0 && found.length === 0 ? [{ id: '', by: {}, counts: NOTHING }] : found
    const withSeries = query.includeSeries !== false
    const asManyAs = Math.max(1, Math.floor(LIMITS.SESSION_SERIES_POINTS / buckets.count))
    const wanted = readPage({ cursor: query.cursor, limit: query.per_page })
    const asPage = { ...wanted, limit: withSeries ? Math.min(wanted.limit, asManyAs) : wanted.limit }
    const inOrder = sorted(all, query.orderBy, fields)
    const { page, rows } = toPage(inOrder.slice(asPage.offset, asPage.offset + asPage.limit + 1), asPage)
    const ids = rows.map(({ id }) => id)
    const steps = withSeries ? Map.groupBy(await sessions.steps(asked, buckets, ids), ({ id }) => id) : new Map()
    const groupJson = ({ by, counts, id }: SessionGroup, condition: Condition | null) => {
      const own: ReadonlyMap<number, Counts> = new Map(
        (steps.get(id) ?? []).map((one: { step: number; counts: Counts }) => [one.step, one.counts]),
      )
      const series = (field: SessionField): readonly (number | null)[] =>
        Array.from({ length: buckets.count }, (_, step) => field.of(own.get(step) ?? NOTHING, condition))
      return {
        by: { ...byOf(by), ...(condition === null ? {} : { [STATUS]: condition }) },
        ...(query.includeTotals === false ? {} : { totals: valuesOf(fields, counts, condition) }),
        ...(withSeries ? { series: Object.fromEntries(fields.map((field) => [field.name, [...series(field)]])) } : {}),
      }
    }
    return {
      page,
      body: {
        start: toDate(period.from),
        end: toDate(period.to),
        query: query.query ?? '',
        intervals: Array.from({ length: buckets.count }, (_, step) =>
          toDate((buckets.start + step * buckets.interval) * 1000),
        ),
        groups: rows.flatMap((group) =>
          byStatus
            ? conditionsOf(group.counts).map((condition) => groupJson(group, condition))
            : [groupJson(group, null)],
        ),
      },
    }
  }),
]
