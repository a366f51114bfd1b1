import type { Message, Outgoing } from '../../channels/index.ts'
import { channelsThatPage } from '../../channels/index.ts'
import type { Notice } from '../../notices/index.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import {
  joinAgain,
  joinGroups,
  openGroups,
  raiseUrgency,
  readGroups,
  withdrawLines,
  type KeptGroup,
} from '../ledger/groups.ts'
import { holdBack } from '../ledger/held-back.ts'
import { noteSent, readSent, readSpent, whoKnows, whoWasTold, type SentMessage } from '../ledger/sent-messages.ts'
import { tellCompleteNow, type SummaryOf } from '../ledger/told-together.ts'
import { LIMITS } from '../limits.ts'
import type { Outlets } from '../outlets.ts'
import type { AlertRule } from '../rule.ts'
import { audienceOf, receiverOfKey, type Receiver } from './audience.ts'
import type { Fate, Told } from './conclude.ts'
import { summariesOf, whoHeardTheEnd, whoHearsTheEnd, type Ends, type ToldOf } from './end.ts'
import { isOpen, placeOf, type Place, type Urgency } from './grouping.ts'
import { topicOfAnswers, type FollowUp } from './summary-key.ts'

/** Something that is said, whichever source it is of. */
export interface Said {
  readonly organizationId: number
  readonly ruleId: number
  readonly incidentId: number
  /** A fact, or a group in a minute: whichever rules speak of it, nobody is told twice. */
  readonly occasion: string
  readonly message: Message
  /** The same as one line of a list, whose head says the kind, the rule and the place. */
  readonly line: string
  /** What it is called among others, and where it was. */
  readonly name: string
  readonly place: string
  readonly about: Pick<Notice, 'issueId' | 'reportId' | 'actorId' | 'cause' | 'isHigh' | 'isUrgent' | 'takesBack'> & {
    readonly projectId: number | null
    /** Nobody hears twice of what has the same, whoever tells it. */
    readonly noticeKey: string
  }
}

/** A rule fires, and nothing suppresses it. */
export interface Firing extends Said {
  readonly rule: AlertRule
  /** What belongs together is told together. */
  readonly topic: string
  readonly isWorse: boolean
  readonly urgency: Urgency
  /** Users whom its actions for people tell, by their place. */
  readonly people: ReadonlyMap<number, readonly number[]>
  /** It could not be told to all when it happened: those are told who do not know of it yet. */
  readonly isLate?: boolean
}

const lineOf = ({ about, incidentId, line, message, name, occasion, place, ruleId }: Said) => ({
  ruleId,
  incidentId,
  projectId: about.projectId,
  kind: message.kind,
  level: message.level,
  name,
  place,
  text: message.about?.issue === undefined ? line : `${message.about.issue.shortId} ${line}`,
  path: message.actions[0]?.path ?? '/',
  occasion,
  isHigh: about.isHigh,
})

const noticeOf = (receiver: Receiver): Notice['kind'] | null => ('userId' in receiver ? receiver.kind : null)

const keysOf = (receivers: readonly Receiver[]): string[] => receivers.map(({ key }) => key)

