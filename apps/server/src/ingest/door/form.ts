import type { IncomingMessage } from 'node:http'
import type { Item } from '@firsthand/protocol'
import type { KeyContext } from '../../accounts/settings.ts'
import type { Result } from '../../lib/result.ts'
import type { Limits } from './door.ts'
import type { Draft } from './draft.ts'
import type { Refusal } from './refusal.ts'

/**
 * An address at which people, not SDKs, send something that becomes an envelope, e.g. a form. It belongs to a capability;
 * the door does for it what it does for all others: key, room, size, origin, quota, spool.
 */
export interface DoorForm {
  /** How the specification calls the route. */
  readonly name: string
  /**
   * @param segments of the path behind `/api/`
   * @returns the project that the path names, if it does; null when it is another address
   */
  readonly match: (segments: readonly string[]) => { readonly project: string | null } | null
  /** The public key that the query names in its own way, if it does. */
  readonly keyIn?: (query: string) => string | null
  /** Requests at the same address that the application answers. */
  readonly leaves?: (request: IncomingMessage) => boolean
  readonly read: (body: Uint8Array, query: string, limits: Limits) => Result<Draft, Refusal>
  /** Instead of the door's own words. */
  readonly unknownKey?: Refusal
  /** JSON of the answer. */
  readonly answer: (eventId: string | null, item: Item | undefined, receivedAt: number) => object
}

/** Adds to the answer to an envelope that holds an item of some type. */
export type ItemAnswer = (sent: {
  readonly request: IncomingMessage
  readonly key: Pick<KeyContext, 'projectId' | 'settings'>
  readonly eventId: string
  /** Of the item. */
  readonly payload: Uint8Array
}) => object
