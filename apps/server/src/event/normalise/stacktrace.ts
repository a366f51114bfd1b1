import { isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { Frame, Stacktrace } from '../event.ts'
import { readBag } from './bag.ts'
import { readAddress, readBoolean, readLenientText, readObject, readText } from './fields.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { type ReadFrames, CachedFrames } from './frame-cache.ts'
import { cut } from './text.ts'

/** Reads a stack trace (protocol.md 3.1.2). Undefined when it has no frame that says where it is. */
export const readStacktrace = (reading: Reading, parent: Raw, key: string): Stacktrace | undefined => {
  const raw = readObject(reading, parent, key)
  if (raw === undefined) return undefined
  const rawFrames = raw['frames']
  if (isAbsent(rawFrames)) return undefined
  reading.enter(key)
  let read: ReadFrames | undefined
  if (rawFrames instanceof CachedFrames) read = rawFrames.take((list) => reading.watch(() => readFrames(reading, list)))
  else if (Array.isArray(rawFrames)) read = readFrames(reading, rawFrames)
  else reading.invalid('frames', rawFrames, 'expected a list')
  const stacktrace = read === undefined || read.frames.length === 0 ? undefined : stacktraceOf(read, raw)
  if (stacktrace !== undefined) {
    const registers = readBag(reading, raw, 'registers', EVENT_LIMITS.SMALL_BAG_DEPTH, EVENT_LIMITS.MEDIUM_BAG_CHARS)
    if (registers !== undefined) stacktrace.registers = registers
    const snapshot = readBoolean(reading, raw, 'snapshot')
    if (snapshot !== undefined) stacktrace.snapshot = snapshot
    for (const key of ['lang', 'instruction_addr_adjustment'] as const) {
      const text = readText(reading, raw, key, EVENT_LIMITS.WORD_CHARS)
      if (text !== undefined) stacktrace[key] = text
    }
  }
  reading.leave()
  return stacktrace
}

const stacktraceOf = ({ frames, dropped }: ReadFrames, raw: Raw): Stacktrace => {
  if (dropped > 0) return { frames, frames_omitted: [0, dropped] }
  const omitted = readOmitted(raw['frames_omitted'])
  return omitted === undefined ? { frames } : { frames, frames_omitted: omitted }
}

const readFrames = (reading: Reading, rawFrames: readonly unknown[]): ReadFrames => {
  const dropped = Math.max(0, rawFrames.length - EVENT_LIMITS.FRAMES)
  const keptCount = rawFrames.length - dropped
  const frames: Frame[] = []
  reading.enter('frames')
  for (let index = dropped; index < rawFrames.length; index++) {
    const rawFrame = rawFrames[index]
    if (isAbsent(rawFrame)) continue
    if (!isObject(rawFrame)) {
      reading.invalid(index, rawFrame, 'expected a frame')
      continue
    }
    reading.enter(index)
    const frame = readFrame(reading, rawFrame, hasDetails(index - dropped, keptCount))
    reading.leave()
    if (frame === undefined)
      reading.invalid(index, rawFrame, 'a frame needs a filename, function, module, package, source line or address')
    else frames.push(frame)
  }
  reading.leave()
  return { frames, dropped }
}

const readOmitted = (value: unknown): readonly [number, number] | undefined => {
  if (!Array.isArray(value)) return undefined
  const [from, to]: readonly unknown[] = value
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) ? [Number(from), Number(to)] : undefined
}

/** Variables and source context stay at both ends of a long stack (protocol.md check 62). */
const hasDetails = (index: number, count: number): boolean =>
  count <= EVENT_LIMITS.FRAMES_WITH_DETAILS ||
  index < EVENT_LIMITS.FRAMES_WITH_DETAILS / 2 ||
  index >= count - EVENT_LIMITS.FRAMES_WITH_DETAILS / 2

/** Reads a frame (protocol.md 3.1.3). */
const readFrame = (reading: Reading, raw: Raw, withDetails: boolean): Frame | undefined => {
  const frame: Frame = {}
  readPlace(reading, raw, frame)
  readSource(reading, raw, frame, withDetails)
  for (const key in raw) {
    if (RARE_FIELDS.has(key)) {
      readRareFields(reading, raw, frame)
      break
    }
  }
  const acceptable =
    frame.filename !== undefined ||
    frame.function !== undefined ||
    frame.module !== undefined ||
    frame.instruction_addr !== undefined ||
    frame.package !== undefined ||
    frame.context_line !== undefined ||
    frame.raw_function !== undefined
  return acceptable ? frame : undefined
}

const readPlace = (reading: Reading, raw: Raw, frame: Frame): void => {
  const absPath = readPath(reading, raw, 'abs_path')
  const filename = readPath(reading, raw, 'filename')
  const path = absPath ?? filename
  if (path !== undefined) {
    frame.filename = cut(
      filename === undefined || filename === path ? shortPath(path) : filename,
      EVENT_LIMITS.NAME_CHARS,
    )
    frame.abs_path = path
  }
  const name = readText(reading, raw, 'function', EVENT_LIMITS.SYMBOL_CHARS)
  if (name !== undefined) frame.function = name
  const module = readText(reading, raw, 'module', EVENT_LIMITS.SYMBOL_CHARS)
  if (module !== undefined) frame.module = module
  const lineno = readPosition(reading, raw, 'lineno')
  if (lineno !== undefined) frame.lineno = lineno
  const colno = readPosition(reading, raw, 'colno')
  if (colno !== undefined) frame.colno = colno
}

