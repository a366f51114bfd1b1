import { parentPort } from 'node:worker_threads'
import type { ReplayRequest } from '@firsthand/contract'
import { decodeSegment } from '../read/decode-segment.ts'
import { readRequestsAt } from './read-request.ts'

/** Entry of the thread that reads requests out of recordings: see requests.ts. */

export interface RequestsAsked {
  /** A segment, as it was sent. */
  readonly payload: Uint8Array
  /** Milliseconds by the visitor's clock. */
  readonly at: number
  /** Characters of headers and bodies that may be answered. */
  readonly chars: number
}

const port = parentPort
if (port === null) throw new Error('The thread that reads requests was started as a program')

port.on('message', ({ at, chars, payload }: RequestsAsked) => {
  const decoded = decodeSegment(payload)
  const found: readonly ReplayRequest[] = decoded.ok ? readRequestsAt(decoded.value.events, { at, chars }) : []
  port.postMessage(found, [])
})
