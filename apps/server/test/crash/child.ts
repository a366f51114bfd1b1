import { randomUUID } from 'node:crypto'
import { serializeEnvelope } from '@firsthand/protocol'
import { readConfig } from '../../src/config.ts'
import { createDigestHandle, openSpool } from '../../src/ingest/index.ts'
import type { SpoolPosition } from '../../src/ingest/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import type { Telemetry } from '../../src/storage/index.ts'

/**
 * A server without HTTP: `child.ts <data folder> load` appends at full speed and writes `<event id>` for each
 * acknowledged record, until it is killed; `child.ts <data folder> finish` digests what is left and exits.
 */
const [dataDir = '', mode = ''] = process.argv.slice(2)
const CONCURRENCY = 32
const BACKLOG_BYTES = 1024 * 1024

const logger = createLogger(
  'warn',
  (line) => process.stderr.write(line),
  () => systemClock.now(),
)
const openProduct = async (): Promise<Telemetry> => {
  const { openProductStores } = await import('./product-stores.ts')
  return openProductStores(dataDir, logger)
}
const product = process.env['CRASH_STORES'] === 'product' ? await openProduct() : null
const config = {
  ...readConfig({ FIRSTHAND_DATA_DIR: dataDir }),
  telemetry: product?.endpoint ?? ({ kind: 'engine', socketPath: 'not used' } as const),
}
const spool = await openSpool({
  directory: `${dataDir}/spool`,
  logger,
  limits: { reserveBytes: 0, segmentBytes: 256 * 1024 },
})
let settled: SpoolPosition = { segment: -1, offset: 0 }
let check = (): void => undefined
const digest = createDigestHandle({
  config,
  spool: {
    handle: spool.handle,
    whenHeavy: (begin) => spool.whenHeavy(begin),
    settled: (position) => {
      settled = position
      spool.settled(position)
      check()
    },
  },
  logger,
  clock: systemClock,
  onNews: () => undefined,
  worker: new URL('./digest-worker.ts', import.meta.url),
})

const envelope = (id: string): Uint8Array =>
  serializeEnvelope({ event_id: id }, [
    {
      header: { type: 'event' },
      payload: Buffer.from(JSON.stringify({ message: id.slice(0, 1), pad: 'x'.repeat(500) })),
    },
    { header: { type: 'form_data' }, payload: Buffer.from('{}') },
  ])

/** One in so many is heavy, and goes the other way to the stores. */
const HEAVY_EVERY = 3

const appendForEver = async (): Promise<never> => {
  for (let count = 0; ; count += 1) {
    // What a killed child leaves has to be digested by the next one: enough for several batches is enough.
    while (spool.backlogBytes() > BACKLOG_BYTES) await new Promise((resolve) => setTimeout(resolve, 1))
    const id = randomUUID().replaceAll('-', '')
    await spool.append({
      kind: 'envelope',
      receivedAt: Date.now(),
      sender: {
        organizationId: 1,
        projectId: 7,
        keyId: 3,
        clientAddress: null,
        userAgent: null,
        origin: null,
        sdk: 'crash/1',
      },
      body: envelope(id),
      ...(count % HEAVY_EVERY === 0 && { isHeavy: true as const }),
    })
    process.stdout.write(`${id}\n`)
  }
}

if (mode === 'load') {
  await Promise.all(Array.from({ length: CONCURRENCY }, appendForEver))
} else {
  // A record of its own marks the end, so that there is something to settle in any case.
  await spool.append({ kind: 'outcomes', receivedAt: Date.now(), outcomes: [] })
  const end = spool.end()
  await new Promise<void>((resolve) => {
    check = () => {
      if (settled.segment === end.segment && settled.offset === end.offset) resolve()
    }
    check()
  })
  await digest.drain()
  await spool.close()
  await product?.close()
}
