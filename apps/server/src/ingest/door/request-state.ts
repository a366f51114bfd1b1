import type { IncomingMessage } from 'node:http'
import type { Item } from '@firsthand/protocol'
import type { KeyContext } from '../../accounts/settings.ts'
import type { ByteReservation } from './byte-budget.ts'
import type { DoorParts } from './door.ts'
import type { Outcomes } from './outcomes.ts'
import type { Route } from './route.ts'
import type { Stager } from './stager.ts'

/** What is known of one request so far. */
export interface RequestState {
  readonly request: IncomingMessage
  readonly route: Route
  readonly clientAddress: string | null
  receivedAt: number
  readonly reservation: ByteReservation
  readonly stager: Stager
  key: KeyContext | null
  sdk: string
  /** Of the uncompressed body. */
  bytes: number
  /** What was sent of it. */
  wireBytes: number
  /** Items whose end is not decided yet. */
  items: readonly Item[]
  /** Everything was counted already. */
  accounted: boolean
}

/** What all requests have in common. */
export interface DoorContext {
  readonly parts: DoorParts
  /** Lower case. */
  readonly ownHosts: ReadonlySet<string>
  readonly outcomes: Outcomes
  /** Logs that the spool did not take something. */
  readonly complain: (reason: unknown) => void
}
