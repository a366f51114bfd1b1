import type { EventView, IssueView } from '../../issues/index.ts'
import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { cut } from '../message-text.ts'
import type { Waiting, Week, WeekIssue, WeekQuote } from './week.ts'

interface Period {
  readonly from: number
  readonly to: number
}

export type WeekReader = ReturnType<typeof createWeekReader>

interface Parts {
  readonly ledger: Ledger
  readonly issues: Pick<IssueView, 'projects' | 'records'>
  readonly events: Pick<EventView, 'rankIssues'>
}

/** Reads what the weekly report tells. */
export const createWeekReader = (parts: Parts) => ({
  week: (organizationId: number, period: Period): Promise<Week> => week(parts, organizationId, period),
  /** What waits for somebody, with where it stands. */
  waiting: (organizationId: number, organizationSlug: string, userId: number): Promise<readonly Waiting[]> =>
    waiting(parts, organizationId, organizationSlug, userId),
})

/** Living issues with these sentences, in the order of the map. */
const worded = async (
  parts: Parts,
  organizationId: number,
  details: ReadonlyMap<number, string>,
): Promise<readonly WeekIssue[]> => {
  const records = await parts.issues.records(organizationId, [...details.keys()].slice(0, LIMITS.WEEK_LINES))
  return records.map(({ id, shortId, title }) => ({
    id,
    shortId,
    title: cut(title, LIMITS.NOTICE_TITLE_CHARS),
    detail: details.get(id) ?? '',
  }))
}

const ranked = async (
  parts: Parts,
  organizationId: number,
  by: 'events' | 'users',
  period: Period,
  issueIds: readonly number[] | null,
): Promise<ReadonlyMap<number, number>> => {
  const projectIds = (await parts.issues.projects(organizationId)).map(({ id }) => id)
  if (projectIds.length === 0 || issueIds?.length === 0) return new Map()
  const scope = { organizationId, projectIds, issueIds, period, environments: [], filter: null }
  const rows = await parts.events.rankIssues(scope, by, LIMITS.WEEK_ISSUES)
  return new Map(rows.map(({ issueId, value }) => [issueId, value]))
}

/** New issues that somebody met, the most people first. */
const fresh = async (parts: Parts, organizationId: number, period: Period): Promise<ReadonlyMap<number, number>> => {
  const rows = await parts.ledger.db
    .selectFrom('issues')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('first_seen', '>=', period.from)
    .where('first_seen', '<', period.to)
    .where('status', '!=', 'ignored')
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .orderBy('times_seen', 'desc')
    .limit(LIMITS.WEEK_ISSUES)
    .execute()
  const ids = rows.map(({ id }) => id)
  const users = await ranked(parts, organizationId, 'users', period, ids)
  return new Map([...users].filter(([, count]) => count > 0))
}

/** Old issues with many more events than in the week before, the steepest first. */
const worse = async (parts: Parts, organizationId: number, period: Period): Promise<ReadonlyMap<number, string>> => {
  const now = await ranked(parts, organizationId, 'events', period, null)
  const before = await ranked(
    parts,
    organizationId,
    'events',
    { from: period.from - (period.to - period.from), to: period.from },
    [...now.keys()],
  )
  const found = [...now]
    .map(([id, count]) => ({ id, count, earlier: before.get(id) ?? 0 }))
    .filter(({ count, earlier }) => earlier > 0 && count >= LIMITS.WEEK_WORSE_EVENTS && count >= 2 * earlier)
    .toSorted((a, b) => b.count / b.earlier - a.count / a.earlier)
  return new Map(found.map(({ id, count, earlier }) => [id, `${count} events, ${earlier} the week before`]))
}

