import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import type { Double } from './test/double.ts'
import { startGitlab } from './test/gitlab-double.ts'
import { HOOK_SECRET, openTrackers, type OpenedTrackers } from './test/open-trackers.ts'
import { startGithub } from './test/repository-double.ts'

const [ENGINE] = LEDGER_ENGINES
if (ENGINE === undefined) throw new Error('there is no ledger to test with')

const CASES = [
  { name: 'GitHub', start: startGithub, says: ({ url }: Double) => `It is ${url}/acme/plans/issues/1 now.` },
  { name: 'GitLab', start: startGitlab, says: () => 'The page that it had says where it is.' },
]

describe.each(CASES)('tickets that somebody moves in $name', ({ start, says }) => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers

  beforeEach(async () => {
    opened = await ENGINE.open()
    double = await start()
    desk = await openTrackers(opened, double)
    await desk.make()
    await desk.settle()
  })
  afterEach(async () => {
    await double.close()
    await opened.close()
  })

  const move = async (): Promise<void> => {
    const [ticket] = double.tickets
    if (ticket === undefined) throw new Error('there is no ticket')
    ticket.isMoved = true
    await desk.hear(double.hook(ticket.id, HOOK_SECRET, { sentAt: opened.clock.now() }))
    await desk.settle()
  }

  it('change nothing here, and say where they are', async () => {
    await move()
    expect(await desk.status()).toBe('unresolved')
    expect(await desk.only()).toMatchObject({ state: 'open', error: expect.stringContaining(says(double)) as string })
    // The connection is as good as it was.
    expect(await desk.trackers.find(1, desk.trackerId)).toMatchObject({ lastError: null })
    // And nobody asks again by themselves.
    expect(await desk.queue.nextDueAt(opened.clock.now())).toBeNull()
  })

  it('are told nothing any more', async () => {
    await move()
    await desk.setStatus('resolved')
    await desk.settle()
    expect(double.tickets).toMatchObject([{ state: 'open' }])
    expect(await desk.only()).toMatchObject({ state: 'open', error: expect.stringContaining('moved') as string })
  })
})

describe('a repository that somebody renames at GitHub', () => {
  it('is a matter of the connection, not of its tickets', async () => {
    const opened = await ENGINE.open()
    const double = await startGithub()
    try {
      const desk = await openTrackers(opened, double)
      await desk.make()
      await desk.settle()
      for (const ticket of double.tickets) ticket.isMoved = true
      double.next = { kind: 'refuse', status: 301, path: '/api/v3/repos/acme/shop' }
      await desk.hear(double.hook('1', HOOK_SECRET, { sentAt: opened.clock.now() }))
      await desk.settle()
      const lastError = expect.stringContaining('leads elsewhere') as string
      expect(await desk.trackers.find(1, desk.trackerId)).toMatchObject({ lastError })
    } finally {
      await double.close()
      await opened.close()
    }
  })
})
