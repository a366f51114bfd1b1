import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import type { Double } from './test/double.ts'
import { draft, openTrackers, type OpenedTrackers } from './test/open-trackers.ts'
import { startGitea, startGithub } from './test/repository-double.ts'

const HOUR_MS = 60 * 60_000

describe.each(LEDGER_ENGINES)('trackers that share a server on $name', ({ open }) => {
  let opened: OpenedLedger
  let slow: Double
  let quick: Double
  let desk: OpenedTrackers

  beforeEach(async () => {
    opened = await open()
    slow = await startGithub()
    quick = await startGitea()
    desk = await openTrackers(opened, slow)
    await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'rival', name: 'Rival', retention_days: 90, settings: '{}', created_at: opened.clock.now() })
      .execute()
  })
  afterEach(async () => {
    await slow.close()
    await quick.close()
    await opened.close()
  })

  let connected = 0
  const connect = async (double: Double, organizationId: number): Promise<number> => {
    const { kind, settings, secrets } = double
    const hookKey = String(++connected).padStart(36, '0')
    const added = await desk.trackers.add(
      { organizationId, kind, name: kind, settings, sealed: { secrets, hook: null }, hookKey, createdBy: 1 },
      opened.clock.now(),
    )
    if (!added.ok) throw new Error(added.error)
    return added.value
  }
  const makeIn = (trackerId: number, organizationId: number) =>
    desk.tickets.make({ ...desk.actor(), organizationId }, { trackerId, subject: desk.subject, draft: draft() })

  it('make tickets of others while one hangs, also those that are asked for meanwhile', async () => {
    const rival = await connect(quick, 2)
    const id = await desk.make()
    slow.hangs = true
    const run = desk.makeDesk().run()
    await expect.poll(() => slow.calls.length).toBe(1)
    await makeIn(rival, 2)
    await expect.poll(() => quick.tickets.length).toBe(1)
    // It hangs still: nobody waited until it was too slow.
    expect(await desk.tickets.find(1, id)).toMatchObject({ state: 'creating', error: null })
    await slow.close()
    await run
  })

  it('have a share for each organisation, and are called once at a time', async () => {
    const rival = await connect(quick, 2)
    for (let count = 0; count <= LIMITS.TICKETS_OF_ORGANIZATION_AT_ONCE; count++)
      await makeIn(await connect(slow, 1), 1)
    await desk.make()
    for (const id of ['7', '8', '9']) {
      const remote = { id, key: `#${id}`, url: `${slow.url}/${id}`, title: 'Linked', state: 'open' } as const
      const linked = await desk.tickets.link(desk.actor(), { trackerId: desk.trackerId, subject: desk.subject, remote })
      if (linked.ok) await desk.tickets.check(desk.actor(), linked.value)
    }
    await makeIn(rival, 2)
    slow.hangs = true
    const run = desk.makeDesk().run()
    await expect.poll(() => quick.tickets.length).toBe(1)
    await expect.poll(() => slow.calls.length).toBe(LIMITS.TICKETS_OF_ORGANIZATION_AT_ONCE)
    const taken = await opened.ledger.db
      .selectFrom('tickets')
      .select('tracker_id')
      .where('taken_until', 'is not', null)
      .execute()
    expect(new Set(taken.map(({ tracker_id }) => tracker_id)).size).toBe(taken.length)
    await slow.close()
    await run
  })

  it('are left alone with all of their tickets when they want fewer calls', async () => {
    await desk.make()
    await desk.settle()
    const [{ id: remoteId } = { id: '' }] = slow.tickets
    for (const number of [2, 3, 4]) {
      const made = { id: String(number), key: `#${number}`, title: 'There before', body: '', state: 'open' } as const
      slow.tickets.push({ ...made })
      const remote = { ...made, url: `${slow.url}/${number}` }
      await desk.tickets.link(desk.actor(), { trackerId: desk.trackerId, subject: desk.subject, remote })
    }
    await opened.ledger.transaction((transaction) =>
      desk.tickets.heard(transaction, desk.trackerId, [remoteId, '2', '3', '4'], opened.clock.now()),
    )
    const calls = slow.calls.length
    slow.next = { kind: 'refuse', status: 429, headers: { 'retry-after': '1800' } }
    await desk.settle()
    expect(slow.calls).toHaveLength(calls + 1)
    desk.pass(HOUR_MS / 2 - 1000)
    await desk.settle()
    expect(slow.calls).toHaveLength(calls + 1)
    desk.pass(HOUR_MS)
    await desk.settle()
    expect(slow.calls).toHaveLength(calls + 5)
  })

  it('rest the longer the more often they do not answer, and no longer than the longest rest', async () => {
    await desk.make()
    const rests: number[] = []
    for (let count = 0; count < 12; count++) {
      slow.next = { kind: 'refuse', status: 500 }
      await opened.ledger.db.updateTable('tickets').set({ attempts: 0, due_at: opened.clock.now() }).execute()
      await desk.settle()
      const { quietUntil } = (await desk.trackers.find(1, desk.trackerId)) ?? {}
      rests.push((quietUntil ?? 0) - opened.clock.now())
      desk.pass(rests.at(-1) ?? 0)
    }
    expect(slow.calls).toHaveLength(12)
    expect(rests.slice(0, 3)).toEqual([1, 2, 4].map((times) => times * LIMITS.TRACKER_REST_MS))
    expect(rests.at(-1)).toBe(LIMITS.TRACKER_LONGEST_REST_MS)
  })
})
