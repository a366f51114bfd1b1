import { runDigestWorker } from '../../src/ingest/index.ts'
import type { ComposeDigest, ItemKind } from '../../src/ingest/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { createFaults } from './faults.ts'
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
  return { ...stores, outcomes: stores.outcomeStore, logger, clock: systemClock, close: async () => stores.close() }
}

/** Loaded by nobody else: all capabilities take longer to load than most children live. */
const composeProduct: ComposeDigest = async (config) => {
  const { composeDigest } = await import('../../src/compose-digest.ts')
  return composeDigest(config)
}

await runDigestWorker(
  async (config) => {
    const fault = process.env['CRASH_AT']
    if (fault === 'throw') throw new TypeError('the stores cannot be opened')
    const composition = await (process.env['CRASH_STORES'] === 'product' ? composeProduct : composeTest)(config)
    const { ledger, kinds, outcomes } = composition
    const faults = createFaults(fault)
    return {
      ...composition,
      ledger: {
        apply: (batch) => faults.around('apply', () => ledger.apply(batch)),
        settle: (spool, batch) => faults.around('settle', () => ledger.settle(spool, batch)),
        progress: (spool) => ledger.progress(spool),
      },
      kinds: kinds.map((kind): ItemKind => {
        const { write } = kind
        return write === undefined
          ? kind
          : { ...kind, write: (rows, to) => faults.around('write', () => write.call(kind, rows, to)) }
      }),
      outcomes: { write: (rows, token) => faults.around('write', () => outcomes.write(rows, token)) },
    }
  },
  { clock: systemClock, logger: () => logger },
)
