// Not by the face of the slice: that brings HTTP and the whole contract, megabytes of memory that this thread never needs.
import { createProjectLookup } from './accounts/project-lookup.ts'
import { createAccountStore } from './accounts/ledger/account-store.ts'
import type { Capability } from './capability.ts'
import { CAPABILITIES } from './capabilities.ts'
import { blobsOf, openLedgerOf } from './compose-stores.ts'
import type { DigestComposition, DigestConfig } from './ingest/index.ts'
import { systemClock } from './lib/clock.ts'
import { createLogger } from './lib/logger.ts'
import { createOutcomeRows } from './receipts/outcome-rows.ts'
import { connectTelemetry } from './storage/index.ts'
import { createDigestLedger } from './storage/ledger/digest-ledger.ts'
import { installationSecret } from './storage/ledger/installation-secret.ts'
import { createRowWriter } from './storage/telemetry/row-writer.ts'

/** Builds what the digest's thread works with. */
export const composeDigest = async (
  config: DigestConfig,
  capabilities: readonly Capability[] = CAPABILITIES,
): Promise<DigestComposition> => {
  const clock = systemClock
  const logger = createLogger(config.logLevel, (line) => process.stderr.write(line), clock.now)
  const ledger = await openLedgerOf(config, { logger, clock, capabilities, mustExist: true })
  const client = connectTelemetry(config.telemetry)
  const writer = createRowWriter({ client, logger })
  const blobs = blobsOf(config)
  const parts = { writer, ledger, clock, blobs, keyFor: await installationSecret(ledger), logger }
  const found = await Promise.all(capabilities.map(async ({ digest }) => (await digest?.(parts)) ?? []))
  const kinds = found.flat()
  return {
    ledger: createDigestLedger({ ledger, clock }),
    kinds,
    backfills: async () => {
      const all = await Promise.all(
        capabilities.map(async ({ backfills }) => (await backfills?.({ client, blobs, logger, kinds })) ?? []),
      )
      return all.flat()
    },
    outcomes: createOutcomeRows(writer),
    projects: createProjectLookup({ store: createAccountStore(ledger), clock }),
    logger,
    clock,
    close: async () => {
      await client.close()
      await ledger.close()
    },
  }
}
