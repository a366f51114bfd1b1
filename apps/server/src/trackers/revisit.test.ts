import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import type { Double } from './test/double.ts'
import { openTrackers, type OpenedTrackers } from './test/open-trackers.ts'
import { startGithub } from './test/repository-double.ts'

describe.each(LEDGER_ENGINES)('tickets of which no webhook tells on $name', ({ open }) => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers

  beforeEach(async () => {
    opened = await open()
    double = await startGithub()
    desk = await openTrackers(opened, double)
  })
  afterEach(async () => {
    await double.close()
    await opened.close()
  })

  const revisit = async (): Promise<void> => {
    await desk.tickets.revisit({ trackerId: null, since: opened.clock.now() }, opened.clock.now())
    desk.pass(LIMITS.TICKET_REVISIT_SPREAD_MS)
    await desk.settle()
  }

  it('are asked for, and followed', async () => {
    await desk.make()
    await desk.settle()
    double.set('1', 'closed')
    await revisit()
    expect(await desk.status()).toBe('resolved')
    expect(await desk.only()).toMatchObject({ state: 'closed' })
  })

  it('are asked for one after the other', async () => {
    for (const id of ['1', '2', '3', '4']) {
      const made = { id, key: `#${id}`, title: 'There before', body: '', state: 'open' } as const
      double.tickets.push({ ...made })
      const remote = { ...made, url: `${double.url}/${id}` }
      await desk.tickets.link(desk.actor(), { trackerId: desk.trackerId, subject: desk.subject, remote })
    }
    await desk.tickets.revisit({ trackerId: null, since: opened.clock.now() }, opened.clock.now())
    const rows = await opened.ledger.db.selectFrom('tickets').select('due_at').execute()
    expect(new Set(rows.map(({ due_at }) => due_at)).size).toBe(4)
  })

  it('are not all asked for at once, and those first that wait the longest', async () => {
    const { TICKET_REVISITS: most } = LIMITS
    await desk.make()
    await desk.settle()
    const row = await opened.ledger.db.selectFrom('tickets').selectAll().executeTakeFirstOrThrow()
    const now = opened.clock.now()
    const { id: _, ...same } = row
    for (let count = 0; count < most + 5; count++) {
      await opened.ledger.db
        .insertInto('tickets')
        .values({
          ...same,
          marker: `m${count}`,
          is_linked: 1,
          remote_id: String(count + 2),
          looked_at: now - count - 1,
        })
        .execute()
    }
    const due = () =>
      opened.ledger.db.selectFrom('tickets').select('looked_at').where('due_at', 'is not', null).execute()
    await desk.tickets.revisit({ trackerId: null, since: now - most }, now)
    expect(await due()).toHaveLength(6)
    // Those that wait already are of the same number.
    await desk.tickets.revisit({ trackerId: desk.trackerId, since: now }, now)
    const waiting = (await due()).map(({ looked_at }) => now - looked_at)
    expect(waiting).toHaveLength(most)
    expect(Math.min(...waiting)).toBe(6)
  })

  it('are not asked for again before it is time', async () => {
    const id = await desk.make()
    await desk.settle()
    desk.pass(1000)
    await desk.tickets.check(desk.actor(), id)
    await desk.settle()
    const looked = opened.clock.now()
    desk.pass(1000)
    await desk.tickets.revisit({ trackerId: null, since: looked - 1 }, opened.clock.now())
    expect(await desk.queue.nextDueAt(opened.clock.now())).toBeNull()
    await desk.tickets.revisit({ trackerId: null, since: looked }, opened.clock.now())
    expect(await desk.queue.nextDueAt(opened.clock.now())).not.toBeNull()
  })

  it('are left alone when they are old or taken off', async () => {
    const id = await desk.make()
    await desk.settle()
    const calls = double.calls.length
    await desk.tickets.remove(desk.actor(), id)
    await revisit()
    expect(double.calls).toHaveLength(calls)
    await desk.tickets.restore(desk.actor(), id)
    await desk.settle()
    expect(double.calls).toHaveLength(calls + 1)
    desk.pass(LIMITS.TICKET_REVISIT_AGE_MS)
    await revisit()
    expect(double.calls).toHaveLength(calls + 1)
  })
})
