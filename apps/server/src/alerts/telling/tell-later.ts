import type { Message, Outgoing } from '../../channels/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { createOccasion, type Occasion } from '../../lib/occasion.ts'
import type { Notice } from '../../notices/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { quietMsOf } from '../../storage/ledger/quiet.ts'
import { nextGroupAt, takeGroups, waitOn, type TakenGroup, type TakenLine } from '../ledger/groups.ts'
import { nextHeldBackAt, takeHeldBack, type HeldBack } from '../ledger/held-back.ts'
import { nextDueAt, putOff } from '../ledger/incidents.ts'
import { oneAtATime } from '../ledger/one-at-a-time.ts'
import { openThreads } from '../ledger/open-threads.ts'
import { noteSent, readSent, type SentMessage } from '../ledger/sent-messages.ts'
import { readFirstReleases } from '../ledger/first-releases.ts'
import { nextEndAt } from '../ledger/taken-back.ts'
import { readToldTogether, type ToldTogether } from '../ledger/told-together.ts'
import { LIMITS } from '../limits.ts'
import type { Outlets } from '../outlets.ts'
import { answerMessage } from './answer.ts'
import { receiverOfKey, type Receiver } from './audience.ts'
import { withoutWhatIsBack } from './late-ends.ts'
import { putOffEnded, withUnnamed } from './late-lines.ts'
import { heldBackMessage, summaryMessage, thingsOf, type NamedRule } from './summary.ts'
import { answeredBy, summaryKey } from './summary-key.ts'

/** What waits is told when its time has come, unless somebody silenced its rule meanwhile. */

interface KnownRule extends NamedRule {
  readonly isEnabled: boolean
  /** Null for one that may speak; `Infinity` until somebody takes it back. */
  readonly mutedUntil: number | null
}

const rulesOf = async (
  transaction: LedgerTransaction,
  said: readonly { readonly ruleId: number }[],
  now: number,
): Promise<ReadonlyMap<number, KnownRule>> => {
  const ids = said.map(({ ruleId }) => ruleId)
  const rows = await transaction
    .selectFrom('alert_rules')
    .innerJoin('organizations', 'organizations.id', 'alert_rules.organization_id')
    .select(['alert_rules.id', 'alert_rules.name', 'organizations.slug'])
    .select(['alert_rules.is_enabled', 'alert_rules.is_muted', 'alert_rules.muted_until', 'alert_rules.deleted_at'])
    .where('alert_rules.id', 'in', [0, ...new Set(ids)])
    .execute()
  return new Map(
    rows.map(({ deleted_at: deletedAt, id, is_enabled: enabled, is_muted: muted, muted_until: until, name, slug }) => {
      const mutedUntil = muted === 1 ? Infinity : until !== null && now < until ? until : null
      const isDeleted = deletedAt !== null
      return [id, { id, name, slug, isDeleted, isEnabled: enabled === 1 && !isDeleted, mutedUntil }]
    }),
  )
}

type IsSaid = (line: TakenLine) => boolean

/** Who heard that something began hears that it is over, and who heard that, that it is not, whatever became of the rule. */
const isSaidIn = ({ topic }: Pick<TakenGroup, 'topic'>, rules: ReadonlyMap<number, KnownRule>): IsSaid => {
  const isTakenBack = answeredBy(topic)?.word === 'again'
  return ({ kind, ruleId }) => kind === 'over' || isTakenBack || speaks(rules.get(ruleId))
}

type SpeakingRule = KnownRule & { readonly mutedUntil: null }

const speaks = (rule: KnownRule | undefined): rule is SpeakingRule =>
  rule?.isEnabled === true && rule.mutedUntil === null

/** One message of those that are told at a time. */
interface Late {
  readonly organizationId: number
  readonly receiver: Receiver
  readonly key: string
  readonly message: Message
  readonly projectId: number | null
  /** One of them is. */
  readonly isHigh: boolean
  readonly isUrgent: boolean
  /** Of several. */
  readonly many?: NonNullable<Notice['many']>
  /** All of one cause is one line of an inbox. */
  readonly cause: string
  /** The first, where it is of several. */
  readonly ruleId: number
  /** Threads of what is told in it and goes on. */
  readonly goesOn: readonly string[]
}

/** A person hears of each project by itself: some want to hear of one, and of another not. */
const partsOf = (receiver: Receiver, lines: readonly TakenLine[]): readonly (readonly TakenLine[])[] =>
  'userId' in receiver ? [...Map.groupBy(lines, ({ projectId }) => projectId).values()] : [lines]

/** It is fatal, got worse, or what an alert measures is far beyond its limit. */
const isUrgent = ({ isHigh, kind, level }: TakenLine): boolean =>
  isHigh && (level === 'fatal' || kind === 'escalation' || kind === 'spike')

/** Those of owners alone are told as such. */
const kindOf = (lines: readonly TakenLine[]): Notice['kind'] =>
  lines.every(({ notice }) => notice === 'owner') ? 'owner' : 'alert'