const readPath = (reading: Reading, raw: Raw, key: string): string | undefined => {
  const value = raw[key]
  if (typeof value === 'string') return value === '' ? undefined : cut(value, EVENT_LIMITS.ABSOLUTE_PATH_CHARS)
  if (!isAbsent(value)) reading.invalid(key, value, 'expected a path')
  return undefined
}

/** Browsers send the whole URL as the filename; its path is what one reads. */
const shortPath = (path: string): string => {
  if (!path.startsWith('http')) return path
  const match = /^https?:\/\/[^/?#\s]+(\/[^?#\s]+)/.exec(path)
  return match?.[1] ?? path
}

/** Lines and columns count from 1; 0 is unknown. */
const readPosition = (reading: Reading, raw: Raw, key: string): number | undefined => {
  const value = raw[key]
  if (isAbsent(value) || value === 0) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  reading.invalid(key, value, 'expected a line or column number, from 1')
  return undefined
}

const readSource = (reading: Reading, raw: Raw, frame: Frame, withDetails: boolean): void => {
  if (withDetails) {
    const before = readLines(reading, raw, 'pre_context')
    // The lines nearest to the frame's own are the last ones before it and the first ones after it.
    if (before !== undefined) frame.pre_context = before.slice(-EVENT_LIMITS.SOURCE_LINES)
    const line = raw['context_line']
    if (typeof line === 'string') frame.context_line = cut(line, EVENT_LIMITS.SOURCE_LINE_CHARS)
    else if (!isAbsent(line)) reading.invalid('context_line', line, 'expected a string')
    const after = readLines(reading, raw, 'post_context')
    if (after !== undefined) frame.post_context = after.slice(0, EVENT_LIMITS.SOURCE_LINES)
    const vars = readBag(
      reading,
      raw,
      'vars',
      EVENT_LIMITS.VARIABLES_DEPTH,
      EVENT_LIMITS.MEDIUM_BAG_CHARS,
      'index-keys',
    )
    if (vars !== undefined) frame.vars = vars
  } else if (typeof raw['context_line'] === 'string') {
    // Grouping looks at this line; it is small enough to stay.
    frame.context_line = cut(raw['context_line'], EVENT_LIMITS.SOURCE_LINE_CHARS)
  }
  const inApp = readBoolean(reading, raw, 'in_app')
  if (inApp !== undefined) frame.in_app = inApp
}

/** Lines keep their places: one that is not a string becomes empty. */
const readLines = (reading: Reading, raw: Raw, key: string): string[] | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) {
    reading.invalid(key, value, 'expected a list of lines')
    return undefined
  }
  const lines: string[] = []
  for (const line of value) lines.push(typeof line === 'string' ? cut(line, EVENT_LIMITS.SOURCE_LINE_CHARS) : '')
  return lines.length > 0 ? lines : undefined
}

const RARE_FIELDS = new Set([
  'raw_function',
  'package',
  'platform',
  'data',
  'instruction_addr',
  'symbol_addr',
  'image_addr',
  'addr_mode',
  'stack_start',
  'source_link',
  'lock',
  'native',
  'function_id',
  'symbol',
  'trust',
  'lang',
])

const readRareFields = (reading: Reading, raw: Raw, frame: Frame): void => {
  const rawFunction = readText(reading, raw, 'raw_function', EVENT_LIMITS.SYMBOL_CHARS)
  if (rawFunction !== undefined) frame.raw_function = rawFunction
  const packageName = readText(reading, raw, 'package', EVENT_LIMITS.NAME_CHARS)
  if (packageName !== undefined) frame.package = packageName
  const platform = readText(reading, raw, 'platform', EVENT_LIMITS.WORD_CHARS)
  if (platform !== undefined) frame.platform = platform
  const data = readBag(reading, raw, 'data', EVENT_LIMITS.SMALL_BAG_DEPTH, EVENT_LIMITS.MEDIUM_BAG_CHARS)
  if (data !== undefined) frame.data = data
  const instruction = readAddress(reading, raw, 'instruction_addr')
  if (instruction !== undefined) frame.instruction_addr = instruction
  const symbol = readAddress(reading, raw, 'symbol_addr')
  if (symbol !== undefined) frame.symbol_addr = symbol
  const image = readAddress(reading, raw, 'image_addr')
  if (image !== undefined) frame.image_addr = image
  const addressMode = readText(reading, raw, 'addr_mode', EVENT_LIMITS.WORD_CHARS)
  if (addressMode !== undefined) frame.addr_mode = addressMode
  const stackStart = readBoolean(reading, raw, 'stack_start')
  if (stackStart !== undefined) frame.stack_start = stackStart
  const sourceLink = readText(reading, raw, 'source_link', EVENT_LIMITS.ABSOLUTE_PATH_CHARS)
  if (sourceLink !== undefined) frame.source_link = sourceLink
  readRuntimeFields(reading, raw, frame)
}

/** What only some run-times say of a frame: Java its locks, .NET the number of the function, others how it was found. */
const readRuntimeFields = (reading: Reading, raw: Raw, frame: Frame): void => {
  const lock = readBag(reading, raw, 'lock', EVENT_LIMITS.SMALL_BAG_DEPTH, EVENT_LIMITS.SMALL_BAG_CHARS)
  if (lock !== undefined) frame.lock = lock
  const native = readBoolean(reading, raw, 'native')
  if (native !== undefined) frame.native = native
  for (const key of ['function_id', 'trust', 'lang'] as const) {
    const text = readLenientText(reading, raw, key, EVENT_LIMITS.WORD_CHARS)
    if (text !== undefined) frame[key] = text
  }
  const symbol = readText(reading, raw, 'symbol', EVENT_LIMITS.SYMBOL_CHARS)
  if (symbol !== undefined) frame.symbol = symbol
}
