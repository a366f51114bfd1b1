import type { ProjectLookup } from '../../accounts/settings.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { LIMITS } from '../limits.ts'
import type { AcceptedEnvelope, OutcomeRow } from '../road.ts'
import type { StagedFile } from '../spool/staging.ts'
import type { ByteQuotas } from './byte-quotas.ts'
import type { DoorForm, ItemAnswer } from './form.ts'
import type { ItemRules } from './item-rules.ts'
import type { ExportCheck } from './otlp-answer.ts'
import type { Quotas } from './quotas.ts'

/** `LIMITS`, or smaller ones in a test. */
export type Limits = { readonly [Name in keyof typeof LIMITS]: number }

/** How the spool is doing: `behind` → 429, `full` → 503. */
export type Pressure = 'ok' | 'behind' | 'full' | 'gone'

/** PORT, what the door needs of the spool. */
interface SpoolInlet {
  /** Resolves when the bytes are on disk; rejects when they cannot be kept. */
  append(record: AcceptedEnvelope): Promise<void>
  /** Begins a file for a payload that is too large for a record; rejects when nothing can be kept. */
  stage(): Promise<StagedFile>
  pressure(): Pressure
  /** False while an organisation has its share of the backlog waiting. */
  hasShare(organizationId: number): boolean
  /** False while a project has so much waiting that is heavy that no more of it is taken. */
  takesHeavy(projectId: number): boolean
}

/** PORT, counts items that were refused at the door. Must not block and must not throw. */
export interface RefusedCounter {
  count(row: OutcomeRow): void
}

export interface DoorParts {
  readonly lookup: ProjectLookup
  readonly spool: SpoolInlet
  readonly refused: RefusedCounter
  readonly quotas: Quotas
  readonly bytes: Pick<ByteQuotas, 'take' | 'giveBack' | 'spent'>
  readonly limits: Limits
  readonly clock: Clock
  /** Told of each body that was received, in bytes. */
  readonly bodyDone?: (bytes: number) => void
  readonly logger: Logger
  /** Addresses or CIDR ranges whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[]
  /**
   * Host names, beside the one in the request's `Host`, that a DSN in a tunnelled envelope may name: those of the public
   * URL and of adopted DSNs.
   */
  readonly ownHosts?: readonly string[]
  /** One more path of the tunnel. */
  readonly tunnelPath?: string | null
  /** How items are looked at, by type. */
  readonly rules: ItemRules
  /** Addresses of capabilities to which people send. */
  readonly forms?: readonly DoorForm[]
  /** What senders of an item type get back besides the id. */
  readonly answers?: ReadonlyMap<string, ItemAnswer>
  /** Addresses of capabilities to which OpenTelemetry's exporters send: item types by the last word of the path. */
  readonly otlpAddresses?: ReadonlyMap<string, string>
  /** What senders of exports of OpenTelemetry are told, by item type. */
  readonly exports?: ReadonlyMap<string, ExportCheck>
}
