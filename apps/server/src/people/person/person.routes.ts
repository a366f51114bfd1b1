import {
  findPeople,
  getPerson,
  listPersonEntries,
  PERSON_ENTRIES,
  type FoundPerson,
  type PersonDetail,
} from '@firsthand/contract'
import { chooseProjects, type ProjectReference } from '../../accounts/index.ts'
import { badRequest, bind, orBadRequest, type Route } from '../../http/index.ts'
import { standingIssues, type IssueView } from '../../issues/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { toDate } from '../../lib/instant-text.ts'
import { lastDays, readPeriod, unlessTooLarge, type Period, type PeriodQuery } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import { readEntries } from './entries.ts'
import { readPerson, type PersonSources } from './sources.ts'
import { pageOfTime, readTimeCursor } from './timeline.ts'

export interface PersonParts {
  readonly sources: PersonSources
  readonly issues: Pick<IssueView, 'merges' | 'records'>
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
}

interface AskedAbout extends PeriodQuery {
  readonly project?: readonly string[] | undefined
}

/** All that one person ran into and said. */
export const createPersonRoutes = (parts: PersonParts): Route[] => [
  findRoute(parts),
  personRoute(parts),
  timelineRoute(parts),
]

const readScope = async ({ projects, clock }: PersonParts, organizationId: number, asked: AskedAbout) => {
  const now = clock.now()
  const period: Period = orBadRequest(readPeriod(asked, now)) ?? lastDays(now, LIMITS.PERSON_DAYS)
  const chosen = orBadRequest(chooseProjects(await projects(organizationId), asked.project))
  return { organizationId, period, projects: chosen, projectIds: chosen.map(({ id }) => id) }
}

const findRoute = (parts: PersonParts): Route =>
  bind(findPeople, async ({ query, request }) => {
    const { organizationId, period, projectIds } = await readScope(parts, request.organization.id, {
      project: query.project,
    })
    const asked = { organizationId, projectIds, text: query.query, from: period.from, limit: LIMITS.PEOPLE_FOUND }
    const [seen, wrote] = await Promise.all([
      unlessTooLarge(parts.sources.errors.find({ ...asked, seconds: LIMITS.PERSON_READ_SECONDS }), period),
      parts.sources.reports.find(asked),
    ])
    const found = new Map<string, FoundPerson>()
    for (const { user, name, email, lastAt } of [...seen, ...wrote].toSorted(
      (one, other) => other.lastAt - one.lastAt,
    )) {
      const known = found.get(user)
      found.set(user, {
        user,
        name: known?.name || name,
        email: known?.email || email,
        lastSeen: known?.lastSeen ?? toDate(lastAt),
      })
    }
    return { body: [...found.values()].slice(0, LIMITS.PEOPLE_FOUND) }
  })

const personRoute = (parts: PersonParts): Route =>
  bind(getPerson, async ({ query, request }) => {
    const { sources } = parts
    const scope = await readScope(parts, request.organization.id, query)
    const { period } = scope
    const seconds = LIMITS.PERSON_READ_SECONDS
    const { names, errors, reports } = await unlessTooLarge(readPerson(sources, scope, query.user), period)
    const asked = { ...scope, ...names }
    const [replays, transactions, logs, byIssue, byDay, told] = await unlessTooLarge(
      Promise.all([
        sources.replays.count(asked, seconds),
        sources.transactions.count(asked, seconds),
        sources.lines.count(asked, seconds),
        sources.errors.byIssue(asked, { issues: LIMITS.PERSON_ISSUES, seconds }),
        sources.errors.byDay(asked, seconds),
        sources.reports.countTold(asked),
      ]),
      period,
    )
    const counted = [errors, reports, replays, transactions, logs]
    const firsts = counted.flatMap(({ firstAt }) => firstAt ?? [])
    const lasts = counted.flatMap(({ lastAt }) => lastAt ?? [])
    const seenIn = new Set([...errors.projectIds, ...reports.projectIds])
    const detail: PersonDetail = {
      user: query.user,
      name: reports.name || (errors.names[0] ?? ''),
      email: reports.email || (names.emails[0] ?? ''),
      alsoKnownAs: names.keys.filter((key) => key !== query.user),
      firstSeen: firsts.length === 0 ? null : toDate(Math.min(...firsts)),
      lastSeen: lasts.length === 0 ? null : toDate(Math.max(...lasts)),
      counts: {
        errors: errors.count,
        reports: reports.count,
        replays: replays.count,
        transactions: transactions.count,
        logs: logs.count,
        told,
      },
      days: daysOf(byDay, reports.moments),
      issues: await issuesJson(parts, scope.organizationId, byIssue),
      uses: Object.entries(errors.uses).flatMap(([key, values]) =>
        values.length === 0 ? [] : [{ key, values: [...values] }],
      ),
      projects: scope.projects
        .filter(({ id }) => seenIn.has(id))
        .map(({ id, name, slug }) => ({ id: String(id), name, slug })),
    }
    return { body: detail }
  })

/** Days of UTC on which something is known of them. */
const daysOf = (
  errors: readonly { readonly day: number; readonly count: number }[],
  reports: readonly number[],
): PersonDetail['days'] => {
  const written = Map.groupBy(reports, (at) => (Math.floor(at / DAY_MS) * DAY_MS) / 1000)
  const ranInto = new Map(errors.map(({ day, count }) => [day, count]))
  const days = [...new Set([...written.keys(), ...ranInto.keys()])].toSorted((one, other) => one - other)
  return days.map((day) => {
    const [ran, wrote] = [ranInto.get(day) ?? 0, written.get(day)?.length ?? 0]
    return [day, ran, wrote, ran + wrote]
  })
}

const issuesJson = async (
  { issues }: PersonParts,
  organizationId: number,
  byIssue: readonly { readonly storedIssueId: number; readonly count: number }[],
): Promise<PersonDetail['issues']> => {
  const standing = await standingIssues(
    issues,
    organizationId,
    byIssue.map(({ storedIssueId }) => storedIssueId),
  )
  const counts = new Map<number, PersonDetail['issues'][number]>()
  for (const { storedIssueId, count } of byIssue) {
    const record = standing.get(storedIssueId)
    if (record === undefined) continue
    const { id, shortId, title, status, level } = record
    const before = counts.get(id)?.count ?? 0
    counts.set(id, { id: String(id), shortId, title, status, level, count: before + count })
  }
  return [...counts.values()].toSorted((one, other) => other.count - one.count)
}

const timelineRoute = (parts: PersonParts): Route =>
  bind(listPersonEntries, async ({ query, request }) => {
    const scope = await readScope(parts, request.organization.id, query)
    const { period } = scope
    const given = query.cursor ?? ''
    const cursor = given === '' ? { at: period.to, passed: 0 } : readTimeCursor(given, LIMITS.PERSON_SAME_MOMENT)
    if (cursor === null) throw badRequest('The cursor is not one that this list gave out. Start without it.')
    const limit = Math.min(query.limit ?? LIMITS.PERSON_ENTRIES, LIMITS.PERSON_ENTRIES)
    const { names } = await unlessTooLarge(readPerson(parts.sources, scope, query.user), period)
    const entries = await unlessTooLarge(
      readEntries(parts, scope.projects, {
        ...scope,
        ...names,
        period: { from: period.from, to: Math.min(period.to, cursor.at) },
        limit: limit + cursor.passed + 1,
        kinds: query.kind ?? PERSON_ENTRIES,
      }),
      period,
    )
    const { page, next } = pageOfTime(entries, cursor, limit)
    return { body: [...page], page: { next, previous: null } }
  })
