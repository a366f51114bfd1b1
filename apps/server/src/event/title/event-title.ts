import type { Exception, Frame, NormalisedEvent } from '../event.ts'
import type { EventTitle } from '../event.ts'
import { readCsp } from '../csp.ts'
import { shortNativeName } from './native-name.ts'

/** Characters of a title, and of the value inside it (protocol.md 3.1.10). */
const TITLE_CHARACTERS = 256

/** What grouping found out that the title needs. */
export interface TitleHints {
  /** The exception that names the issue; by default the last. */
  readonly main?: Exception | undefined
  /** The title that a fingerprint rule gave. */
  readonly title?: string | undefined
}

/**
 * What lists show for an event: for exceptions `type: first line of the value`, for messages their first line, for
 * browser reports what was blocked (protocol.md 3.1.10). Reads `in_app`, so it runs after in-app marking.
 */
export const createEventTitle = (event: NormalisedEvent, hints: TitleHints = {}): EventTitle => {
  const own = createOwnTitle(event, hints.main ?? event.exception?.values.at(-1))
  if (hints.title === undefined || hints.title === '') return own
  const title = cut(firstLine(hints.title))
  return { ...own, title, metadata: { ...own.metadata, title } }
}

const createOwnTitle = (event: NormalisedEvent, exception: Exception | undefined): EventTitle => {
  if (event.csp !== undefined) return cspTitle(event)
  const report = event.hpkp ?? event.expectct ?? event.expectstaple ?? event.nel
  if (report !== undefined) return reportTitle(event)
  const frame = crashFrame(event, exception)
  const culprit = createCulprit(event, exception, frame)
  if (exception !== undefined) return exceptionTitle(event, exception, frame, culprit)
  const message = firstLine(event.logentry?.formatted || event.logentry?.message || '')
  const title = message === '' ? '<unlabeled event>' : cut(message)
  return { title, culprit, metadata: { title } }
}

const exceptionTitle = (
  event: NormalisedEvent,
  exception: Exception,
  frame: Frame | undefined,
  culprit: string,
): EventTitle => {
  const metadata: Record<string, string> = {}
  const synthetic = exception.mechanism?.synthetic === true
  const type = exception.type ?? ''
  const value = cut(firstLine(exception.value ?? ''))
  // A message with the place it was sent from (SDK 11): the message is the title, as for any message.
  const native = synthetic && event.platform !== 'javascript' && event.platform !== 'node'
  const called = native ? crashFunction(event, exception) : undefined
  if (called !== undefined) {
    if (type !== '') metadata['type'] = type
    if (exception.value !== undefined) metadata['value'] = cut(exception.value, 1024)
    return { title: cut(called), culprit, metadata: withPlace(metadata, frame) }
  }
  if (type === '') {
    const title = cut(firstLine(event.logentry?.formatted || exception.value || '')) || UNNAMED_ERROR
    if (synthetic || value === '') return { title, culprit, metadata: { title } }
    return { title, culprit, metadata: withPlace({ value }, frame) }
  }
  metadata['type'] = type
  if (exception.value !== undefined) metadata['value'] = cut(exception.value, 1024)
  withPlace(metadata, frame)
  return { title: cut(value === '' ? type : `${type}: ${value}`), culprit, metadata }
}

/** An error that says nothing but where it was. */
const UNNAMED_ERROR = 'Error'

const withPlace = (metadata: Record<string, string>, frame: Frame | undefined): Record<string, string> => {
  const filename = frame?.filename ?? frame?.abs_path
  if (filename !== undefined) metadata['filename'] = cut(filename)
  if (frame?.function !== undefined) metadata['function'] = cut(frame.function)
  return metadata
}

const cspTitle = (event: NormalisedEvent): EventTitle => {
  const { directive, source } = readCsp(event.csp ?? {})
  const kind = directive.replace(/-src(?:-elem|-attr)?$/, '') || 'resource'
  const title = cut(describeViolation(kind, source))
  return { title, culprit: cut(directive), metadata: { directive, uri: source, message: title } }
}

const describeViolation = (kind: string, source: string): string => {
  switch (source) {
    case "'inline'":
      return `Blocked inline '${kind}'`
    case "'eval'":
      return `Blocked unsafe eval() '${kind}'`
    case "'self'":
      return `Blocked '${kind}' from 'self'`
    default:
      return source.endsWith(':')
        ? `Blocked '${kind}' from '${source}'`
        : `Blocked '${kind}' from '${source || 'unknown'}'`
  }
}

