import { factBefore, type StoredFact } from '../../facts/index.ts'
import type { Message } from '../../channels/index.ts'
import { LIMITS } from '../limits.ts'
import { cut } from '../message-text.ts'
import type { Notice, NoticeKind } from '../notice.ts'
import type { SubscribeRequest } from '../subscribe.ts'
import { issueMessage, shortIdOf, type ToldIssue } from './messages.ts'
import type { Surroundings } from './notices-of-facts.ts'
import { teamMembers, type Subscriber } from './people-of.ts'

export interface Told {
  readonly notices: readonly Notice[]
  readonly subscribed: readonly Omit<SubscribeRequest, 'now'>[]
}

const NOBODY: Told = { notices: [], subscribed: [] }

/** Why somebody hears of an issue, when not by what happened itself. */
const REASONS: Readonly<Record<Subscriber['reason'], string>> = {
  assigned: 'It was assigned to you.',
  mentioned: 'You were mentioned in it.',
  commented: 'You wrote a note on it.',
  'by hand': 'You follow this issue.',
}

/** Whom facts about issues concern. Null for facts about something else. */
export const noticesOfIssue = async (fact: StoredFact, around: Surroundings): Promise<Told | null> => {
  const teller = TELLERS[fact.kind] as ((fact: StoredFact, around: Surroundings) => Promise<Told>) | undefined
  return teller === undefined ? null : teller(fact, around)
}

interface Saying {
  readonly kind: NoticeKind
  readonly message: Message['kind']
  readonly headline: string
  /** Who did it, in front of why one is told. */
  readonly by?: string
  readonly level?: Message['level']
  /** Nothing is left to be done about it. */
  readonly isOver?: boolean
}

/** What somebody did, or what happened by itself. Who did it is said beside it: a line is known by what it is about. */
const done = (name: string | null, verb: string, level: Message['level'], where = ''): Saying => ({
  kind: 'subscribed',
  message: 'other',
  headline: `${verb.charAt(0).toUpperCase()}${verb.slice(1)}${where}`,
  ...(name === null ? {} : { by: `${name} ${verb} it.` }),
  level,
  isOver: verb !== 'reopened',
})

type IssueFact = StoredFact & { readonly data: { readonly issue: IssueData } }
type IssueData = StoredFact<'issue_opened'>['data']['issue']

const issueOf = (fact: IssueFact, issueId: number): ToldIssue => ({ ...fact.data.issue, id: issueId })

/** People to whom an issue belongs, with why: who has it, who is in the team that has it, who follows it. */
const followersOf = async (
  fact: IssueFact,
  issueId: number,
  { transaction, subscribers }: Surroundings,
): Promise<ReadonlyMap<number, string>> => {
  const reasons = new Map<number, string>()
  const { assignedUserId, assignedTeamId } = fact.data.issue
  for (const { userId, reason } of subscribers.get(issueId) ?? []) reasons.set(userId, REASONS[reason])
  for (const userId of assignedTeamId === null ? [] : await teamMembers(transaction, assignedTeamId)) {
    reasons.set(userId, 'It is assigned to your team.')
  }
  if (assignedUserId !== null) reasons.set(assignedUserId, 'It is assigned to you.')
  return reasons
}

/** One notice for each reason: the sentence is said in the message. */
const grouped = (reasons: ReadonlyMap<number, string>): ReadonlyMap<string, readonly number[]> =>
  new Map(
    [...Map.groupBy(reasons, ([, reason]) => reason)].map(([reason, people]) => [
      reason,
      people.map(([userId]) => userId),
    ]),
  )

