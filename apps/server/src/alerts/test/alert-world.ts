import { alertDraft, type AlertDraftInput } from '@firsthand/contract'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import type { Message, Outgoing } from '../../channels/index.ts'
import { followFacts } from '../../facts/index.ts'
import { createLive } from '../../http/index.ts'
import { createLedgerIssueWorkflow } from '../../issues/ledger/issue-workflow.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent, type SampleEvent } from '../../issues/test/sample-events.ts'
import type { Notice } from '../../notices/index.ts'
import { createOwnershipStore } from '../../ownership/ledger/ownership-store.ts'
import { seedOrganization, silentLogger, type OpenedLedger } from '../../storage/conformance/engines.ts'
import type { Ledger } from '../../storage/index.ts'
import { createTellCalm } from '../happened/calm.ts'
import { createPrepare } from '../happened/prepare.ts'
import { createTakeFacts } from '../happened/take-facts.ts'
import { createTellDue } from '../happened/tell-due.ts'
import { createTellOver } from '../happened/tell-over.ts'
import { createKnownRules } from '../known-rules.ts'
import { createRules } from '../ledger/rules.ts'
import { LIMITS } from '../limits.ts'
import type { OwnedIssue, Outlets } from '../outlets.ts'
import { createReceivers } from '../receivers.ts'
import type { AlertRule } from '../rule.ts'
import { createTellEnds } from '../telling/tell-ends.ts'
import { createTellLater } from '../telling/tell-later.ts'

/**
 * Tests: rules over a real ledger, with doubles that count what goes out by the keys it has, and hand it on where a test
 * wants to see what people and channels get of it.
 */

export const MINUTE_MS = 60_000

// long: what tests may do in this world, a few lines each
export const createAlertWorld = async (
  opened: OpenedLedger,
  {
    isSeeded = false,
    ways,
  }: {
    readonly ways?: Pick<Outlets, 'enqueue' | 'notify'>
    /** Its organisation is there already. */
    readonly isSeeded?: boolean
  } = {},
) => {
  const { clock, ledger } = opened
  if (!isSeeded) await seedOrganization(ledger)
  const live = createLive()
  const store = createIssueStore({ ledger, clock })
  const workflow = createLedgerIssueWorkflow({ ledger })
  /** By the keys that are never sent twice. */
  const outbox = new Map<string, Outgoing>()
  const notices = new Map<string, Notice>()
  const owners = new Map<number, readonly number[]>()
  const outlets: Outlets = {
    enqueue: async (transaction, messages, now) => {
      for (const one of messages) {
        // The outbox would drop it, and nobody would hear what was meant to be said.
        if (outbox.has(one.key)) throw new Error(`${one.key} is said twice`)
        outbox.set(one.key, one)
      }
      await ways?.enqueue(transaction, messages, now)
    },
    notify: async (transaction, some, now) => {
      for (const one of some) notices.set(one.key, one)
      await ways?.notify(transaction, some, now)
    },
    ownersOf: async ({ issueId }: OwnedIssue) => owners.get(issueId) ?? [],
    fallsThrough: createOwnershipStore({ ledger }).fallsThrough,
  }
  const known: ReturnType<typeof createKnownRules> = createKnownRules({
    ledger,
    clock,
    rules: { list: (organizationId, now) => rules.list(organizationId, now) },
  })
  const rulesOver = (over: Ledger) =>
    createRules({ ledger: over, changed: (organizationId) => known.forget(organizationId) })
  const rules = rulesOver(ledger)
  const receivers = createReceivers({ ledger, ...outlets })
  const telling = { ledger, rules: known, receivers, clock, outlets, snoozePath: (ruleId: number) => `/a/${ruleId}` }
  const later = createTellLater({
    ...telling,
    further: [createTellDue(telling), createTellCalm(telling), createTellOver(telling), createTellEnds(telling)],
  })
  const take = createTakeFacts({ ...telling, dialect: ledger.dialect, now: () => clock.now() })
  const job = followFacts({
    ledger,
    live,
    clock,
    logger: silentLogger,
    name: 'alerts',
    batch: 100,
    prepare: createPrepare(telling),
    take: async (transaction, facts, prepared) => {
      if (prepared !== undefined) await take(transaction, facts, prepared)
    },
  })
  let batches = 0

  const actor = () => ({ organizationId: 1, userId: null, now: clock.now() })
  const run = async (): Promise<void> => {
    await job.run()
    await later.run()
  }
  const world = {
    ...opened,
    rules,
    rulesOver,
    known,
    owners,
    outbox,
    notices,
    workflow,
    actor,
    run,
    /** Everything that a rule may say, to one channel. */
    add: async (draft: Partial<AlertDraftInput> = {}): Promise<AlertRule> => {
      const rule = await rules.add(
        actor(),
        alertDraft.parse({
          name: 'Test',
          trigger: { source: 'happened', kinds: ['issue_opened'] },
          actions: [{ kind: 'channel', channelId: '1' }],
          frequencyMinutes: 0,
          ...draft,
        }),
      )
      if (rule === null) throw new Error('full')
      return rule
    },
    /** Events of a project arrive, and rules hear of it. */
    arrive: async (samples: readonly SampleEvent[], place: { readonly projectId?: number } = {}): Promise<void> => {
      batches += 1
      const events = samples.map((sample) => ledgerEvent({ at: clock.now(), ...sample }, place))
      await store.apply(ledgerBatch(batches, events))
      await store.settle('main', batches)
      await run()
    },
    /** And nobody takes it back. */
    resolve: async (issueId: number): Promise<void> => {
      await workflow.change({ ...actor(), ids: [issueId], status: { kind: 'resolved' } })
      await run()
      await world.wait(LIMITS.ALERT_UNDO_MS)
    },
    /** Time goes on. */
    wait: async (ms: number): Promise<void> => {
      clock.set(clock.now() + ms)
      await later.run()
    },
    messages: (): Message[] => [...outbox.values()].map(({ message }) => message),
    headlines: (): string[] => [...outbox.values()].map(({ message }) => message.headline),
    evaluations: () =>
      ledger.db
        .selectFrom('alert_evaluations')
        .select(['rule_id', 'rule_version', 'decision', 'reason', 'sentence', 'issue_id', 'incident_id'])
        .orderBy('id')
        .execute(),
    incidents: () => ledger.db.selectFrom('alert_incidents').selectAll().orderBy('id').execute(),
    /** A member of the organisation. */
    join: async (name: string, seenAt: number | null = null): Promise<number> => {
      const { id } = await ledger.db
        .insertInto('users')
        .values({
          email: `${name}@example.com`,
          name,
          password_hash: '',
          preferences: '{}',
          created_at: BASE_TIME,
          last_login_at: seenAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await ledger.db
        .insertInto('members')
        .values({
          organization_id: 1,
          user_id: id,
          email: `${name}@example.com`,
          role: 'member',
          invite_hash: null,
          invite_expires_at: null,
          created_at: BASE_TIME,
          invited_by: null,
        })
        .execute()
      return id
    },
  }
  // Its position begins here.
  await run()
  clock.set(BASE_TIME + MINUTE_MS)
  // The rule with which every organisation begins is one more that would speak.
  for (const { id } of await rules.list(1, clock.now())) await rules.remove(actor(), id)
  return world
}

export type AlertWorld = Awaited<ReturnType<typeof createAlertWorld>>
