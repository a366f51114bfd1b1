import { DAY_MS } from '../../lib/durations.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { formatShortId } from '../../issues/index.ts'
import { LIMITS } from '../limits.ts'
import { openedAtOf } from '../telling/summary-key.ts'
import { GROUP } from '../telling/thread.ts'
import { readAfterwards } from './back-again.ts'

/** What one message told together to a receiver, and how that stands by now. */

/** One thing that a summary named. */
export interface ToldThing {
  readonly name: string
  readonly path: string
  /** Null once it is over; `unwatched` where nobody tells of it any more, as its alert or its project was deleted. */
  readonly open: 'still' | 'again' | 'unwatched' | null
}

export interface ToldTogether {
  /** Null when it is so long ago that a part of it is not known any more. */
  readonly things: readonly ToldThing[] | null
  /** There was no room to name all of it. */
  readonly isCut: boolean
}

/** Nothing more will be told of it. */
export const isDone = ({ things }: ToldTogether): boolean =>
  things?.every(({ open }) => open === null || open === 'unwatched') === true

export interface SummaryOf {
  readonly organizationId: number
  readonly receiver: string
  readonly key: string
  /** Any rule that it told of. */
  readonly ruleId: number
}

/** When it was sent; null where that is not known any more. */
const sentAtOf = async (
  transaction: LedgerTransaction,
  { key, receiver, ruleId }: SummaryOf,
): Promise<number | null> => {
  // By the moment in which it was sent, soon after its group was opened: there is no index of keys.
  const sent = await transaction
    .selectFrom('alert_messages')
    .select('sent_at')
    .where('rule_id', '=', ruleId)
    .where('sent_at', '>=', openedAtOf(key))
    .where('receiver', '=', receiver)
    .where('key', '=', key)
    .orderBy('sent_at')
    .limit(1)
    .executeTakeFirst()
  return sent?.sent_at ?? null
}

const incidentsIn = (transaction: LedgerTransaction, { key, organizationId, receiver }: SummaryOf, at: number) =>
  transaction
    .selectFrom('alert_messages')
    .innerJoin('alert_incidents', 'alert_incidents.id', 'alert_messages.incident_id')
    .where('alert_messages.sent_at', '=', at)
    .where('alert_messages.organization_id', '=', organizationId)
    .where('alert_messages.key', '=', key)
    .where('alert_messages.receiver', '=', receiver)

/** Whether an incident of it is not over, or its end not told: after most ends one is, and nothing more has to be read. */
const goesOn = async (transaction: LedgerTransaction, summary: SummaryOf): Promise<boolean> => {
  const at = await sentAtOf(transaction, summary)
  if (at === null) return false
  const open = await incidentsIn(transaction, summary, at)
    .select('alert_incidents.id')
    .where((where) =>
      where.or([where('alert_incidents.ended_at', 'is', null), where('alert_incidents.over_due_at', 'is not', null)]),
    )
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

const rowsOf = async (transaction: LedgerTransaction, summary: SummaryOf) => {
  const at = await sentAtOf(transaction, summary)
  if (at === null) return null
  const rows = await incidentsIn(transaction, summary, at)
    .innerJoin('organizations', 'organizations.id', 'alert_incidents.organization_id')
    .leftJoin('alert_rules', 'alert_rules.id', 'alert_incidents.rule_id')
    .leftJoin('issues', 'issues.id', 'alert_incidents.issue_id')
    .leftJoin('projects', 'projects.id', 'issues.project_id')
    .select(['alert_rules.deleted_at as rule_deleted_at', 'projects.deleted_at as project_deleted_at'])
    .select(['alert_incidents.id', 'alert_incidents.rule_id', 'alert_incidents.subject', 'alert_incidents.headline'])
    .select(['alert_incidents.ended_at', 'alert_incidents.over_due_at', 'alert_incidents.issue_id'])
    .select([
      'alert_incidents.group_values',
      'issues.title',
      'issues.number',
      'organizations.slug',
      'projects.slug as project',
    ])
    .orderBy('alert_messages.id')
    .execute()
  return { at, rows }
}

const nameOf = (row: {
  readonly group_values: string
  readonly headline: string
  readonly title: string | null
  readonly number: number | null
  readonly project: string | null
}): string => {
  if (row.title !== null && row.number !== null) return `${formatShortId(row.project ?? '', row.number)} ${row.title}`
  const group = JSON.parse(row.group_values) as readonly { readonly name: string; readonly value: string }[]
  // By its attribute a person is found in it who is erased.
  return group.length === 0 ? row.headline : group.map(({ name, value }) => `${name} ${value || '(none)'}`).join(', ')
}

type Row = NonNullable<Awaited<ReturnType<typeof rowsOf>>>['rows'][number]

/** How one thing stands, of which each of these alerts told. */
const openOf = (same: readonly Row[], afterwards: Awaited<ReturnType<typeof readAfterwards>>): ToldThing['open'] => {
  if (same.some(({ ended_at: ended, over_due_at: untold }) => ended === null || untold !== null)) return 'still'
  const isOpen = same.some(({ id }) => {
    const { latest, openIssue } = afterwards(id)
    return latest?.isOpen === true || openIssue !== null
  })
  if (!isOpen) return null
  // It ended with these, whatever it is about.
  const isWatched = same.some(
    ({ project_deleted_at: project, rule_deleted_at: rule }) => project === null && rule === null,
  )
  return isWatched ? 'again' : 'unwatched'
}

/** How what a summary told stands by now. */
export const readToldTogether = async (
  transaction: LedgerTransaction,
  summary: SummaryOf,
  now: number,
): Promise<ToldTogether> => {
  const found = await rowsOf(transaction, summary)
  if (found === null || now - found.at >= LIMITS.ALERT_EVALUATION_DAYS * DAY_MS) return { things: null, isCut: false }
  const afterwards = await readAfterwards(
    transaction,
    found.rows.map(({ id }) => id),
  )
  // Two alerts that speak of one issue tell of one thing.
  const bySubject = Map.groupBy(found.rows, ({ rule_id: ruleId, subject }) =>
    subject.startsWith(GROUP) ? `${ruleId} ${subject}` : subject,
  )
  const things = [...bySubject.values()].map((same): ToldThing => {
    const [first] = same as [(typeof same)[number]]
    const { issue_id: issueId, rule_id: ruleId, slug } = first
    const below = `/organizations/${slug}`
    return {
      name: nameOf(first),
      path: issueId === null ? `${below}/alerts/${ruleId}` : `${below}/issues/${issueId}`,
      open: openOf(same, afterwards),
    }
  })
  return { things, isCut: things.length >= LIMITS.ALERT_GATHERED_NAMED }
}

/** Of these groups of ends, those that tell that the last of it is over wait for no more. */
export const tellCompleteNow = async (
  transaction: LedgerTransaction,
  groups: ReadonlyMap<number, SummaryOf>,
  now: number,
): Promise<void> => {
  for (const [id, summary] of groups) {
    if (await goesOn(transaction, summary)) continue
    if (!isDone(await readToldTogether(transaction, summary, now))) continue
    await transaction.updateTable('alert_gatherings').set({ due_at: now }).where('id', '=', id).execute()
  }
}
