import { parentPort } from 'node:worker_threads'
import { functionNamesOf, NO_FUNCTIONS } from '../maps/function-names.ts'
import { prepareMap } from '../maps/prepared-map.ts'
import { readSourceMap } from '../maps/source-map.ts'
import type { PrepareAnswer, PrepareRequest } from './messages.ts'

/** Entry of the thread that prepares source maps: see prepare-maps.ts. It has no store. */

const port = parentPort
if (port === null) throw new Error('The thread that prepares source maps was started as a program')

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

const answerTo = ({ map, code }: PrepareRequest): PrepareAnswer => {
  const read = readSourceMap(textOf(map))
  if (!read.ok) return { kind: 'refused', sentence: read.error }
  const functions = code === null ? NO_FUNCTIONS : functionNamesOf(textOf(code), read.value)
  return { kind: 'prepared', prepared: prepareMap(read.value, functions) }
}

port.on('message', (request: PrepareRequest) => {
  const answer = answerTo(request)
  port.postMessage(answer, answer.kind === 'prepared' ? [answer.prepared.buffer as ArrayBuffer] : [])
})
