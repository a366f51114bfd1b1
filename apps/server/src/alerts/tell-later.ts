import type { Block, Message, Outgoing } from '../channels/index.ts'
import type { Clock } from '../lib/clock.ts'
import { createOccasion, type Occasion } from '../lib/occasion.ts'
import type { Notice } from '../notices/index.ts'
import type { Ledger, LedgerTransaction } from '../storage/index.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import { nextGatheringAt, PEOPLE, takeGathered, type Gathered } from './ledger/gatherings.ts'
import { calmIncidents } from './ledger/incidents.ts'
import { nextHeldBackAt, noteSent, takeHeldBack, type HeldBack, type SentMessage } from './ledger/sent-messages.ts'
import { LIMITS } from './limits.ts'
import type { Outlets } from './outlets.ts'
import { recentPeople } from './receivers.ts'

interface NamedRule {
  readonly id: number
  readonly name: string
  readonly slug: string
}

const LINES_OF_A_LIST = 50

/** Worst first. */
const LEVELS = ['fatal', 'error', 'warning', 'info', 'ok'] as const

const worstOf = (levels: readonly string[]): Message['level'] =>
  LEVELS.find((level) => levels.includes(level)) ?? 'info'

/** A list is cut where it is long: each part is one of its own. */
const listsOf = (items: Gathered['items'], more: number): Block[] => {
  const lines = items.map(({ text, path }) => ({ text, path }))
  const parts: Block[] = []
  for (let start = 0; start < lines.length; start += LINES_OF_A_LIST) {
    parts.push({ kind: 'list', items: lines.slice(start, start + LINES_OF_A_LIST) })
  }
  return more > 0 ? [...parts, { kind: 'text', text: `and ${more} more` }] : parts
}

const alertPath = ({ id, slug }: NamedRule): string => `/organizations/${slug}/alerts/${id}`

const summaryOf = (
  rule: NamedRule,
  { openedAt, thread, waiting }: Gathered,
  items: Gathered['items'],
  count: number,
  now: number,
): Message => {
  const minutes = Math.max(1, Math.round((now - openedAt) / 60_000))
  const since = minutes === 1 ? 'the last minute' : `${minutes} minutes`
  const [first] = items
  return {
    kind: 'other',
    level: worstOf(items.map(({ level }) => level)),
    headline: `And ${count} more in ${since}: ${first?.text ?? rule.name}`,
    blocks: listsOf(items, count === waiting ? count - items.length : 0),
    actions: [{ label: 'Open', path: alertPath(rule) }],
    thread,
    stage: 'update',
    reason: `The alert “${rule.name}” watches this.`,
  }
}

const heldMessage = (rule: NamedRule, { held }: HeldBack): Message => ({
  kind: 'other',
  level: 'warning',
  headline:
    held === 1
      ? `Held back 1 message of “${rule.name}” in an hour`
      : `Held back ${held} messages of “${rule.name}” in an hour`,
  blocks: [
    { kind: 'text', text: 'An alert says so much in an hour and no more. Its page lists all that it would have said.' },
  ],
  actions: [{ label: 'Open', path: alertPath(rule) }],
  thread: `alert:${rule.id}:held`,
  stage: 'single',
  reason: `The alert “${rule.name}” sends you messages.`,
})

/** What was gathered or kept back is told when its time has come. */
export const createTellLater = (parts: {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
}): { readonly occasion: Occasion; readonly run: () => Promise<void> } => {
  const { clock, ledger, outlets } = parts
  const occasion = createOccasion({ clock, quietMs: quietMsOf(ledger) })

  const namedRules = async (
    transaction: LedgerTransaction,
    ids: readonly number[],
  ): Promise<Map<number, NamedRule>> => {
    const rows = await transaction
      .selectFrom('alert_rules')
      .innerJoin('organizations', 'organizations.id', 'alert_rules.organization_id')
      .select(['alert_rules.id', 'alert_rules.name', 'organizations.slug'])
      .where('alert_rules.id', 'in', [0, ...ids])
      .where('alert_rules.deleted_at', 'is', null)
      .execute()
    return new Map(rows.map((row) => [row.id, row]))
  }

  const tell = async (
    transaction: LedgerTransaction,
    gathered: readonly Gathered[],
    heldBack: readonly HeldBack[],
    now: number,
  ): Promise<void> => {
    const rules = await namedRules(
      transaction,
      [...gathered, ...heldBack].map(({ ruleId }) => ruleId),
    )
    const messages: Outgoing[] = []
    const told: Notice[] = []
    const sent: SentMessage[] = []
    const say = (
      to: { readonly organizationId: number; readonly ruleId: number; readonly channelId: number },
      key: string,
      message: Message,
      people: readonly number[],
    ): void => {
      const { channelId, organizationId, ruleId } = to
      const receiver = channelId === PEOPLE ? 'people' : `channel:${channelId}`
      sent.push({ organizationId, ruleId, incidentId: null, key, receiver, stage: message.stage })
      if (channelId !== PEOPLE) messages.push({ organizationId, to: { channelId }, key, message, origin: { ruleId } })
      else {
        const about = { issueId: null, reportId: null, actorId: null }
        const cause = `alert:${ruleId}`
        told.push({ ...about, organizationId, userIds: people, kind: 'alert', key, cause, message, isHigh: false })
      }
    }
    for (const one of gathered) {
      const rule = rules.get(one.ruleId)
      if (rule === undefined) continue
      const key = `alert:gathered:${one.id}:${one.openedAt}:${one.told}`
      if (one.channelId !== PEOPLE) say(one, key, summaryOf(rule, one, one.items, one.waiting, now), [])
      for (const userId of new Set(one.items.flatMap(({ people }) => people ?? []))) {
        const own = one.items.filter(({ people }) => people?.includes(userId) === true)
        say(one, `${key}:${userId}`, summaryOf(rule, one, own, own.length, now), [userId])
      }
    }
    for (const held of heldBack) {
      const rule = rules.get(held.ruleId)
      if (rule === undefined) continue
      const people = held.channelId === PEOPLE ? await recentPeople({ db: transaction }, held.organizationId, now) : []
      say(held, `alert:held:${held.ruleId}:${held.channelId}:${held.since}`, heldMessage(rule, held), people)
    }
    await noteSent(transaction, sent, now)
    if (messages.length > 0) await outlets.enqueue(transaction, messages, now)
    if (told.length > 0) await outlets.notify(transaction, told, now)
  }

  return {
    occasion,
    run: () =>
      occasion.take(async (now) => {
        await ledger.transaction(async (transaction) => {
          await tell(transaction, await takeGathered(transaction, now), await takeHeldBack(transaction, now), now)
          await calmIncidents(transaction, now)
        })
        const next = Math.min(await nextGatheringAt(ledger.db), await nextHeldBackAt(ledger.db))
        return Math.min(next, now + LIMITS.ALERT_FLAPPING_CALM_MS)
      }),
  }
}