/** What an alert tells of a project is one line, and what of that is over is another: it waits for nobody. */
const causeOf = (lines: readonly TakenLine[]): string => {
  const [first] = lines
  const isOver = lines.every(({ kind }) => kind === 'over')
  return ['alert', first?.ruleId ?? 0, first?.projectId ?? 'all', ...(isOver ? ['over'] : [])].join(':')
}

/** In which release all of these issues were seen first; null where that is not so, or they are no new issues. */
const releaseOf = (lines: readonly TakenLine[], releases: ReadonlyMap<number, string>): string | null => {
  const [first, ...others] = new Set(
    lines.map(({ incidentId, kind }) => (kind === 'new' ? (releases.get(incidentId) ?? null) : null)),
  )
  return others.length > 0 ? null : (first ?? null)
}

/** What a group answers, and how that stands. */
type Answered = NonNullable<ReturnType<typeof answeredBy>> & { readonly told: ToldTogether }

const ofGroup = (
  group: TakenGroup,
  {
    answered,
    open,
    releases,
    rules,
  }: {
    readonly rules: ReadonlyMap<number, KnownRule>
    readonly open: ReadonlyMap<number, string>
    readonly releases: ReadonlyMap<number, string>
    readonly answered: Answered | null
  },
): readonly { readonly late: Late; readonly sent: readonly SentMessage[] }[] => {
  const { id, openedAt, organizationId, told, unnamed } = group
  const lines = group.lines.filter(isSaidIn(group, rules))
  const known = receiverOfKey(group.receiver, kindOf(lines))
  if (known === null || lines.length === 0) return []
  return partsOf(known, lines).map((part, place) => {
    const key = summaryKey({ id, openedAt, told }, place)
    const own = [...new Set(part.map(({ ruleId }) => ruleId))].flatMap((ruleId) => rules.get(ruleId) ?? [])
    const receiver = 'userId' in known ? { ...known, kind: kindOf(part) } : known
    const summarised = { rules: own, unnamed: place === 0 ? unnamed : 0, release: releaseOf(part, releases) }
    const message =
      answered === null
        ? summaryMessage(part, { ...summarised, thread: key })
        : answerMessage(part, { ...summarised, thread: answered.summary, word: answered.word, told: answered.told })
    const projectId = part[0]?.projectId ?? null
    return {
      late: {
        organizationId,
        receiver,
        key,
        message,
        projectId,
        isHigh: part.some(({ isHigh }) => isHigh),
        isUrgent: part.some(isUrgent),
        many: thingsOf(part, place === 0 ? unnamed : 0),
        cause: causeOf(part),
        ruleId: own[0]?.id ?? 0,
        goesOn: [...new Set(part.flatMap(({ incidentId }) => open.get(incidentId) ?? []))],
      },
      sent: part.map(({ incidentId, kind, notice, ruleId }) => {
        const stage = kind === 'over' ? ('over' as const) : ('single' as const)
        return {
          organizationId,
          ruleId,
          incidentId,
          key,
          receiver: group.receiver,
          notice,
          stage,
          urgency: 0 as const,
        }
      }),
    }
  })
}

const answeredOf = async (
  transaction: LedgerTransaction,
  { lines, organizationId, receiver, topic }: TakenGroup,
  now: number,
): Promise<Answered | null> => {
  const answered = answeredBy(topic)
  const [line] = lines
  if (answered === null || line === undefined) return null
  const summary = { organizationId, receiver, key: answered.summary, ruleId: line.ruleId }
  return { ...answered, told: await readToldTogether(transaction, summary, now) }
}

/** Who was told of an incident, and not yet that it is over: `incident receiver`. */
const knowingOf = async (
  transaction: LedgerTransaction,
  incidentIds: readonly number[],
): Promise<ReadonlySet<string>> => {
  const knowing = new Set<string>()
  for (const { incidentId, receiver, stage } of await readSent(transaction, incidentIds)) {
    if (stage === 'over') knowing.delete(`${incidentId} ${receiver}`)
    else knowing.add(`${incidentId} ${receiver}`)
  }
  return knowing
}

/** How it goes on with what the receiver knows of, which a mute keeps back: nothing else tells them of it after that. */
const whatStays = (
  { lines, receiver }: TakenGroup,
  rules: ReadonlyMap<number, KnownRule>,
  isSaid: IsSaid,
  knowing: ReadonlySet<string>,
): readonly TakenLine[] => {
  const said = new Set(lines.filter(isSaid).map(({ occasion }) => occasion))
  return lines.filter(({ incidentId, occasion, ruleId }) => {
    const rule = rules.get(ruleId)
    const isMuted = rule?.isEnabled === true && rule.mutedUntil !== null
    return isMuted && !said.has(occasion) && knowing.has(`${incidentId} ${receiver}`)
  })
}

/**
 * What a mute kept from being told may be told after it: that something began if it still goes on, by itself; how it went
 * on to those who knew of it, together. That something is over is no such thing.
 */
