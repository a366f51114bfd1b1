import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alertDraft } from '@firsthand/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIssueStore } from '../../test/stores/batch-stores.ts'
import { openLedger } from '../../test/stores/open.ts'
import { createChannels } from '../channels/ledger/channels.ts'
import { LIMITS as CHANNEL_LIMITS } from '../channels/limits.ts'
import { startReceiver, type Receiver } from '../channels/test/receiver.ts'
import { ledgerBatch, ledgerEvent } from '../issues/test/sample-events.ts'
import { seedOrganization, silentLogger, temporaryFolder } from '../storage/conformance/engines.ts'
import type { Ledger } from '../storage/index.ts'
import { createRules } from './ledger/rules.ts'
import type { Done, Order } from './test/server-process.ts'

/** Two processes on one ledger, of which one stands still for longer than it may: by signal, as when a machine sleeps. */

const PROCESS = join(import.meta.dirname, 'test', 'server-process.ts')

const folder = temporaryFolder()
const path = join(folder.path, 'ledger.sqlite')
const clock = { now: () => Date.now() }
let ledger: Ledger
let receiver: Receiver
const processes: ChildProcess[] = []

const start = async (): Promise<ChildProcess> => {
  const child = fork(PROCESS, [path], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  processes.push(child)
  await once(child, 'message')
  return child
}

const order = (child: ChildProcess, more: Partial<Order> & Pick<Order, 'work'>): Promise<Done> => {
  const done = once(child, 'message').then(([answer]) => answer as Done)
  child.send({ freezes: false, ahead: 0, ...more } satisfies Order)
  return done
}

const untilFrozen = ({ pid }: ChildProcess): Promise<void> =>
  vi.waitFor(
    () => {
      expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /)
    },
    { timeout: 30_000 },
  )

beforeEach(async () => {
  ledger = await openLedger({ path }, { logger: silentLogger, clock })
  receiver = await startReceiver()
  await seedOrganization(ledger)
  const sealed = { secrets: { url: receiver.url }, signing: null, former: null }
  const settings = { format: 'firsthand' }
  const { id: createdBy } = await ledger.db
    .insertInto('users')
    .values({
      email: 'ann@acme.example',
      name: 'Ann',
      password_hash: '',
      preferences: '{}',
      created_at: 0,
      last_login_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const channel = { organizationId: 1, kind: 'webhook', name: 'Hook', settings, sealed, createdBy } as const
  const added = await createChannels({ ledger, key: Buffer.alloc(32, 1) }).add(channel, clock.now())
  if (!added.ok) throw new Error(added.error)
  const actor = { organizationId: 1, userId: null, now: clock.now() }
  const draft = alertDraft.parse({
    name: 'New issues',
    trigger: { source: 'happened', kinds: ['issue_opened'] },
    actions: [{ kind: 'channel', channelId: String(added.value) }],
  })
  await createRules({ ledger, changed: () => undefined }).add(actor, draft)
})
afterEach(async () => {
  for (const child of processes) child.kill('SIGKILL')
  await receiver.close()
  await ledger.close()
  folder.remove()
})

it('A30: of two processes one is frozen over what happened, and over a message: nothing is told twice, and what it writes late is refused', async () => {
  const [first, second] = [await start(), await start()]
  // They follow what happens from now on.
  await order(first, { work: 'facts' })
  await createIssueStore({ ledger, clock }).apply(
    ledgerBatch(1, [ledgerEvent({ seed: 'one', kind: 'new', at: clock.now() })]),
  )
  const evaluations = () =>
    ledger.db
      .selectFrom('alert_evaluations')
      .innerJoin('alert_rules', 'alert_rules.id', 'alert_evaluations.rule_id')
      .select(['decision', 'occasion'])
      .where('alert_rules.name', '=', 'New issues')
      .execute()
  const messages = () => ledger.db.selectFrom('outbox').select(['id', 'key', 'state', 'attempts']).execute()

  const overtaken = order(first, { work: 'facts', freezes: true })
  await untilFrozen(first)
  expect(await evaluations()).toEqual([])
  expect(await order(second, { work: 'facts' })).toEqual({ error: null })
  const evaluated = await evaluations()
  expect(evaluated).toMatchObject([{ decision: 'fired' }])
  expect(await messages()).toMatchObject([{ state: 'waiting', attempts: 0 }])
  first.kill('SIGCONT')
  expect(await overtaken).toEqual({ error: null })
  expect(await evaluations()).toEqual(evaluated)
  expect(await messages()).toHaveLength(1)

  const late = order(first, { work: 'send', freezes: true })
  await untilFrozen(first)
  expect(receiver.calls).toHaveLength(1)
  // As long as it may take, nobody else tries.
  await order(second, { work: 'send' })
  expect(receiver.calls).toHaveLength(1)
  await order(second, { work: 'send', ahead: CHANNEL_LIMITS.DELIVERY_LEASE_MS })
  const ids = receiver.calls.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  const told = await messages()
  expect(told).toMatchObject([{ state: 'sent', attempts: 2 }])
  first.kill('SIGCONT')
  expect(await late).toEqual({ error: null })
  expect(await messages()).toEqual(told)
  expect(receiver.calls).toHaveLength(2)
  const tries = await ledger.db.selectFrom('outbox_attempts').select(['number', 'status']).orderBy('number').execute()
  expect(tries).toEqual([
    { number: 1, status: null },
    { number: 2, status: 200 },
  ])
}, 60_000)
