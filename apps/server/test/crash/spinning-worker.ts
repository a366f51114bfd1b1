import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runDigestWorker } from '../../src/ingest/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { openTestStores } from './test-stores.ts'

/** A digest's thread that never comes back from its first item: in a loop or, where `SPIN` says so, in an expression. */
const logger = createLogger(
  'warn',
  (line) => process.stderr.write(line),
  () => systemClock.now(),
)

await runDigestWorker(
  async (config) => {
    const stores = openTestStores(join(config.dataDir, 'stores'))
    return {
      ...stores,
      outcomes: stores.outcomeStore,
      kinds: [
        {
          name: 'spinning',
          takes: ['event'],
          expand: () => {
            writeFileSync(join(config.dataDir, 'spinning'), '')
            if (process.env['SPIN'] === 'expression') /^(a+)+$/.test(`${'a'.repeat(80)}b`)
            for (;;);
          },
        },
      ],
      logger,
      clock: systemClock,
      close: async () => stores.close(),
    }
  },
  { clock: systemClock, logger: () => logger },
)
