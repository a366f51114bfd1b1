import type { Config } from '../../config.ts'
import type { TelemetryEndpoint } from '../../storage/telemetry/telemetry.ts'
import type { SpoolPosition } from '../road.ts'
import type { SpoolHandle } from '../spool/spool-reader.ts'
import type { BackfillProgress } from './backfill-board.ts'
import type { DigestState } from './retry.ts'
import type { Announcement } from './settle-batch.ts'

/** What the worker opens its own connections with. */
export interface DigestConfig extends Config {
  /** Where telemetry answers: the main thread has started its engine. */
  readonly telemetry: TelemetryEndpoint
}

export type DigestPart = 'light' | 'heavy'

/** What the main thread and the digest worker say to each other. */
export interface DigestWorkerData {
  readonly config: DigestConfig
  readonly spool: SpoolHandle
  /** Heavy records have a thread of their own. */
  readonly part: DigestPart
  /** The thread before this one died. */
  readonly followsDeath: boolean
}

export type ToWorker = { readonly type: 'drain' }

export type FromWorker =
  | { readonly type: 'settled'; readonly position: SpoolPosition }
  /** Nothing before it is this thread's to store. */
  | { readonly type: 'passed'; readonly position: SpoolPosition }
  /** Projects of which so much that is heavy waits that the door takes no more of it. */
  | { readonly type: 'crowded'; readonly projects: readonly number[] }
  | { readonly type: 'news'; readonly news: readonly Announcement[] }
  | { readonly type: 'state'; readonly state: DigestState }
  /** Told once, by each thread: the backfills that have something to do. */
  | { readonly type: 'backfills'; readonly waiting: readonly BackfillProgress[] }
  | { readonly type: 'backfill'; readonly progress: BackfillProgress }
