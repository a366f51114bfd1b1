import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { openTrackers, type OpenedTrackers } from './test/open-trackers.ts'
import type { Double } from './test/double.ts'
import { startGithub } from './test/repository-double.ts'

describe.each(LEDGER_ENGINES)('tickets that are not made, or gone, on $name', ({ open }) => {
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

  const failToMake = async (): Promise<number> => {
    const id = await desk.make()
    double.next = { kind: 'refuse', status: 401 }
    await desk.settle()
    expect(await desk.only()).toMatchObject({ state: 'failed' })
    return id
  }

  it('stay failed whatever happens to their issue, and can still be made', async () => {
    await failToMake()
    const calls = double.calls.length
    await desk.setStatus('resolved')
    await desk.settle()
    expect(double.calls).toHaveLength(calls)
    expect(await desk.only()).toMatchObject({ state: 'failed', error: expect.stringContaining('401') as string })
    await desk.make()
    await desk.settle()
    expect(await desk.only()).toMatchObject({ state: 'open', key: '#1' })
  })

  it('are tried again when they are put back', async () => {
    const id = await failToMake()
    await desk.tickets.remove(desk.actor(), id)
    expect(await desk.tickets.restore(desk.actor(), id)).toBe(true)
    await desk.settle()
    expect(await desk.only()).toMatchObject({ state: 'open', key: '#1', error: null })
  })

  it('are tried once more when somebody asked for it during the try that failed', async () => {
    const id = await desk.make()
    const taken = await desk.queue.take(opened.clock.now())
    if (taken === null) throw new Error('nothing is due')
    await desk.tickets.check(desk.actor(), id)
    await desk.queue.fail(taken, 'The tracker refused it.', null, opened.clock.now())
    await desk.settle()
    expect(await desk.only()).toMatchObject({ state: 'open', key: '#1', error: null })
  })

  it('are made anew where they are gone', async () => {
    const id = await desk.make()
    await desk.settle()
    double.tickets.splice(0, 1, { id: '1000', key: '#1000', title: 'Of somebody else', body: '', state: 'open' })
    await desk.tickets.check(desk.actor(), id)
    await desk.settle()
    expect(await desk.only()).toMatchObject({ state: 'gone' })
    await desk.make({ title: 'Made anew' })
    await desk.settle()
    expect(await desk.only()).toMatchObject({ id, state: 'open', key: '#2', title: 'Made anew', error: null })
  })

  it('keep what they shall be while the token sees nothing, and are told later', async () => {
    const id = await desk.make()
    await desk.settle()
    const [ticket] = double.tickets
    await desk.setStatus('resolved')
    // The ticket and its repository alike.
    double.hidden = true
    await desk.settle()
    expect(await desk.only()).toMatchObject({
      state: 'open',
      wanted: 'closed',
      error: expect.stringContaining('does not see it') as string,
    })
    const { lastError } = (await desk.trackers.find(1, desk.trackerId)) ?? {}
    expect(lastError).toContain('does not see it')
    double.hidden = false
    await desk.tickets.check(desk.actor(), id)
    await desk.settle()
    expect(ticket?.state).toBe('closed')
    expect(await desk.only()).toMatchObject({ state: 'closed', wanted: null, error: null })
  })

  it('are looked at again, though gone, when their issue changes', async () => {
    const id = await desk.make()
    await desk.settle()
    const [ticket] = double.tickets.splice(0)
    if (ticket === undefined) throw new Error('no ticket was made')
    await desk.setStatus('resolved')
    await desk.settle()
    expect(await desk.only()).toMatchObject({ state: 'gone', wanted: 'closed' })
    // Somebody brought it back from the bin.
    double.tickets.push(ticket)
    await desk.setStatus('unresolved')
    await desk.settle()
    expect(await desk.only()).toMatchObject({ id, state: 'open', wanted: null, error: null })
  })
})
