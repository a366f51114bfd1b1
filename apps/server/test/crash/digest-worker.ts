import { composeDigest } from '../../src/compose-digest.ts'
import { runDigestWorker } from '../../src/ingest/index.ts'
import type { ComposeDigest } from '../../src/ingest/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { createFaults } from './faults.ts'
import { testProcessors } from './test-steps.ts'
import { openTestStores } from './test-stores.ts'

/**
 * The digest's thread of the crash tests, with stores that kill the process where `CRASH_AT` says: the file-backed ones
 * of these tests, or those of the product (`CRASH_STORES=product`).
 */
const logger = createLogger(
  'warn',
  (line) => process.stderr.write(line),
  () => systemClock.now(),
)

const composeTest: ComposeDigest = async (config) => {
  const stores = openTestStores(`${config.dataDir}/stores`)
  return { ...stores, processors: testProcessors(), logger, clock: systemClock, close: async () => stores.close() }
}

await runDigestWorker(
  async (config) => {
    const fault = process.env['CRASH_AT']
    if (fault === 'throw') throw new TypeError('the stores cannot be opened')
    const compose = process.env['CRASH_STORES'] === 'product' ? composeDigest : composeTest
    const composition = await compose(config)
    const { ledger, telemetry } = composition
    const faults = createFaults(fault)
    return {
      ...composition,
      ledger: {
        apply: (batch) => faults.around('apply', () => ledger.apply(batch)),
        settle: (spool, batch) => faults.around('settle', () => ledger.settle(spool, batch)),
        progress: (spool) => ledger.progress(spool),
      },
      telemetry: { ...telemetry, write: (batch) => faults.around('write', () => telemetry.write(batch)) },
    }
  },
  { clock: systemClock, logger: () => logger },
)
