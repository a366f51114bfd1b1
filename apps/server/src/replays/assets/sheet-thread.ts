import { parentPort } from 'node:worker_threads'
import { readSheet, type SheetImport } from '@firsthand/recording'

/** Entry of the thread that reads style sheets: see sheet-reading.ts. */

export interface SheetRequest {
  readonly text: string
  /** Where it was fetched from, after redirects. */
  readonly url: string
  /** Addresses and imports that are read, each. */
  readonly most: number
}

export interface ReadSheet {
  readonly bytes: Uint8Array
  readonly imports: readonly SheetImport[]
  readonly addresses: readonly string[]
  readonly leftOut: readonly string[]
}

const port = parentPort
if (port === null) throw new Error('The thread that reads style sheets was started as a program')

port.on('message', ({ most, text, url }: SheetRequest) => {
  const { text: written, ...named } = readSheet(text, url, most)
  const answer: ReadSheet = { ...named, bytes: new TextEncoder().encode(written) }
  port.postMessage(answer, [])
})
