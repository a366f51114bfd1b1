import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onBehalfOf } from '../../lib/caller-context.ts'
import { StoreFault } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import { silentLogger, temporaryFolder, unreadFindings } from '../conformance/engines.ts'
import type { Telemetry } from './telemetry.ts'
import { openTelemetry } from '../../../test/stores/open.ts'

describe('reads of callers at the embedded telemetry', () => {
  const folder = temporaryFolder()
  let telemetry: Telemetry
  beforeAll(async () => {
    telemetry = await openTelemetry({ dataDir: folder.path }, { logger: silentLogger, findings: unreadFindings() })
  })
  afterAll(async () => {
    await telemetry.close()
    folder.remove()
  })

  const read = async (query: string): Promise<void> => {
    await (await telemetry.client.query({ query, format: 'JSONEachRow' })).json()
  }

  it('slow ones of one organisation leave room for another and for the server itself', async () => {
    const ended: string[] = []
    const slow = Array.from({ length: LIMITS.ENGINE_CONCURRENT_STATEMENTS }, (_, index) =>
      onBehalfOf({ organizationId: 1, caller: `user:${index}` }, () => read('SELECT sleep(1.5)')).then(() =>
        ended.push('slow'),
      ),
    )
    const other = onBehalfOf({ organizationId: 2, caller: 'user:9' }, () => read('SELECT 1')).then(() =>
      ended.push('other'),
    )
    const own = read('SELECT 1').then(() => ended.push('server'))
    await Promise.all([...slow, other, own])
    // All four at once would have left no session to the two.
    expect(ended.slice(0, 2).toSorted()).toEqual(['other', 'server'])
    expect(ended).toHaveLength(slow.length + 2)
  })

  it('one for which others leave no memory is told to come again, not that it is too large', async () => {
    const large = onBehalfOf({ organizationId: 1, caller: 'user:1' }, () =>
      read(`SELECT length(groupArray(concat(repeat('x', 1000000), toString(number)))) FROM numbers(1000)
        SETTINGS max_memory_usage = 0`),
    )
    await expect(large).rejects.toThrow(/^More is asked of the telemetry at this moment than it can answer at once/)
    await onBehalfOf({ organizationId: 1, caller: 'user:1' }, () => read('SELECT 1'))
  })

  it('one that is stopped says so in a sentence, and the next is answered', async () => {
    const endless = onBehalfOf({ organizationId: 1, caller: 'user:1' }, () =>
      read('SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1 SETTINGS max_execution_time = 1'),
    )
    await expect(endless).rejects.toThrow(StoreFault)
    await expect(endless).rejects.toThrow(/^This search takes more time or memory than one may have/)
    await onBehalfOf({ organizationId: 1, caller: 'user:1' }, () => read('SELECT 1'))
  })
})
