import { join } from 'node:path'
import type { Accounts } from './accounts/index.ts'
import type { Served } from './capability.ts'
import type { ServerBase } from './compose-base.ts'
import { otlpAddressesOf, rulesOf } from './compose-routes.ts'
import type { Config } from './config.ts'
import { eventVolumeBytes } from './data-folder.ts'
import { createDoor } from './ingest/door.routes.ts'
import type { Door } from './ingest/door.routes.ts'
import { byteDefaults, createByteQuotas } from './ingest/door/byte-quotas.ts'
import { quotaWriter, readQuotas } from './ingest/door/quota-file.ts'
import { createQuotas } from './ingest/door/quotas.ts'
import { createSpikeProtection } from './ingest/door/spike-protection.ts'
import type { Refusals, Spool } from './ingest/index.ts'
import type { LedgerGuard } from './ledger-guard.ts'
import { collectWhenQuiet } from './lib/collect-when-quiet.ts'
import type { Logger } from './lib/logger.ts'
import { LIMITS } from './ingest/limits.ts'
import { uniqueEntries } from './lib/unique-entries.ts'

/** The way in for what SDKs send, with what the capabilities say about their items. */
export const composeDoor = (
  { capabilities, clock, config, logger }: ServerBase,
  served: readonly Served[],
  parts: {
    readonly lookup: Accounts['lookup']
    readonly spool: Spool
    readonly refusals: Refusals
    readonly quotas: ComposedQuotas
  },
): Door =>
  createDoor({
    lookup: parts.lookup,
    spool: parts.spool,
    refused: parts.refusals,
    quotas: createQuotas(parts.quotas.spikes),
    bytes: parts.quotas.bytes,
    rules: rulesOf(capabilities),
    otlpAddresses: otlpAddressesOf(capabilities),
    forms: served.flatMap(({ forms = [] }) => forms),
    exports: uniqueEntries(
      'answer to exports of type',
      served.flatMap(({ exports = {} }) => Object.entries(exports)),
    ),
    answers: uniqueEntries(
      'answer to items of type',
      served.flatMap(({ answers = {} }) => Object.entries(answers)),
    ),
    limits: LIMITS,
    clock,
    logger,
    bodyDone: collectWhenQuiet({ uncollectedBytes: LIMITS.UNCOLLECTED_BYTES, quietMs: LIMITS.COLLECT_QUIET_MS }),
    trustedProxies: config.trustedProxies,
    ownHosts: config.publicUrl === null ? [] : [new URL(config.publicUrl).hostname],
    tunnelPath: config.tunnelPath,
  })

type ComposedQuotas = Awaited<ReturnType<typeof composeQuotas>>

/** What senders may send, counted since before this start. */
export const composeQuotas = async (config: Config, logger: Logger) => {
  const file = join(config.dataDir, 'quotas.json')
  const counted = await readQuotas(file, logger)
  const bytes = createByteQuotas(byteDefaults(await eventVolumeBytes(config), config), counted.bytes)
  const spikes = createSpikeProtection(counted.hours)
  return { bytes, spikes, save: quotaWriter(file, bytes, spikes) }
}

/** The door asks the ledger of this server, and of no other that took its place. */
export const guardedLookup = (
  lookup: Accounts['lookup'],
  guard: Pick<LedgerGuard, 'assertSame'>,
  explain: (error: unknown) => void,
): Accounts['lookup'] => ({
  ...lookup,
  byPublicKey: async (publicKey) => {
    guard.assertSame()
    try {
      return await lookup.byPublicKey(publicKey)
    } catch (error) {
      explain(error)
      throw error
    }
  },
})
