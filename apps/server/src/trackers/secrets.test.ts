import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import type { Double } from './test/double.ts'
import { DOUBLES } from './test/doubles.ts'
import { openTrackers, type OpenedTrackers } from './test/open-trackers.ts'

const [SQLITE] = LEDGER_ENGINES
if (SQLITE === undefined) throw new Error('there is nothing to test with')

describe.each(DOUBLES)('secrets of $name', ({ start }) => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers

  beforeEach(async () => {
    opened = await SQLITE.open()
    double = await start()
    desk = await openTrackers(opened, double)
  })
  afterEach(async () => {
    await double.close()
    await opened.close()
  })

  it('stand neither in an answer, nor in the ledger, nor in the log where a tracker says what it was sent', async () => {
    await desk.make()
    await desk.settle()
    const { authorization, 'private-token': privateToken } = double.calls[0]?.headers ?? {}
    const sent = String(authorization ?? privateToken)
    const secrets = [double.secrets['token'], sent.split(' ').at(-1)].map(String)
    const { id } = await desk.only()
    // The second is so long that it is cut within what was sent.
    for (const message of [`bad ${sent}`, `bad ${'x'.repeat(LIMITS.TRACKER_SENTENCE_CHARS - 60)} ${sent}`]) {
      double.next = { kind: 'refuse', status: 400, json: { message, errors: [{ message }] } }
      await desk.tickets.check(desk.actor(), id)
      await desk.settle()
      const after = await desk.only()
      expect(after.error).toContain('bad')
      const kept = await opened.ledger.db.selectFrom('trackers').select('last_error').execute()
      const said = JSON.stringify([after, kept, desk.lines])
      for (const secret of secrets) expect(said).not.toContain(secret.slice(0, 12))
    }
  })
})
