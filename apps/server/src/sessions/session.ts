/**
 * How a session stands, from bad news to worse. States are final in this order: what is worse stays, whatever is said
 * later, so that updates may come in any order and more than once.
 */
export const STATUSES = ['ok', 'exited', 'unhandled', 'abnormal', 'crashed'] as const
export type SessionStatus = (typeof STATUSES)[number]

export const rankOf = (status: SessionStatus): number => STATUSES.indexOf(status)

/** What an update says of its session. Instants are milliseconds since the epoch, by our clock. */
export interface SessionUpdate {
  /** 32 hex characters. */
  readonly session: string
  readonly startedAt: number
  readonly at: number
  /** Null where the SDK does not number updates. */
  readonly sequence: number | null
  readonly isFirst: boolean
  readonly status: SessionStatus
  readonly errors: number
  /** Null until it is known. */
  readonly durationMs: number | null
  /** '' for nobody that is known. */
  readonly user: string
  readonly release: string
  readonly environment: string
  /** How it became abnormal, e.g. `anr_foreground`; '' for none. */
  readonly mechanism: string
}

/** Sessions that a server has added up. Each is counted once: by how it ended. */
export interface SessionCount {
  readonly startedAt: number
  readonly user: string
  readonly release: string
  readonly environment: string
  readonly exited: number
  readonly errored: number
  readonly unhandled: number
  readonly abnormal: number
  readonly crashed: number
}
