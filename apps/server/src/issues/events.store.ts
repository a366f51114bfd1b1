import type { Frame } from '../event/event.ts'
import type { GroupedEvent } from './grouped.ts'

/** What only the store itself can read. */
export interface EventRow {
  readonly bytes: Uint8Array
  /** Frames that the event has in common with others, stored once for all of them. */
  readonly stacks: readonly SharedStack[]
}

export interface SharedStack {
  /** 32 hex characters, a hash of the frames. */
  readonly id: string
  readonly frames: readonly Frame[]
  /** The Sunday of the event's week, as milliseconds since the epoch: a stack lives as long as the events of a week. */
  readonly keptUntil: number
}

export interface StoredEvent {
  readonly organizationId: number
  readonly projectId: number
  readonly issueId: number
  readonly row: EventRow
}

export interface EventToStore {
  readonly receivedAt: number
  readonly grouped: GroupedEvent
  readonly traceId: string | null
  readonly spanId: string | null
  readonly replayId: string | null
}
