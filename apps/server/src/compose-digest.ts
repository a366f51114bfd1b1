import { createProjectLookup } from './accounts/index.ts'
import {
  createClientReportProcessor,
  createErrorProcessor,
  createKeepProcessor,
  createUnsupportedProcessor,
} from './ingest/index.ts'
import type { DigestComposition, DigestConfig } from './ingest/index.ts'
import { createFeedbackProcessor } from './feedback/index.ts'
import { filter } from './issues/filter/index.ts'
import { group } from './issues/grouping/index.ts'
import { normalise } from './issues/normalise/index.ts'
import { readJson } from './issues/normalise/read-json.ts'
import { scrub } from './issues/scrub/index.ts'
import { systemClock } from './lib/clock.ts'
import { createLogger } from './lib/logger.ts'
import { blobsOf, openLedgerOf } from './compose-stores.ts'
import { connectTelemetry } from './storage/index.ts'
import { createAccountStore } from './storage/ledger/accounts.ts'
import { installationSecret } from './storage/ledger/installation-secret.ts'
import { createIssueStore } from './storage/ledger/issue-store.ts'
import { createTelemetryStore } from './storage/telemetry/telemetry-store.ts'

/** Builds what the digest's thread works with. */
export const composeDigest = async (config: DigestConfig): Promise<DigestComposition> => {
  const clock = systemClock
  const logger = createLogger(config.logLevel, (line) => process.stderr.write(line), clock.now)
  const ledger = await openLedgerOf(config, { logger, clock })
  const keyFor = await installationSecret(ledger)
  const client = connectTelemetry(config.telemetry)
  return {
    ledger: createIssueStore({ ledger, clock }),
    telemetry: createTelemetryStore({ client }),
    blobs: blobsOf(config),
    projects: createProjectLookup({ store: createAccountStore(ledger), clock }),
    processors: [
      createErrorProcessor({ normalise, filter, scrub, group }),
      createFeedbackProcessor({
        normalise,
        scrub,
        readJson,
        addressKey: keyFor('addresses'),
        threadKey: keyFor('threads'),
      }),
      createKeepProcessor(),
      createClientReportProcessor(),
      createUnsupportedProcessor(),
    ],
    logger,
    clock,
    close: async () => {
      await client.close()
      await ledger.close()
    },
  }
}