/** Issues to which this happened in the period and that are so still. */
const changed = async (
  { ledger: { db } }: Parts,
  organizationId: number,
  period: Period,
  types: readonly string[],
  status: 'resolved' | 'unresolved',
): Promise<readonly number[]> => {
  const rows = await db
    .selectFrom('issue_activity')
    .innerJoin('issues', 'issues.id', 'issue_activity.issue_id')
    .select((eb) => ['issues.id', eb.fn.max('issue_activity.created_at').as('at')])
    .where('issues.organization_id', '=', organizationId)
    .where('issues.status', '=', status)
    .where('issues.deleted_at', 'is', null)
    .where('issues.merged_into_id', 'is', null)
    .where('issue_activity.type', 'in', types)
    .where('issue_activity.created_at', '>=', period.from)
    .where('issue_activity.created_at', '<', period.to)
    .groupBy('issues.id')
    .orderBy('at', 'desc')
    .limit(LIMITS.WEEK_ISSUES)
    .execute()
  return rows.map(({ id }) => id)
}

const said = async ({ ledger: { db } }: Parts, organizationId: number, period: Period) => {
  const reports = db
    .selectFrom('feedback')
    .where('organization_id', '=', organizationId)
    .where('created_at', '>=', period.from)
    .where('created_at', '<', period.to)
    .where('status', '!=', 'spam')
  const { count } = await reports.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await reports
    .select(['id', 'message', 'name'])
    .where('merged_into_id', 'is', null)
    // Whoever wrote about something that is an issue tells what it did to them.
    .orderBy((eb) => eb.case().when('issue_id', 'is', null).then(1).else(0).end())
    .orderBy('created_at', 'desc')
    .limit(LIMITS.WEEK_QUOTES)
    .execute()
  const quotes = rows.map(({ id, message, name }): WeekQuote => ({
    reportId: id,
    text: cut(message.replaceAll(/\s+/g, ' ').trim(), LIMITS.WEEK_QUOTE_CHARS),
    by: name || 'A visitor',
  }))
  return { count, quotes }
}

const week = async (parts: Parts, organizationId: number, period: Period): Promise<Week> => {
  const news = await fresh(parts, organizationId, period)
  const steeper = await worse(parts, organizationId, period)
  const isNew = new Set(news.keys())
  const grown = new Map([...steeper].filter(([id]) => !isNew.has(id)))
  const fixed = await changed(parts, organizationId, period, RESOLVED, 'resolved')
  const back = await changed(parts, organizationId, period, ['set_regression'], 'unresolved')
  const { count, quotes } = await said(parts, organizationId, period)
  const people = (number: number): string => (number === 1 ? '1 person' : `${number} people`)
  return {
    ...period,
    new: await worded(parts, organizationId, new Map([...news].map(([id, users]) => [id, people(users)]))),
    worse: await worded(parts, organizationId, grown),
    fixed: await worded(parts, organizationId, new Map(fixed.map((id) => [id, '']))),
    back: await worded(parts, organizationId, new Map(back.map((id) => [id, '']))),
    quotes,
    counts: { new: news.size, worse: grown.size, fixed: fixed.length, back: back.length, reports: count },
  }
}

/** What waits for somebody, with where it stands. */
const waiting = async (
  { ledger: { db } }: Parts,
  organizationId: number,
  organizationSlug: string,
  userId: number,
): Promise<readonly Waiting[]> => {
  const base = `/organizations/${organizationSlug}`
  const lines = await db
    .selectFrom('notice_entries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('waits', '=', 1)
    .where('done_at', 'is', null)
    .where('read_at', 'is', null)
    .where('snooze', 'is', null)
    .executeTakeFirstOrThrow()
  const assigned = await db
    .selectFrom('issues')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('assigned_user_id', '=', userId)
    .where('status', '=', 'unresolved')
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .executeTakeFirstOrThrow()
  const replies = await db
    .selectFrom('feedback')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('assigned_user_id', '=', userId)
    .where('awaits_reply', '=', 1)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  const said: readonly [number, string, string, string][] = [
    [lines.count, 'line of your inbox waits for you', 'lines of your inbox wait for you', `${base}/inbox`],
    [
      assigned.count,
      'open issue is assigned to you',
      'open issues are assigned to you',
      `${base}/issues?query=is%3Aunresolved%20assigned%3Ame`,
    ],
    [replies.count, 'person waits for your answer', 'people wait for your answer', `${base}/feedback`],
  ]
  return said
    .filter(([count]) => count > 0)
    .map(([count, one, many, path]) => ({ text: `${count} ${count === 1 ? one : many}`, path }))
}

const RESOLVED = ['set_resolved', 'set_resolved_in_release']
