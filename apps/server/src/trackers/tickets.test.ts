import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ISSUES_WITH_TICKETS } from '../issues/index.ts'
import { readIssueScope } from '../issues/search-scope.ts'
import { answering, createQuestions } from '../lib/questions.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import { isChange, type Double, type DoubleCall } from './test/double.ts'
import { DOUBLES } from './test/doubles.ts'
import { HOOK_SECRET, openTrackers, PUBLIC_URL, type OpenedTrackers } from './test/open-trackers.ts'

const ROUNDS = 20

/** Calls that change something there. */
const writes = ({ calls }: Double): readonly DoubleCall[] => calls.filter(isChange)

const [SQLITE, ...OTHERS] = LEDGER_ENGINES
const [FIRST] = DOUBLES
if (SQLITE === undefined || FIRST === undefined) throw new Error('there is nothing to test with')

/** Each tracker on one ledger, and one tracker on the others. */
const CASES = [
  ...DOUBLES.map((double) => ({ ...double, open: SQLITE.open })),
  ...OTHERS.map(({ name, open }) => ({ name: `${FIRST.name} on ${name}`, start: FIRST.start, open })),
]

describe.each(CASES)('tickets of $name', ({ open, start }) => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers

  beforeEach(async () => {
    opened = await open()
    double = await start()
    desk = await openTrackers(opened, double)
  })
  afterEach(async () => {
    await double.close()
    await opened.close()
  })

  it('A61: are made once, with the evidence and a link back', async () => {
    const id = await desk.make()
    // A double click.
    expect(await desk.make()).toBe(id)
    await desk.settle()
    expect(await desk.make()).toBe(id)
    await desk.settle()
    expect(double.tickets).toHaveLength(1)
    const [made] = double.tickets
    expect(made?.title).toContain('TypeError')
    expect(made?.body).toContain('cart.js:3')
    expect(made?.body).toContain(`${PUBLIC_URL}/organizations/acme/issues/1/`)
    expect(await desk.only()).toMatchObject({ key: made?.key, state: 'open', error: null })
  })

  it('A61: are made once when the server dies, or the answer is lost, after the call', async () => {
    await desk.make()
    double.next = { kind: 'lost' }
    await desk.makeDesk().run()
    expect(double.tickets).toHaveLength(1)
    expect(await desk.only()).toMatchObject({ state: 'creating' })
    desk.pass(LIMITS.TICKET_LEASE_MS)
    await desk.settle()
    expect(double.tickets).toHaveLength(1)
    expect(await desk.only()).toMatchObject({ state: 'open', key: double.tickets[0]?.key })
  })

  it('A62: follow the issue and are followed by it, without an echo in 20 rounds', async () => {
    await desk.make()
    await desk.settle()
    const [{ id } = { id: '' }] = double.tickets
    const before = writes(double).length
    const hear = async (): Promise<void> => {
      expect(await desk.hear(double.hook(id, HOOK_SECRET, { sentAt: opened.clock.now() }))).toBe(200)
      await desk.settle()
    }
    for (let round = 0; round < ROUNDS; round++) {
      await desk.setStatus('resolved')
      await desk.settle()
      expect(double.tickets[0]?.state).toBe('closed')
      // What we did comes back, and comes back again.
      await hear()
      await hear()
      expect(await desk.status()).toBe('resolved')
      double.set(id, 'open')
      await hear()
      expect(await desk.status()).toBe('unresolved')
      await desk.settle()
      double.set(id, 'closed')
      await hear()
      expect(await desk.status()).toBe('resolved')
      await desk.settle()
      double.set(id, 'open')
      await hear()
      expect(await desk.status()).toBe('unresolved')
    }
    expect(writes(double)).toHaveLength(before + ROUNDS)
  })

  it('A62: are told once when the server dies between the call and the note of it', async () => {
    await desk.make()
    await desk.settle()
    await desk.setStatus('resolved')
    const before = writes(double).length
    // It dies before it notes what it did.
    const { queue } = desk
    await desk.settleFacts()
    await desk.makeDesk({ queue: { ...queue, finish: () => Promise.reject(new Error('killed')) } }).run()
    desk.pass(LIMITS.TICKET_LEASE_MS)
    await desk.settle()
    expect(writes(double)).toHaveLength(before + 1)
    expect(await desk.only()).toMatchObject({ state: 'closed', wanted: null })
    expect(await desk.status()).toBe('resolved')
  })

  it('A63: are opened again when the issue comes back', async () => {
    await desk.make()
    await desk.settle()
    await desk.setStatus('resolved')
    await desk.settle()
    expect(double.tickets[0]?.state).toBe('closed')
    await desk.happenAgain(2)
    await desk.settle()
    expect(await desk.status()).toBe('unresolved')
    expect(double.tickets[0]?.state).toBe('open')
  })

  // It asks no tracker: one is enough.
  it.runIf(start === FIRST.start)('make their issue linked as long as people see one of them beside it', async () => {
    const questions = createQuestions()
    questions.learn([answering(ISSUES_WITH_TICKETS, desk.tickets.issuesWithTickets)])
    const found = async (query: string, organizationId = 1): Promise<readonly number[]> => {
      const parts = { issues: desk.issues, ask: questions.ask }
      const scope = await readIssueScope(parts, { organizationId, query, userId: null, now: opened.clock.now() })
      if (!scope.ok) throw new Error(scope.error)
      return desk.issues.ids(scope.value.selection, 0, 10)
    }
    const { id } = desk.subject
    const ticket = await desk.make()
    expect(await found('is:linked')).toEqual([])
    expect(await found('is:unlinked')).toEqual([id])
    await desk.settle()
    expect(await found('is:linked')).toEqual([id])
    expect(await found('is:unlinked')).toEqual([])
    expect(await found('is:linked', 2)).toEqual([])
    await desk.tickets.remove(desk.actor(), ticket)
    expect(await found('is:linked')).toEqual([])
    await desk.tickets.restore(desk.actor(), ticket)
    expect(await found('is:linked')).toEqual([id])
    // What is merged into another one has its tickets there.
    await desk.mergeIntoResolved()
    const merged = await found('is:linked')
    expect(merged).toHaveLength(1)
    expect(await found('is:unlinked')).toEqual([])
    await desk.trackers.remove(1, desk.trackerId, opened.clock.now())
    expect(await found('is:linked')).toEqual([])
    expect(await found('is:unlinked')).toEqual(merged)
  })

  it('A64: hear nothing by a wrong signature, an old time or an id that came before', async () => {
    await desk.make()
    await desk.settle()
    const [{ id } = { id: '' }] = double.tickets
    double.set(id, 'closed')
    const now = opened.clock.now()
    const bad = [
      double.hook(id, 'another secret', { sentAt: now }),
      double.hook(id, '', { sentAt: now }),
      double.hook(id, HOOK_SECRET, { sentAt: now }),
    ]
    const calls = double.calls.length
    expect(await desk.hear(bad[0] as Request)).toBe(401)
    expect(await desk.hear(bad[1] as Request)).toBe(401)
    expect(await desk.hear(bad[2] as Request, 'b'.repeat(36))).toBe(404)
    if (double.kind !== 'gitlab') {
      const forged = double.hook(id, HOOK_SECRET, { sentAt: now, body: '{"issue":{"number":1}}' })
      expect(await desk.hear(forged)).toBe(401)
    }
    if (double.kind === 'linear') {
      for (const sentAt of [now - 61_000, now + 61_000]) {
        expect(await desk.hear(double.hook(id, HOOK_SECRET, { sentAt }))).toBe(401)
      }
    }
    await desk.settle()
    expect(double.calls).toHaveLength(calls)
    expect(await desk.status()).toBe('unresolved')

    const deliveryId = '0c1d8a5e-1111-4222-8333-444455556666'
    expect(await desk.hear(double.hook(id, HOOK_SECRET, { sentAt: now, deliveryId }))).toBe(200)
    await desk.settle()
    expect(await desk.status()).toBe('resolved')
    const heard = double.calls.length
    expect(await desk.hear(double.hook(id, HOOK_SECRET, { sentAt: now, deliveryId }))).toBe(200)
    await desk.settle()
    expect(double.calls).toHaveLength(heard)
  })

  it('A65: end in the state of the tracker, in whichever order it tells', async () => {
    await desk.make()
    await desk.settle()
    const [{ id } = { id: '' }] = double.tickets
    const sentAt = opened.clock.now()
    const told = (state: 'open' | 'closed'): Request => {
      double.set(id, state)
      return double.hook(id, HOOK_SECRET, { sentAt })
    }
    const hooks = [told('closed'), told('open'), told('closed')]
    for (const hook of hooks.toReversed()) {
      await desk.hear(hook)
      await desk.settle()
    }
    expect(await desk.status()).toBe('resolved')
    expect(await desk.only()).toMatchObject({ state: 'closed' })
  })

  it('A65: of an issue that is merged into one that is resolved are closed', async () => {
    await desk.make()
    await desk.settle()
    await desk.mergeIntoResolved()
    await desk.settle()
    expect(await desk.only()).toMatchObject({ state: 'closed' })
  })

  it('are not made where the tracker refuses, and say why', async () => {
    await desk.make()
    double.next = { kind: 'refuse', status: 401 }
    await desk.settle()
    expect(await desk.only()).toMatchObject({ state: 'failed', error: expect.stringContaining('token') as string })
    expect(JSON.stringify([await desk.only(), ...desk.lines])).not.toContain(double.secrets['token'])
    await desk.make({ title: 'Said anew' })
    await desk.settle()
    expect(double.tickets).toMatchObject([{ title: 'Said anew' }])
  })
})
