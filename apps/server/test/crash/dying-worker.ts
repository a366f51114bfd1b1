import { join } from 'node:path'
import { runDigestWorker } from '../../src/ingest/index.ts'
import type { ItemKind } from '../../src/ingest/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { openTestStores } from './test-stores.ts'

/** A digest's thread that ends over every event with "deadly" in it, at the step that `DIE_AT` names. */
const logger = createLogger(
  'warn',
  (line) => process.stderr.write(line),
  () => systemClock.now(),
)

const dieOver = (payloads: readonly Uint8Array[]): void => {
  // In a thread it ends the thread.
  if (payloads.some((payload) => Buffer.from(payload).includes('deadly'))) process.exit(7)
}

await runDigestWorker(
  async (config) => {
    const stores = openTestStores(join(config.dataDir, 'stores'))
    const [events, ...others] = stores.kinds
    if (events === undefined) throw new Error('The test stores have no kind of events.')
    const deadly: Partial<ItemKind> =
      process.env['DIE_AT'] === 'apply'
        ? {
            apply: async (work, entries, ready) => {
              dieOver(entries.map(({ item }) => item.item.payload))
              return (await events.apply?.(work, entries, ready)) ?? []
            },
          }
        : {
            expand: (item, context) => {
              dieOver([item.item.payload])
              return events.expand(item, context)
            },
          }
    return {
      ...stores,
      outcomes: stores.outcomeStore,
      kinds: [{ ...events, ...deadly }, ...others],
      logger,
      clock: systemClock,
      close: async () => stores.close(),
    }
  },
  { clock: systemClock, logger: () => logger },
)
