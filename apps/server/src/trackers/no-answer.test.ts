import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOutgoing } from '../lib/outgoing.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { callTracker } from './ask-tracker.ts'
import { TrackerFailure } from './kinds/failure.ts'
import type { Double, Interruption } from './test/double.ts'
import { DOUBLES } from './test/doubles.ts'
import { openTrackers, type OpenedTrackers } from './test/open-trackers.ts'

const [ENGINE] = LEDGER_ENGINES
if (ENGINE === undefined) throw new Error('there is no ledger to test with')

type Refusal = Omit<Extract<Interruption, { readonly kind: 'refuse' }>, 'kind' | 'status'>

/** What others answer with 200 where a tracker is looked for. */
const OTHERS: readonly { readonly name: string; readonly answer: Refusal; readonly says?: string }[] = [
  {
    name: 'the page by which a proxy has people sign in',
    answer: { headers: { 'content-type': 'text/html; charset=utf-8' }, text: '<!doctype html><title>Sign in</title>' },
    says: 'came text/html, which is no JSON',
  },
  { name: 'nothing', answer: { text: '' } },
  {
    name: 'JSON of another program',
    answer: { json: { status: 'ok', uptime: 7 } },
    says: 'came an object with status, uptime',
  },
  { name: 'a list', answer: { json: [] }, says: 'came a list' },
  { name: 'a word', answer: { json: 'ok' } },
  { name: 'a JSON null', answer: { text: 'null' } },
  {
    name: 'fields of other types',
    answer: { json: { full_name: {}, has_issues: 'yes', key: [], issueTypes: 1, data: [] } },
  },
  {
    name: 'another place',
    answer: {
      json: {
        full_name: 'else/where',
        has_issues: true,
        path_with_namespace: 'else/where',
        key: 'ELSE',
        issueTypes: [],
      },
    },
  },
]

describe.each(DOUBLES)('the test of a connection to $name', ({ start }) => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers

  beforeEach(async () => {
    opened = await ENGINE.open()
    double = await start()
    desk = await openTrackers(opened, double)
  })
  afterEach(async () => {
    await double.close()
    await opened.close()
  })

  const test = async (): Promise<string> => {
    const tracker = await desk.trackers.find(1, desk.trackerId)
    if (tracker === null) throw new Error('there is no connection')
    const outgoing = createOutgoing({ allowedRanges: ['127.0.0.1'] })
    return callTracker(
      { outgoing, now: opened.clock.now, trackers: desk.trackers, despiteRest: true },
      tracker,
      (kind, target, ask) => kind.test(target, ask),
    )
  }

  it('is passed by what the tracker answers, and by nothing that another program does', async () => {
    expect(await test()).toContain('The token reads')
    for (const { answer, name, says = '' } of OTHERS) {
      double.next = { kind: 'refuse', status: 200, ...answer }
      const outcome = await test().catch((error: unknown) => error)
      expect(outcome, name).toBeInstanceOf(TrackerFailure)
      expect((outcome as Error).message, name).toContain('This is no answer of')
      expect((outcome as Error).message, name).toContain(says)
    }
    expect(await test()).toContain('The token reads')
  })
})
