import { parentPort } from 'node:worker_threads'
import type { ReplayRequest } from '@firsthand/contract'
import { decodeSegment } from '../read/decode-segment.ts'
import { readRequestAt } from './read-request.ts'

/** Entry of the thread that reads requests out of recordings: see requests.ts. */

export interface RequestAsked {
  /** A segment, as it was sent. */
  readonly payload: Uint8Array
  /** Milliseconds by the visitor's clock. */
  readonly at: number
  /** Of the one that is asked for among those that began then. */
  readonly place: number
}

const port = parentPort
if (port === null) throw new Error('The thread that reads requests was started as a program')

port.on('message', ({ at, payload, place }: RequestAsked) => {
  const decoded = decodeSegment(payload)
  const found: ReplayRequest | null = decoded.ok ? readRequestAt(decoded.value.events, { at, place }) : null
  port.postMessage(found, [])
})