const toFollowers = async (fact: IssueFact, around: Surroundings, saying: Saying): Promise<Told> => {
  const { issueId } = fact
  if (issueId === null) return NOBODY
  const issue = issueOf(fact, issueId)
  const shortId = shortIdOf(around.place, issue)
  const isHigh = saying.kind !== 'subscribed' && fact.data.issue.priority === 'high'
  // What grows though it is archived is archived all the same.
  const isOpen = saying.isOver !== true && fact.data.issue.status === 'unresolved'
  const notices = [...grouped(await followersOf(fact, issueId, around))].map(([reason, userIds]) => {
    const message = issueMessage(around.place, issue, {
      kind: saying.message,
      ...(saying.level === undefined ? {} : { level: saying.level }),
      headline: `${saying.headline}, ${shortId}`,
      isOver: saying.isOver ?? false,
      reason: saying.by === undefined ? reason : `${saying.by} ${reason}`,
    })
    // It came back or got worse.
    const isUrgent = isHigh
    return notice(fact, {
      kind: saying.kind,
      userIds,
      message,
      isHigh,
      isUrgent,
      goesOn: isOpen ? [message.thread] : [],
    })
  })
  return { notices, subscribed: [] }
}

const keyOf = ({ id }: StoredFact): string => `fact:${id}`

const notice = (
  fact: StoredFact,
  told: Pick<Notice, 'kind' | 'userIds' | 'message' | 'isHigh' | 'isUrgent' | 'goesOn'>,
): Notice => ({
  ...told,
  organizationId: fact.organizationId,
  issueId: fact.issueId,
  reportId: fact.reportId,
  actorId: fact.actorId,
  // One fact is told once, whatever makes it somebody's concern.
  key: keyOf(fact),
  cause: fact.issueId === null ? `report:${fact.reportId}` : `issue:${fact.issueId}`,
})

const assigned = async (fact: StoredFact<'issue_assigned'>, around: Surroundings): Promise<Told> => {
  const { issueId } = fact
  const { userId, teamId } = fact.data
  if (issueId === null || (userId === null && teamId === null)) return NOBODY
  const issue = issueOf(fact, issueId)
  const shortId = shortIdOf(around.place, issue)
  const userIds = userId === null ? await teamMembers(around.transaction, teamId ?? 0) : [userId]
  const whose = userId === null ? 'your team' : 'you'
  const name = around.name(fact.actorId)
  const message = issueMessage(around.place, issue, {
    kind: 'assignment',
    headline: `Assigned to ${whose}, ${shortId}`,
    reason: name === null ? `A rule assigned it to ${whose}.` : `${name} assigned it to ${whose}.`,
  })
  return {
    notices: [notice(fact, { kind: 'assigned', userIds, message, isHigh: false })],
    subscribed: userId === null ? [] : [{ userId, issueId, reason: 'assigned' }],
  }
}

const noted = async (fact: StoredFact<'issue_noted'>, around: Surroundings): Promise<Told> => {
  const { issueId } = fact
  const { activityId, teamIds, userIds } = fact.data
  if (issueId === null) return NOBODY
  const text = await noteText(around, activityId)
  // Its author took it back.
  if (text === null) return NOBODY
  const mentioned = new Set(userIds)
  for (const teamId of teamIds) {
    for (const userId of await teamMembers(around.transaction, teamId)) mentioned.add(userId)
  }
  const issue = issueOf(fact, issueId)
  const shortId = shortIdOf(around.place, issue)
  const author = around.name(fact.actorId) ?? 'A program'
  const quote = { text: cut(text, LIMITS.NOTICE_DETAIL_CHARS), by: author }
  const mention = issueMessage(around.place, issue, {
    kind: 'mention',
    level: 'info',
    headline: `You are mentioned in ${shortId}`,
    quote,
    reason: `${author} mentioned you in a note.`,
  })
  const followers = [...(await followersOf(fact, issueId, around))].filter(([userId]) => !mentioned.has(userId))
  const others = [...grouped(new Map(followers))].map(([reason, people]) =>
    notice(fact, {
      kind: 'subscribed',
      userIds: people,
      message: issueMessage(around.place, issue, {
        kind: 'other',
        level: 'info',
        headline: `New note in ${shortId}`,
        quote,
        reason,
      }),
      isHigh: false,
    }),
  )
  const people = [...mentioned]
  return {
    notices: [notice(fact, { kind: 'mentioned', userIds: people, message: mention, isHigh: false }), ...others],
    subscribed: [
      ...people.map((userId) => ({ userId, issueId, reason: 'mentioned' as const })),
      ...(fact.actorId === null ? [] : [{ userId: fact.actorId, issueId, reason: 'commented' as const }]),
    ],
  }
}