const putOffMuted = async (
  transaction: LedgerTransaction,
  groups: readonly TakenGroup[],
  rules: ReadonlyMap<number, KnownRule>,
): Promise<void> => {
  const unsaid = groups.flatMap((group) => {
    const isSaid = isSaidIn(group, rules)
    return group.lines.filter((line) => !isSaid(line))
  })
  if (unsaid.length === 0) return
  const knowing = await knowingOf(transaction, [...new Set(unsaid.map(({ incidentId }) => incidentId))])
  for (const group of groups) {
    const isSaid = isSaidIn(group, rules)
    const stays = whatStays(group, rules, isSaid, knowing)
    const untilOf = ({ ruleId }: TakenLine): number => rules.get(ruleId)?.mutedUntil ?? Infinity
    if (stays.length > 0) await waitOn(transaction, group.id, stays, Math.min(...stays.map(untilOf)))
    const waiting = new Set(stays.map(({ incidentId }) => incidentId))
    for (const line of group.lines) {
      if (isSaid(line) || waiting.has(line.incidentId) || !rules.has(line.ruleId)) continue
      const until = untilOf(line)
      await putOff(transaction, line.incidentId, until === Infinity ? null : until)
    }
  }
}

const ofHeldBack = (held: HeldBack, rules: ReadonlyMap<number, KnownRule>): Late[] => {
  const rule = rules.get(held.ruleId)
  const receiver = receiverOfKey(held.receiver, 'alert')
  if (!speaks(rule) || receiver === null) return []
  const key = `alert:held:${held.ruleId}:${held.receiver}:${held.since}:${held.told}`
  const message = heldBackMessage(rule, held)
  const { organizationId, ruleId } = held
  const about = { projectId: null, isHigh: false, isUrgent: false, cause: `alert:${ruleId}:held`, goesOn: [] }
  return [{ organizationId, receiver, key, message, ...about, ruleId }]
}

export const createTellLater = (parts: {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
  /** What sources of alerts have to say later: of incidents that could not be told when they began, or flapped. */
  readonly further: readonly ((now: number) => Promise<void>)[]
}): { readonly occasion: Occasion; readonly run: () => Promise<void> } => {
  const { clock, ledger, outlets } = parts
  const occasion = createOccasion({ clock, quietMs: quietMsOf(ledger) })

  const send = async (transaction: LedgerTransaction, all: readonly Late[], now: number): Promise<void> => {
    const messages: Outgoing[] = []
    const notices: Notice[] = []
    for (const {
      cause,
      goesOn,
      isHigh,
      isUrgent: urgent,
      key,
      many,
      message,
      organizationId,
      projectId,
      receiver,
      ruleId,
    } of all) {
      if ('channelId' in receiver) {
        const to = { channelId: receiver.channelId }
        messages.push({ organizationId, to, key, message, origin: { ruleId } })
      } else {
        const { kind, userId } = receiver
        const about = { issueId: null, reportId: null, actorId: null, projectId, isHigh, isUrgent: urgent }
        const told = { ...about, organizationId, userIds: [userId], kind, key, cause, message, goesOn }
        notices.push(many === undefined ? told : { ...told, many })
      }
    }
    if (messages.length > 0) await outlets.enqueue(transaction, messages, now)
    if (notices.length > 0) await outlets.notify(transaction, notices, now)
  }

  return {
    occasion,
    run: () =>
      occasion.take(async (now) => {
        await ledger.transaction(async (transaction) => {
          await oneAtATime(transaction, ledger.dialect)
          const taken = await putOffEnded(transaction, await takeGroups(transaction, now))
          const { groups: named, heard } = await withoutWhatIsBack(transaction, taken)
          const heldBack = await takeHeldBack(transaction, now)
          const read = (groups: readonly TakenGroup[]) =>
            rulesOf(transaction, [...groups.flatMap(({ lines }) => lines), ...heldBack], now)
          const known = await read(named)
          const groups = await withUnnamed(transaction, named, (group) => isSaidIn(group, known))
          const rules = groups.some(({ lines }, at) => lines.length !== named[at]?.lines.length)
            ? await read(groups)
            : known
          const open = await openThreads(
            transaction,
            groups.flatMap(({ lines }) => lines.map(({ incidentId }) => incidentId)),
          )
          const releases = await readFirstReleases(
            transaction,
            groups.flatMap(({ lines }) => lines.flatMap(({ incidentId, kind }) => (kind === 'new' ? incidentId : []))),
          )
          const together: ReturnType<typeof ofGroup>[number][] = []
          for (const group of groups) {
            const answered = await answeredOf(transaction, group, now)
            together.push(...ofGroup(group, { rules, open, releases, answered }))
          }
          await putOffMuted(transaction, groups, rules)
          const sent = together.flatMap((one) => one.sent)
          await noteSent(transaction, [...heard, ...sent], now)
          const held = heldBack.flatMap((one) => ofHeldBack(one, rules))
          await send(transaction, [...together.map(({ late }) => late), ...held], now)
        })
        for (const tell of parts.further) await tell(now)
        const { db } = ledger
        const next = await Promise.all([nextGroupAt(db), nextHeldBackAt(db), nextDueAt(db), nextEndAt(db)])
        return Math.min(...next, now + LIMITS.ALERT_FLAPPING_CALM_MS)
      }),
  }
}
