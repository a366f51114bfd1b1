import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { stackOf } from '../../lib/error-text.ts'
import { LIMITS } from '../limits.ts'
import { lineAddedByUpload, withoutLine } from '../maps/added-line.ts'
import { functionsOf } from '../maps/function-names.ts'
import { prepareMap, TooLargeToPrepare } from '../maps/prepared-map.ts'
import { readSourceMap } from '../maps/source-map.ts'
import { prepareMapping } from '../retrace/prepare-mapping.ts'
import type { PrepareAnswer, PrepareMapRequest, PrepareRequest } from './messages.ts'
import { withSources } from './with-sources.ts'

/**
 * A process of its own that makes source maps and mappings into what frames are looked up in: see map-process.ts. What a map takes is
 * known when it is read, and JavaScript that has too little memory ends its whole process.
 */
if (process.send === undefined) throw new Error('The process that prepares source maps is started by Firsthand itself.')

/** Where the system has no such file, it has no such rule. */
const tellSystem = (file: string, value: string): void => {
  try {
    writeFileSync(`/proc/self/${file}`, value)
  } catch {
    // What it is told makes a bad end milder; maps are read as well without it.
  }
}

// A system that has no memory left shall end this process before the server or its engine.
tellSystem('oom_score_adj', '1000')
// What is left of it on disk when its memory was not enough shall have no sources of customers.
tellSystem('coredump_filter', '0')

new Worker(new URL('./server-watch.ts', import.meta.url), {
  workerData: { serverId: process.ppid, everyMs: LIMITS.PREPARE_WATCH_MS },
}).unref()

const headOf = (path: string): string => {
  const head = Buffer.alloc(LIMITS.CODE_HEAD_BYTES)
  const file = openSync(path, 'r')
  try {
    return head.toString('utf8', 0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

const mapAnswer = ({ code, map, out, sources, url }: PrepareMapRequest): PrepareAnswer => {
  const read = readSourceMap(readFileSync(map, 'utf8'))
  if (!read.ok) return { kind: 'refused', sentence: read.error }
  const functions = functionsOf(read.value, code?.isParsed === true ? readFileSync(code.path, 'utf8') : null)
  const added = code === null ? null : lineAddedByUpload(headOf(code.path), url)
  const running = added === null ? { map: read.value, functions } : withoutLine(read.value, functions, added)
  const prepared = prepareMap(withSources(running.map, url, sources), running.functions)
  writeFileSync(out, prepared)
  return { kind: 'prepared', bytes: prepared.byteLength, sha256: createHash('sha256').update(prepared).digest('hex') }
}

const answerTo = (request: PrepareRequest): PrepareAnswer => {
  // What was made before may be a blob by now, under a second name of the same file: it must not be written over.
  if (lstatSync(request.out, { throwIfNoEntry: false })?.isFile() === true) rmSync(request.out)
  if (request.kind === 'map') return mapAnswer(request)
  const made = prepareMapping(request.mapping, request.out)
  return made.ok ? { kind: 'prepared', ...made.value } : { kind: 'refused', sentence: made.error }
}

/** Faults that say nothing about the map. */
const MACHINE = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

const isOfTheMachine = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && MACHINE.has(String(error.code))

const TOO_LARGE = `This source map is larger than ${LIMITS.PREPARED_MAP_BYTES} bytes when it is read, so it is not used. Split the build into several files.`

const faultOf = (error: unknown): PrepareAnswer => {
  if (error instanceof TooLargeToPrepare) return { kind: 'refused', sentence: TOO_LARGE }
  return { kind: isOfTheMachine(error) ? 'away' : 'failed', error: stackOf(error) }
}

process.on('message', (request: PrepareRequest) => {
  let answer: PrepareAnswer
  try {
    answer = answerTo(request)
  } catch (error) {
    answer = faultOf(error)
  }
  process.send?.(answer)
})
