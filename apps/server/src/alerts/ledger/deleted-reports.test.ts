import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { noteFacts } from '../../facts/index.ts'
import { readUserReport } from '../../feedback/read-feedback.ts'
import { deletedReports } from '../../feedback/report-facts.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent } from '../../issues/test/sample-events.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createAlertRetention } from '../expiry.ts'
import { LIMITS } from '../limits.ts'
import { createAlertWorld, MINUTE_MS, type AlertWorld } from '../test/alert-world.ts'

describe.each(LEDGER_ENGINES)('what alerts keep of what visitors said, on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld

  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
  }, 240_000)
  afterEach(() => opened.close())

  /** Visitors say something, each about an event of their own. */
  const say = async (batchNumber: number, ...said: readonly string[]): Promise<void> => {
    const events = said.map((comments) => ledgerEvent({ seed: comments }))
    const feedback = said.flatMap((comments, index) => {
      const eventId = events[index]?.grouped.event.event_id
      const about = { eventId: null, receivedAt: BASE_TIME, userAgent: null }
      const report = readUserReport({ event_id: eventId, comments, name: 'Ada Lovelace' }, about)
      const ids = { organizationId: 1, projectId: 1, keyId: 1 }
      const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
      const threadToken = `${batchNumber}x${index}`.padEnd(32, 't')
      const more = { receivedAt: BASE_TIME, addressHash: '', attachments: 0, threadToken, spam }
      return report === null ? [] : [{ ...ids, ...more, report }]
    })
    const store = createIssueStore(opened)
    await store.apply(ledgerBatch(batchNumber, events, { feedback }))
    await store.settle('main', batchNumber)
    await world.run()
  }
  const remove = async (...ids: readonly number[]): Promise<void> => {
    const rows = ids.map((id) => ({ id, project_id: 1 }))
    await opened.ledger.transaction((transaction) =>
      noteFacts(transaction, deletedReports(rows, world.actor()), world.clock.now()),
    )
    await world.run()
  }
  const headlines = async () => (await world.incidents()).map(({ headline, subject }) => [subject, headline])

  it('goes with the report, whether it was told, waits to be told or was held back', async () => {
    await world.add({ trigger: { source: 'happened', kinds: ['report_received'] }, maxMessagesPerHour: 2 })
    await say(1, 'My card was declined', 'My password is lost')
    await say(2, 'My address is wrong')
    expect(JSON.stringify(await headlines())).toContain('My card was declined')
    await remove(1, 2)
    const gone = 'Feedback that was deleted'
    expect(await headlines()).toEqual([
      ['report:1', gone],
      ['report:2', gone],
      ['report:3', expect.stringContaining('My address is wrong')],
    ])
    const told = world.headlines().length
    await world.wait(2 * MINUTE_MS + LIMITS.ALERT_GATHER_LONG_MS)
    expect(JSON.stringify(world.messages().slice(told))).not.toContain('My password')
  })

  it('and each incident goes so long after its end', async () => {
    await world.add({ trigger: { source: 'happened', kinds: ['report_received'] } })
    await say(1, 'My card was declined')
    const { sweep } = createAlertRetention({ ledger: opened.ledger, purge: world.rules.purge })
    const { signal } = new AbortController()
    const kept = LIMITS.ALERT_INCIDENT_KEPT_DAYS * DAY_MS
    await sweep?.(BASE_TIME + kept, signal)
    expect(await world.incidents()).toHaveLength(1)
    await sweep?.(BASE_TIME + kept + 1, signal)
    expect(await world.incidents()).toEqual([])
  })
})
