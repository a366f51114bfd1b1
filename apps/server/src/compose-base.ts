import type { Capability } from './capability.ts'
import type { Config } from './config.ts'
import type { Clock } from './lib/clock.ts'
import type { Findings } from './lib/findings.ts'
import type { Logger } from './lib/logger.ts'
import type { BlobStore } from './storage/blobs/blobs.store.ts'
import type { Ledger, Telemetry } from './storage/index.ts'

/** What every part of a server is built with. */
export interface ServerBase {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Logger
  readonly findings: Findings
  readonly capabilities: readonly Capability[]
}

export interface ServerStores {
  readonly ledger: Ledger
  readonly telemetry: Telemetry
  readonly blobs: BlobStore
}
