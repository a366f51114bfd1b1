import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { stackOf } from '../../lib/error-text.ts'
import { LIMITS } from '../limits.ts'
import { functionNamesOf, NO_FUNCTIONS } from '../maps/function-names.ts'
import { prepareMap } from '../maps/prepared-map.ts'
import { readSourceMap } from '../maps/source-map.ts'
import type { PrepareAnswer, PrepareRequest } from './messages.ts'

/**
 * A process of its own that makes source maps into what frames are looked up in: see map-process.ts. What a map takes is
 * known when it is read, and JavaScript that has too little memory ends its whole process.
 */
if (process.send === undefined) throw new Error('The process that prepares source maps is started by Firsthand itself.')

const answerTo = ({ code, map, out }: PrepareRequest): PrepareAnswer => {
  const read = readSourceMap(readFileSync(map, 'utf8'))
  if (!read.ok) return { kind: 'refused', sentence: read.error }
  const functions = code === null ? NO_FUNCTIONS : functionNamesOf(readFileSync(code, 'utf8'), read.value)
  const prepared = prepareMap(read.value, functions)
  // What is too large for use is refused, and fills no disk.
  if (prepared.byteLength <= LIMITS.PREPARED_MAP_BYTES) writeFileSync(out, prepared)
  return { kind: 'prepared', bytes: prepared.byteLength, sha256: createHash('sha256').update(prepared).digest('hex') }
}

/** Faults that say nothing about the map. */
const MACHINE = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

const isOfTheMachine = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && MACHINE.has(String(error.code))

process.on('message', (request: PrepareRequest) => {
  let answer: PrepareAnswer
  try {
    answer = answerTo(request)
  } catch (error) {
    answer = { kind: isOfTheMachine(error) ? 'away' : 'failed', error: stackOf(error) }
  }
  process.send?.(answer)
})
