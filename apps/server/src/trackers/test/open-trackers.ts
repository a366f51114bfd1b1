import type { Logger } from '../../lib/logger.ts'
import { createOccasion } from '../../lib/occasion.ts'
import { createOutgoing } from '../../lib/outgoing.ts'
import { followFacts } from '../../facts/index.ts'
import { recordingLogger, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createLedgerIssueView } from '../../issues/ledger/issue-view.ts'
import { createLedgerIssueWorkflow } from '../../issues/ledger/issue-workflow.ts'
import { ledgerBatch, ledgerEvent } from '../../issues/test/sample-events.ts'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import { addMember } from '../../channels/test/outbox.ts'
import { createDesk } from '../desk.ts'
import { createHookPage } from '../hooks/hook-page.ts'
import { followTicket, wantStates } from '../ledger/follow-state.ts'
import { createHooks } from '../ledger/hooks.ts'
import { createTicketQueue } from '../ledger/ticket-queue.ts'
import { createTickets } from '../ledger/tickets.ts'
import { createTrackers } from '../ledger/trackers.ts'
import { HOOK_PATH } from '../tracker.ts'
import type { Draft } from '../writing/draft.ts'
import type { Double } from './double.ts'

export const PUBLIC_URL = 'https://firsthand.acme.example'
export const HOOK_SECRET = 'a-secret-of-webhooks-that-is-long-enough'
export const HOOK_KEY = 'a'.repeat(36)

export const draft = (more: Partial<Draft> = {}): Draft => ({
  title: 'TypeError: Cannot read properties of undefined',
  blocks: [{ kind: 'code', text: 'TypeError: x\n    at pay (cart.js:3)' }],
  link: { label: 'WEB-1 in Firsthand', url: `${PUBLIC_URL}/organizations/acme/issues/1/` },
  ...more,
})

/** A webhook that comes to the address of the connection. */
export const addressed = (request: Request, key = HOOK_KEY): Request =>
  new Request(new URL(`${HOOK_PATH}${key}`, request.url), request)

const detailOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { readonly detail: string }).detail

const followerOf = ({ ledger, clock }: OpenedLedger, logger: Logger) =>
  followFacts({
    ledger,
    live: { hear: () => {} },
    clock,
    logger,
    name: 'trackers',
    batch: 100,
    take: async (transaction, noted) => void (await wantStates(transaction, ledger, noted, clock.now())),
  })

/** Trackers on a ledger with one organisation and one issue, whose jobs are run by hand. */
// long: what tests may do with trackers, a few lines each
export const openTrackers = async (opened: OpenedLedger, double: Double) => {
  const { ledger, clock } = opened
  await seedOrganization(ledger)
  await addMember(opened, { name: 'Ann', email: 'ann@acme.example', role: 'owner' })
  const issueStore = createIssueStore({ ledger, clock })
  await issueStore.apply(ledgerBatch(1, [ledgerEvent({ seed: 'one', kind: 'boom' })]))
  await issueStore.settle('main', 1)
  const [{ id: issueId }] = (await ledger.db.selectFrom('issues').select('id').execute()) as [{ id: number }]
  const trackers = createTrackers({ ledger, key: Buffer.alloc(32, 1) })
  const tickets = createTickets({ ledger })
  const queue = createTicketQueue({ ledger })
  const hooks = createHooks({ ledger })
  const { logger, lines } = recordingLogger()
  const outgoing = createOutgoing({ allowedRanges: ['127.0.0.1'] })
  const makeDesk = (parts: Partial<Parameters<typeof createDesk>[0]> = {}) =>
    createDesk({
      queue,
      trackers,
      outgoing,
      clock,
      logger,
      occasion: createOccasion({ clock, quietMs: 0 }),
      follow: followTicket(ledger),
      looked: () => {},
      ending: new AbortController().signal,
      ...parts,
    })
  const facts = followerOf(opened, logger)
  // It begins with what happens from now on.
  await facts.run()
  const page = createHookPage({ trackers, hooks, tickets, clock, heard: () => {} })
  const secrets = double.kind === 'linear' ? { ...double.secrets, webhookSecret: HOOK_SECRET } : double.secrets
  const added = await trackers.add(
    {
      organizationId: 1,
      kind: double.kind,
      name: 'Shop tracker',
      settings: double.settings,
      sealed: { secrets, hook: double.kind === 'linear' ? null : HOOK_SECRET },
      hookKey: HOOK_KEY,
      createdBy: 1,
    },
    clock.now(),
  )
  if (!added.ok) throw new Error(added.error)
  const actor = () => ({ organizationId: 1, userId: null, now: clock.now() })
  const subject = { kind: 'issue', id: issueId, storedIds: [issueId] } as const
  const workflow = createLedgerIssueWorkflow({ ledger })
  const desk = makeDesk()
  return {
    trackerId: added.value,
    trackers,
    tickets,
    hooks,
    queue,
    makeDesk,
    lines,
    subject,
    actor,
    issues: createLedgerIssueView({ ledger }),
    make: async (more: Partial<Draft> = {}) => {
      const made = await tickets.make(actor(), { trackerId: added.value, subject, draft: draft(more) })
      if (!made.ok) throw new Error(made.error)
      return made.value
    },
    /** All that follows from what happened. */
    settle: async (): Promise<void> => {
      await facts.run()
      await desk.run()
    },
    settleFacts: facts.run,
    only: async () => {
      const all = await tickets.list(1, subject)
      if (all.length !== 1 || all[0] === undefined) throw new Error(`there are ${all.length} tickets`)
      return all[0]
    },
    status: async (): Promise<string> => {
      const row = await ledger.db
        .selectFrom('issues')
        .select('status')
        .where('id', '=', issueId)
        .executeTakeFirstOrThrow()
      return row.status
    },
    setStatus: (kind: 'resolved' | 'unresolved') => workflow.change({ ...actor(), ids: [issueId], status: { kind } }),
    /** The issue is merged into another one, which somebody resolved. */
    mergeIntoResolved: async (): Promise<void> => {
      const events = ['two', 'three'].map((seed) => ledgerEvent({ seed, kind: 'other' }))
      await issueStore.apply(ledgerBatch(2, events))
      await issueStore.settle('main', 2)
      const other = await ledger.db
        .selectFrom('issues')
        .select('id')
        .where('id', '!=', issueId)
        .executeTakeFirstOrThrow()
      await workflow.change({ ...actor(), ids: [other.id], status: { kind: 'resolved' } })
      await workflow.merge({ ...actor(), ids: [issueId, other.id] })
    },
    /** Another event of the issue. */
    happenAgain: async (batch: number): Promise<void> => {
      clock.set(clock.now() + 60_000)
      await issueStore.apply(
        ledgerBatch(batch, [ledgerEvent({ seed: `again ${batch}`, kind: 'boom', at: clock.now() })]),
      )
      await issueStore.settle('main', batch)
    },
    hear: async (request: Request, key = HOOK_KEY): Promise<number> =>
      (await page.handle(addressed(request, key))).status,
    /** What it is answered. */
    told: async (request: Request): Promise<string> => detailOf(await page.handle(addressed(request))),
    pass: (ms: number): void => clock.set(clock.now() + ms),
  }
}

export type OpenedTrackers = Awaited<ReturnType<typeof openTrackers>>
