import { composeDigest } from './compose-digest.ts'
import { runDigestWorker } from './ingest/index.ts'
import { systemClock } from './lib/clock.ts'
import { createLogger } from './lib/logger.ts'

/** Entry of the digest's thread: see ingest/digest/digest-handle.ts. */
await runDigestWorker(composeDigest, {
  clock: systemClock,
  logger: (config) =>
    createLogger(
      config.logLevel,
      (line) => process.stderr.write(line),
      () => systemClock.now(),
    ),
})
