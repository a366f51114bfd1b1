import { composeDigest } from '../../src/compose-digest.ts'
import { runDigestWorker } from '../../src/ingest/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { BEFORE_SESSIONS } from './before-sessions.ts'

/** The digest's thread of a server from before sessions were counted. */
const logger = createLogger(
  'warn',
  (line) => process.stderr.write(line),
  () => systemClock.now(),
)
await runDigestWorker((config) => composeDigest(config, BEFORE_SESSIONS), { clock: systemClock, logger: () => logger })
