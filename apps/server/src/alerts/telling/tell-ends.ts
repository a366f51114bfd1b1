import type { Message } from '../../channels/index.ts'
import { formatShortId } from '../../issues/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Incident } from '../ledger/incidents.ts'
import { oneAtATime } from '../ledger/one-at-a-time.ts'
import { endIncidentsOfDeletedProjects, stillTold, takeUntoldEnds, type EndReason } from '../ledger/untold-ends.ts'
import type { Outlets } from '../outlets.ts'
import { lengthInMinutes } from '../../lib/length-text.ts'
import { createRoad, type Said } from './road.ts'
import { threadOfSubject } from './thread.ts'

/** What is over for another reason than what it is about: whoever was told that it began is told so, and why. */

type Ended = Incident & { readonly why: string }

/** Pagers alone are told: people know of what has been silent for days, and a page that is open does not close itself. */
const QUIETLY: EndReason = 'nothing happened for long'

/** Nobody looks any more: whether it goes on is not known. */
const NOT_WATCHED: ReadonlySet<string> = new Set<EndReason>([
  'the alert was deleted',
  'the alert was switched off',
  'the alert measures something else now',
  'none of its projects is left',
  'its project was deleted',
  'the alert watches its project no more',
  'the person whom it was about was deleted',
])

const isWatched = (why: string): boolean => !NOT_WATCHED.has(why)

type Issue = NonNullable<NonNullable<Message['about']>['issue']>

const slugOf = async (transaction: LedgerTransaction, organizationId: number): Promise<string> => {
  const row = await transaction
    .selectFrom('organizations')
    .select('slug')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row?.slug ?? ''
}

const issuesOf = async (
  transaction: LedgerTransaction,
  ended: readonly Ended[],
): Promise<ReadonlyMap<number, Issue>> => {
  const found = new Map<number, Issue>()
  const ids = [...new Set(ended.flatMap(({ issue_id: id }) => id ?? []))]
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('issues')
      .innerJoin('projects', 'projects.id', 'issues.project_id')
      .select(['issues.id', 'issues.number', 'issues.title', 'issues.status', 'projects.slug'])
      .where('issues.id', 'in', part)
      .execute()
    for (const { id, number, slug, status, title } of rows) {
      found.set(id, { id, shortId: formatShortId(slug, number), title, status })
    }
  }
  return found
}

/** Where it can be seen; an alert that was deleted has no page. */
const pathOf = ({ rule_id: ruleId, why }: Ended, slug: string, issue: Issue | undefined): string => {
  const within = `/organizations/${slug}`
  if (issue !== undefined) return `${within}/issues/${issue.id}`
  const deleted: EndReason = 'the alert was deleted'
  return why === deleted ? `${within}/alerts` : `${within}/alerts/${ruleId}`
}

const saidOf = (ended: Ended, slug: string, issue: Issue | undefined): Said => {
  const { ended_at: endedAt, headline, id, issue_id: issueId, rule_id: ruleId, rule_name: name, why } = ended
  const length = lengthInMinutes((endedAt ?? ended.changed_at) - ended.started_at)
  const thread = threadOfSubject(ruleId, ended.subject)
  return {
    organizationId: ended.organization_id,
    ruleId,
    incidentId: id,
    occasion: `end:${id}`,
    message: {
      kind: 'over',
      ...(isWatched(why)
        ? { level: 'ok', headline: `Over after ${length}, as ${why}. ${headline}`, blocks: [] }
        : {
            level: 'info',
            headline: `No longer watched, as ${why}. ${headline}`,
            blocks: [
              {
                kind: 'text',
                text: `It went on for ${length} until then. Whether it still does nobody says any more.`,
              },
            ],
          }),
      actions: [{ label: 'Open', path: pathOf(ended, slug, issue) }],
      thread,
      stage: 'over',
      reason: `The alert “${name}” watched this.`,
      about: { rule: { id: ruleId, name }, ...(issue === undefined ? {} : { issue }) },
    },
    line: headline,
    name: headline,
    place: '',
    about: {
      issueId,
      reportId: null,
      actorId: null,
      projectId: ended.project_id,
      cause: thread,
      isHigh: false,
      noticeKey: `alert:end:${id}`,
    },
  }
}

/** In place of a message for each: a rule that is deleted says so once. */
const togetherOf =
  (why: string, slug: string) =>
  (ends: readonly Said[]): Message | null => {
    const [first] = ends
    if (first === undefined) return null
    return {
      ...first.message,
      headline: `${ends.length} ${isWatched(why) ? 'are over' : 'are no longer watched'}, as ${why}: ${first.message.about?.rule?.name ?? ''}`,
      blocks: [{ kind: 'list', items: ends.slice(0, NAMED).map(({ name }) => ({ text: name })) }],
      actions: [{ label: 'Open', path: `/organizations/${slug}/alerts` }],
      thread: `ends:${first.incidentId}`,
      stage: 'single',
      about: {},
    }
  }

/** What ended is named in one message up to so many. */
const NAMED = 20

const tellSome = async (
  transaction: LedgerTransaction,
  ended: readonly Ended[],
  { now, outlets }: { readonly now: number; readonly outlets: Pick<Outlets, 'enqueue' | 'notify'> },
): Promise<void> => {
  const road = createRoad({ transaction, now })
  const issues = await issuesOf(transaction, ended)
  const goesOn = await stillTold(transaction, ended)
  for (const [why, some] of Map.groupBy(ended, (one) => one.why)) {
    const slug = await slugOf(transaction, some[0]?.organization_id ?? 0)
    await road.endAll(
      some.map((one) => saidOf(one, slug, issues.get(one.issue_id ?? 0))),
      { goesOn, pagersOnly: why === QUIETLY, together: togetherOf(why, slug) },
    )
  }
  await road.finish(outlets)
}

export const createTellEnds = ({
  ledger,
  outlets,
}: {
  readonly ledger: Ledger
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
}) => {
  const tellNext = (now: number): Promise<number> =>
    ledger.transaction(async (transaction) => {
      await oneAtATime(transaction, ledger.dialect)
      const ended = await takeUntoldEnds(transaction)
      if (ended.length > 0) await tellSome(transaction, ended, { now, outlets })
      return ended.length
    })

  return async (now: number): Promise<void> => {
    await endIncidentsOfDeletedProjects(ledger, now)
    // Of one alert at a time: each is a transaction of its own.
    while ((await tellNext(now)) > 0);
  }
}