const noteText = async ({ transaction }: Surroundings, activityId: number): Promise<string | null> => {
  const row = await transaction
    .selectFrom('issue_activity')
    .select('data')
    .where('id', '=', activityId)
    .where('type', '=', 'note')
    .executeTakeFirst()
  if (row === undefined) return null
  const { text } = JSON.parse(row.data) as { readonly text?: unknown }
  return typeof text === 'string' ? text : null
}

const opened = async (fact: StoredFact<'issue_opened'>, around: Surroundings): Promise<Told> => {
  const { issueId, projectId } = fact
  if (issueId === null) return NOBODY
  const userIds = await around.askedFor('new', projectId)
  if (userIds.length === 0) return NOBODY
  const issue = issueOf(fact, issueId)
  const message = issueMessage(around.place, issue, {
    kind: 'new',
    headline: `New, ${shortIdOf(around.place, issue)}`,
    reason: 'You want to hear of new issues.',
  })
  const isHigh = fact.data.issue.priority === 'high'
  const isUrgent = isHigh && message.level === 'fatal'
  return { notices: [notice(fact, { kind: 'new', userIds, message, isHigh, isUrgent })], subscribed: [] }
}

/** Whatever changed whether an issue is open. */
const STATES = ['issue_resolved', 'issue_archived', 'issue_reopened', 'issue_regressed', 'issue_unarchived'] as const

/** Somebody takes back what they did themselves, and nothing came in between: what they did, or null. */
const undoneBy = async (
  fact: StoredFact<'issue_reopened'>,
  { transaction }: Surroundings,
): Promise<StoredFact | null> => {
  const before = await factBefore(transaction, fact, STATES)
  const isOwn = before !== null && before.actorId !== null && before.actorId === fact.actorId
  return isOwn && (before.kind === 'issue_resolved' || before.kind === 'issue_archived') ? before : null
}

const TELLERS: {
  readonly [Kind in StoredFact['kind']]?: (fact: StoredFact<Kind>, around: Surroundings) => Promise<Told>
} = {
  issue_assigned: assigned,
  issue_noted: noted,
  issue_opened: opened,
  issue_regressed: (fact, around) => {
    const { version } = fact.data
    const headline = version === null ? 'Came back' : `Came back with ${cut(version, LIMITS.NOTICE_KEY_CHARS)}`
    return toFollowers(fact, around, { kind: 'regression', message: 'regression', headline })
  },
  issue_escalating: (fact, around) =>
    toFollowers(fact, around, { kind: 'escalation', message: 'escalation', headline: 'Gets worse' }),
  issue_archived_growth: (fact, around) => {
    const { dailyPeak, events } = fact.data
    const headline = `${Math.round(events / Math.max(1, dailyPeak))} times as frequent as before, though archived`
    return toFollowers(fact, around, { kind: 'escalation', message: 'escalation', headline })
  },
  issue_unarchived: (fact, around) =>
    toFollowers(fact, around, { kind: 'escalation', message: 'escalation', headline: 'Back from the archive' }),
  issue_priority_raised: (fact, around) => {
    const headline = `Priority is ${fact.data.to} now`
    return toFollowers(fact, around, { kind: 'escalation', message: 'escalation', headline })
  },
  issue_resolved: (fact, around) => {
    const { inRelease, inNextRelease } = fact.data
    const where = inNextRelease ? ' in the next release' : inRelease === null ? '' : ` in ${inRelease}`
    return toFollowers(fact, around, done(around.name(fact.actorId), 'resolved', 'ok', where))
  },
  issue_archived: (fact, around) => toFollowers(fact, around, done(around.name(fact.actorId), 'archived', 'info')),
  issue_reopened: async (fact, around) => {
    const told = await toFollowers(fact, around, done(around.name(fact.actorId), 'reopened', 'info'))
    const undone = await undoneBy(fact, around)
    if (undone === null) return told
    return { ...told, notices: told.notices.map((one) => ({ ...one, takesBack: keyOf(undone) })) }
  },
}