/** The way of all that alerts tell, in one transaction. What goes out is handed on at its end, all at once. */
// long: what is said, and what goes out, is shared by its steps
export const createRoad = ({ now, transaction }: { readonly transaction: LedgerTransaction; readonly now: number }) => {
  const messages: Outgoing[] = []
  const notices: Notice[] = []
  /** Rule by what it told to whom. */
  const said = new Map<string, AlertRule>()
  /** What of that went out at once, */
  const told = new Set<string>()
  /** and in which group the rest waits. */
  const waits = new Map<string, number>()
  /** Groups of ends in which something waits since this turn, and the summary that they answer. */
  const answers = new Map<number, SummaryOf>()

  const goesOut = (one: Said, receivers: readonly Receiver[], key: string, noticeKey: string): void => {
    const { about, incidentId, message, organizationId, ruleId } = one
    const { actorId, cause, isHigh, isUrgent = false, issueId, reportId, takesBack } = about
    for (const receiver of receivers) {
      if ('userId' in receiver) continue
      const origin = { ruleId, incidentId }
      const to = { channelId: receiver.channelId }
      messages.push({ organizationId, to, key: `${key}:${receiver.key}`, message, origin })
    }
    const users = receivers.filter((receiver) => 'userId' in receiver)
    const goesOn = message.stage === 'first' || message.stage === 'update' ? [message.thread] : []
    for (const [kind, some] of Map.groupBy(users, (receiver) => receiver.kind)) {
      const userIds = some.map(({ userId }) => userId)
      const from = { organizationId, userIds, kind, issueId, reportId, actorId, cause }
      notices.push({
        ...from,
        isHigh,
        isUrgent,
        goesOn,
        message,
        key: noticeKey,
        ...(takesBack === undefined ? {} : { takesBack }),
      })
    }
  }

  const sentOf = (
    { about, incidentId, organizationId, ruleId }: Said,
    receiver: Receiver,
    key: string,
    more: Pick<SentMessage, 'stage' | 'urgency'>,
  ): SentMessage => ({
    organizationId,
    ruleId,
    incidentId,
    key: 'userId' in receiver ? about.noticeKey : `${key}:${receiver.key}`,
    receiver: receiver.key,
    notice: noticeOf(receiver),
    ...more,
  })

  const heardOf = async ({ incidentId, rule }: Firing): Promise<ReadonlySet<string>> =>
    rule.draft.actions.some(({ from }) => from === 'worse')
      ? new Set((await readSent(transaction, [incidentId])).map(({ receiver }) => receiver))
      : new Set()

  const pagersOf = async (receivers: readonly Receiver[], organizationId: number) => {
    const channelIds = receivers.flatMap((receiver) => ('channelId' in receiver ? [receiver.channelId] : []))
    const paging = await channelsThatPage(transaction, organizationId, channelIds)
    return (receiver: Receiver): boolean => 'channelId' in receiver && paging.has(receiver.channelId)
  }

  /** Where the firing goes for each receiver; groups are those that are open. */
  const placesOf = async (firing: Firing, receivers: readonly Receiver[]) => {
    const { about, organizationId, rule, topic, urgency } = firing
    const pages = await pagersOf(receivers, organizationId)
    const gathering = receivers.filter((receiver) => !pages(receiver))
    const kept = await readGroups(transaction, { organizationId, topic }, keysOf(gathering))
    const groups = new Map([...kept].filter(([, group]) => isOpen(group, now)))
    const asked = { ruleId: rule.id, projectId: about.projectId }
    const spent = await readSpent(transaction, asked, keysOf(receivers), now)
    const places = new Map<string, Place>()
    for (const receiver of receivers) {
      const budget = { ...spent(receiver.key), most: rule.draft.maxMessagesPerHour }
      places.set(receiver.key, placeOf(groups.get(receiver.key) ?? null, urgency, budget, now))
    }
    return { groups, pages, places }
  }

  /** @returns receivers whose group is not there any more */
  const wait = async (
    firing: Firing,
    receivers: readonly Receiver[],
    groups: ReadonlyMap<string, KeptGroup>,
  ): Promise<readonly Receiver[]> => {
    const waiting = receivers.flatMap((receiver) => {
      const group = groups.get(receiver.key)
      return group === undefined ? [] : [{ id: group.id, notice: noticeOf(receiver), receiver }]
    })
    const joined = await joinGroups(transaction, waiting, lineOf(firing))
    for (const { id, receiver } of waiting) if (joined.has(id)) waits.set(`${firing.occasion} ${receiver.key}`, id)
    return waiting.filter(({ id }) => !joined.has(id)).map(({ receiver }) => receiver)
  }

  const tellNow = async (
    firing: Firing,
    receivers: readonly Receiver[],
    groups: ReadonlyMap<string, KeptGroup>,
    pages: (receiver: Receiver) => boolean,
  ): Promise<void> => {
    const { about, message, occasion, organizationId, topic, urgency } = firing
    const key = `alert:${occasion}`
    const passing = receivers.flatMap((receiver) => groups.get(receiver.key)?.id ?? [])
    await raiseUrgency(transaction, passing, urgency)
    const first = receivers.filter((receiver) => !groups.has(receiver.key) && !pages(receiver))
    await openGroups(transaction, { organizationId, topic }, keysOf(first), urgency, now)
    const { stage } = message
    const sent = receivers.map((receiver) => sentOf(firing, receiver, key, { stage, urgency }))
    await noteSent(transaction, sent, now)
    goesOut(firing, receivers, key, about.noticeKey)
  }

  /**
   * Another rule said it: whoever heard that is told when it is over for this one as well. While it waits, this one waits
   * with it, as one line: it is said also if the other rule is silenced until then.
   */
  const noteSaid = async (firing: Firing, receivers: readonly Receiver[]): Promise<void> => {
    const { message, occasion, urgency } = firing
    const more = { stage: message.stage, urgency }
    const heard = receivers.filter(({ key }) => told.has(`${occasion} ${key}`))
    await noteSent(
      transaction,
      heard.map((receiver) => sentOf(firing, receiver, `alert:${occasion}`, more)),
      now,
    )
    const waiting = receivers.flatMap((receiver) => {
      const id = waits.get(`${occasion} ${receiver.key}`)
      return id === undefined ? [] : [{ id, notice: noticeOf(receiver) }]
    })
    await joinAgain(transaction, waiting, lineOf(firing))
  }

  /** Who knows of the incident already, and whom another rule told of the same since it happened. */
  const knownOfLate = async ({ about: { issueId, noticeKey }, incidentId, occasion }: Firing) => ({
    knowing: await whoKnows(transaction, incidentId),
    told:
      issueId === null
        ? new Map<string, string>()
        : await whoWasTold(transaction, { incidentId, issueId }, (receiver) =>
            receiver.startsWith('user:') ? noticeKey : `alert:${occasion}:${receiver}`,
          ),
  })

  const tell = async (firing: Firing): Promise<Told> => {
    const { about, message, occasion, organizationId, people, rule } = firing
    const { actions } = rule.draft
    const heard = await heardOf(firing)
    const asked = { actions, people, heard, isWorse: firing.isWorse, actorId: about.actorId }
    const audience = audienceOf(asked)
    const { silent } = audience
    const late = firing.isLate === true ? await knownOfLate(firing) : null
    const receivers = audience.receivers.filter(({ key }) => late?.knowing.has(key) !== true)
    const isKnown = ({ key }: Receiver): boolean => late?.told.has(key) === true
    const saidTo = receivers.filter((one) => said.has(`${occasion} ${one.key}`) && !isKnown(one))
    const toldBefore = receivers.filter(isKnown)
    const before = saidTo.flatMap(({ key }) => said.get(`${occasion} ${key}`) ?? [])
    const left = receivers.filter((one) => !said.has(`${occasion} ${one.key}`) && !isKnown(one))
    const fates: Fate[] = [...silent, ...[...before, ...toldBefore].map(() => 'same_channel' as const)]
    const saidBy = before[0]?.draft.name ?? late?.told.get(toldBefore[0]?.key ?? '') ?? null
    await noteSaid(firing, saidTo)
    const more = { stage: message.stage, urgency: firing.urgency }
    const again = toldBefore.map((receiver) => sentOf(firing, receiver, `alert:${occasion}`, more))
    await noteSent(transaction, again, now)
    if (left.length === 0) return { fates, saidBy }
    const { groups, pages, places } = await placesOf(firing, left)
    const at = (place: Place): Receiver[] => left.filter(({ key }) => places.get(key) === place)
    const [held, waiting] = [at('held'), at('wait')]
    const tooLate = await wait(firing, waiting, groups)
    const atOnce = [...at('now'), ...tooLate]
    const stillOpen = new Map([...groups].filter(([key]) => !tooLate.some((one) => one.key === key)))
    await tellNow(firing, atOnce, stillOpen, pages)
    const { headline, level } = message
    await holdBack(transaction, keysOf(held), { organizationId, ruleId: rule.id, level, headline }, now)
    for (const { key } of [...atOnce, ...waiting]) said.set(`${occasion} ${key}`, rule)
    for (const { key } of atOnce) told.add(`${occasion} ${key}`)
    fates.push(
      ...atOnce.map(() => 'told' as const),
      ...waiting.filter((one) => !tooLate.includes(one)).map(() => 'gathered' as const),
      ...held.map(() => 'cap' as const),
    )
    return { fates, saidBy }
  }

  /** The group that answers a summary: nothing of it is told at once, for what else that summary told may follow. */
  const answeringGroup = async (one: Said, receiver: Receiver, topic: string): Promise<KeptGroup | undefined> => {
    const of = { organizationId: one.organizationId, topic }
    const group = (await readGroups(transaction, of, [receiver.key])).get(receiver.key)
    if (group !== undefined && isOpen(group, now)) return group
    await openGroups(transaction, of, [receiver.key], 0, now)
    return (await readGroups(transaction, of, [receiver.key])).get(receiver.key)
  }

  /** Those who read of it in a summary read of this as an answer to that, together with what else of it goes the same way. */
  const followTogether = async (one: Said, receiver: Receiver, word: FollowUp, summary: string): Promise<void> => {
    const group = await answeringGroup(one, receiver, topicOfAnswers(word, summary))
    const waiting = group === undefined ? [] : [{ id: group.id, notice: noticeOf(receiver) }]
    const [joined] = await joinGroups(transaction, waiting, lineOf(one))
    if (joined === undefined) return followAlone(one, receiver, word)
    const { organizationId, ruleId } = one
    if (word === 'over') answers.set(joined, { organizationId, receiver: receiver.key, key: summary, ruleId })
  }

  const followAlone = async (one: Said, receiver: Receiver, word: FollowUp): Promise<void> => {
    const key = `alert:${word}:${one.occasion}`
    await noteSent(transaction, [sentOf(one, receiver, key, { stage: one.message.stage, urgency: 0 })], now)
    goesOut(one, [receiver], key, one.about.noticeKey)
  }

  /** Tells those of whom `whom` says so, by what each was told of it before. What waits to be told of it is taken back. */
  const follow = async (
    all: readonly Said[],
    word: FollowUp,
    whom: (sent: readonly ToldOf[]) => Ends,
  ): Promise<void> => {
    if (all.length === 0) return
    const ids = all.map(({ incidentId }) => incidentId)
    await withdrawLines(transaction, ids)
    const sent = await readSent(transaction, ids)
    const kinds = new Map(sent.map(({ incidentId, notice, receiver }) => [`${incidentId} ${receiver}`, notice]))
    const byIncident = new Map(all.map((one) => [one.incidentId, one]))
    const done = new Set<string>()
    const each = async (heard: readonly ToldOf[]) => {
      for (const { incidentId, receiver: key } of heard) {
        const one = byIncident.get(incidentId)
        const receiver = receiverOfKey(key, kinds.get(`${incidentId} ${key}`) ?? 'alert')
        // Two rules that spoke of one issue say it once.
        if (one === undefined || receiver === null || done.has(`${one.message.thread} ${key}`)) continue
        done.add(`${one.message.thread} ${key}`)
        const summary = summaries.get(`${incidentId} ${key}`)
        if (summary === undefined) await followAlone(one, receiver, word)
        else await followTogether(one, receiver, word, summary)
      }
    }
    const { alone, together } = whom(sent)
    const summaries = summariesOf(sent, together)
    await each(alone)
    await each(together)
  }

  /** Who heard of which of these that they began, and did not yet hear of their end. */
  const heardOfThem = async (ends: readonly Said[]) => {
    const sent = await readSent(
      transaction,
      ends.map(({ incidentId }) => incidentId),
    )
    const { alone, together } = whoHearsTheEnd(sent)
    const kinds = new Map(sent.map(({ incidentId, notice, receiver }) => [`${incidentId} ${receiver}`, notice]))
    const byIncident = new Map(ends.map((end) => [end.incidentId, end]))
    return [...alone, ...together].flatMap(({ incidentId, receiver: key }) => {
      const end = byIncident.get(incidentId)
      const receiver = receiverOfKey(key, kinds.get(`${incidentId} ${key}`) ?? 'alert')
      return end === undefined || receiver === null ? [] : [{ end, receiver }]
    })
  }

  const endInOne = async (ends: readonly Said[], receiver: Receiver, message: Message): Promise<void> => {
    const [first] = ends
    if (first === undefined) return
    const key = `alert:over:${first.occasion}`
    const sent = ends.map((end) => sentOf(end, receiver, key, { stage: 'over', urgency: 0 }))
    await noteSent(transaction, sent, now)
    goesOut({ ...first, message }, [receiver], key, first.about.noticeKey)
  }

  return {
    tell,
    /**
     * Many incidents of one alert are over at once: what pages is closed one by one, everybody else who heard of more than
     * a few is told in one message.
     *
     * @param how.goesOn what others told of the same, as `thread receiver`, and that is not over
     */
    endAll: async (
      ends: readonly Said[],
      how: {
        readonly goesOn: ReadonlySet<string>
        readonly pagersOnly: boolean
        readonly together: (ends: readonly Said[]) => Message | null
      },
    ): Promise<void> => {
      const [first] = ends
      if (first === undefined) return
      await withdrawLines(
        transaction,
        ends.map(({ incidentId }) => incidentId),
      )
      const heard = (await heardOfThem(ends)).filter(
        ({ end, receiver }) => !how.goesOn.has(`${end.message.thread} ${receiver.key}`),
      )
      const pages = await pagersOf(
        heard.map(({ receiver }) => receiver),
        first.organizationId,
      )
      for (const own of Map.groupBy(heard, ({ receiver }) => receiver.key).values()) {
        const [{ receiver }] = own as [(typeof own)[number]]
        const isPaged = pages(receiver)
        if (!isPaged && how.pagersOnly) continue
        const mine = own.map(({ end }) => end)
        const message = isPaged || mine.length <= LIMITS.ALERT_ENDS_APART ? null : how.together(mine)
        if (message === null) for (const end of mine) await followAlone(end, receiver, 'over')
        else await endInOne(mine, receiver, message)
      }
    },
    /** Incidents are over: whoever was told that they began is told so, past mutes, hours and caps. */
    end: (ends: readonly Said[]): Promise<void> => follow(ends, 'over', whoHearsTheEnd),
    /** They are not over after all: whoever was told that they are is told so, past the same. */
    goOn: (all: readonly Said[]): Promise<void> => follow(all, 'again', whoHeardTheEnd),
    /** Hands on what goes out. */
    finish: async (outlets: Pick<Outlets, 'enqueue' | 'notify'>): Promise<void> => {
      await tellCompleteNow(transaction, answers, now)
      if (messages.length > 0) await outlets.enqueue(transaction, messages, now)
      if (notices.length > 0) await outlets.notify(transaction, notices, now)
    },
  }
}

export type Road = ReturnType<typeof createRoad>
