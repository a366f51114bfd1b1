import { composeDigest } from '../../src/compose-digest.ts'
import { runDigestWorker } from '../../src/ingest/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { WITH_GREETINGS } from './greetings.ts'

/** The digest's thread of a server that knows greetings. */
const logger = createLogger(
  'warn',
  (line) => process.stderr.write(line),
  () => systemClock.now(),
)
await runDigestWorker((config) => composeDigest(config, WITH_GREETINGS), { clock: systemClock, logger: () => logger })