const REPORT_NAMES: Readonly<Record<string, string>> = {
  hpkp: 'Public key pinning validation failed for',
  expectct: 'Expect-CT failed for',
  expectstaple: 'Expect-Staple failed for',
  nel: 'Network error at',
}

const reportTitle = (event: NormalisedEvent): EventTitle => {
  const report = event.hpkp ?? event.expectct ?? event.expectstaple ?? event.nel ?? {}
  const place = report['hostname'] ?? report['url']
  const host = typeof place === 'string' ? place : 'unknown host'
  const title = cut(`${REPORT_NAMES[event.type] ?? 'Report about'} '${host}'`)
  return { title, culprit: cut(host), metadata: { title, message: title, origin: cut(host) } }
}

const crashFrames = (event: NormalisedEvent, exception: Exception | undefined): readonly Frame[] => {
  const threads = event.threads?.values ?? []
  return (
    exception?.stacktrace?.frames ??
    event.stacktrace?.frames ??
    (threads.find((thread) => thread.crashed === true) ?? threads.find((thread) => thread.current === true))?.stacktrace
      ?.frames ??
    []
  )
}

/** The in-app frame nearest to the crash, else the crashing frame. */
const crashFrame = (event: NormalisedEvent, exception: Exception | undefined): Frame | undefined => {
  const frames = crashFrames(event, exception)
  return frames.findLast((frame) => frame.in_app === true) ?? frames.at(-1)
}

const UNKNOWN_FUNCTIONS = new Set(['', '?', '<redacted>', '<unknown>'])

/** The function nearest to the crash that has a name: the project's own if there is one. */
const crashFunction = (event: NormalisedEvent, exception: Exception): string | undefined => {
  const named = crashFrames(event, exception).filter(({ function: name = '' }) => !UNKNOWN_FUNCTIONS.has(name))
  const name = (named.findLast((frame) => frame.in_app === true) ?? named.at(-1))?.function
  return name === undefined ? undefined : shortNativeName(name)
}

const CULPRIT_CHARACTERS = 200
/** Their functions say where they are; files and images do not. */
const NAMED_BY_FUNCTION = new Set(['native', 'cocoa', 'objc'])

/** As Sentry's: what the SDK made up has none of its own. */
const createCulprit = (event: NormalisedEvent, exception: Exception | undefined, frame: Frame | undefined): string => {
  if (event.transaction !== undefined && event.transaction !== '') return cut(event.transaction, CULPRIT_CHARACTERS)
  if (frame === undefined || exception?.mechanism?.synthetic === true) return ''
  const place = frame.module ?? frame.filename ?? frame.abs_path ?? ''
  const called = frame.function ?? '?'
  const platform = frame.platform ?? event.platform
  if (NAMED_BY_FUNCTION.has(platform)) {
    return cut(frame.function ?? nativePlaceOf(event, exception) ?? called, CULPRIT_CHARACTERS)
  }
  if (platform === 'javascript' || platform === 'node') {
    return cut(place === '' ? called : `${called}(${place})`, CULPRIT_CHARACTERS)
  }
  return cut(place === '' ? called : `${place} in ${called}`, CULPRIT_CHARACTERS)
}

/** Where code without a name was; of what jumped to where no code is, where it jumped from. */
const nativePlaceOf = (event: NormalisedEvent, exception: Exception | undefined): string | null => {
  const frames = crashFrames(event, exception)
  const places = frames.toReversed().map(nativePlace)
  return places.find((place) => place !== null) ?? null
}

/** Its library and how far into it, which say more of a frame without a name than its address. */
const nativePlace = ({ image_addr: image, instruction_addr: address, package: library = '' }: Frame): string | null => {
  if (library === '' || image === undefined || address === undefined) return null
  const offset = BigInt(address) - BigInt(image)
  const file = library.slice(Math.max(library.lastIndexOf('/'), library.lastIndexOf('\\')) + 1)
  return offset < 0n ? file : `${file}+0x${offset.toString(16)}`
}

/** Without leading blank lines. */
const firstLine = (text: string): string => {
  const trimmed = text.slice(0, 8192).trim()
  const end = trimmed.search(/[\r\n]/)
  return end === -1 ? trimmed : trimmed.slice(0, end).trimEnd()
}

/** Cut to `limit` characters with `...`, without splitting a surrogate pair (protocol.md 4.6, check 106). */
const cut = (text: string, limit = TITLE_CHARACTERS): string => {
  if (text.length <= limit) return text
  let end = limit - 3
  const last = text.charCodeAt(end - 1)
  if (last >= 0xd800 && last <= 0xdbff) end--
  return `${text.slice(0, end)}...`
}
