import { decodeUtf8, encodeUtf8, normaliseEventId } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { readJsonObject } from './admit.ts'
import { makeDraft, makeItem, type Draft } from './draft.ts'
import { queryParameter } from './query.ts'
import { mediaType } from './read-reports.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Limits } from './door.ts'

/** Stands for "the latest check-in in progress" (protocol.md 3.8). */
const LATEST = '0'.repeat(32)

/**
 * A check-in by URL (protocol.md 2.6): query parameters, or a JSON body of a `check_in` payload whose fields the query
 * overrides. The slug of the path wins. What runs may also say how it went by the end of the path (`/start`, `/fail`,
 * `/log`, or its exit code), and send what it wrote as the body.
 */
export const readCheckIn = (request: {
  readonly slug: string
  /** The end of the path; null without one. */
  readonly action: string | null
  readonly query: string
  readonly body: Uint8Array
  readonly contentType: string | undefined
  readonly limits: Limits
}): Result<Draft, Refusal> => {
  const { body, query, limits } = request
  const slug = decodeSlug(request.slug)
  if (slug === '') return err(invalid('monitor slug is missing'))
  const isJson = mediaType(request.contentType) === 'application/json'
  if (isJson && body.byteLength > limits.CHECK_IN_BYTES) {
    return err(refuse(413, 'too_large', `item of type check_in is larger than ${limits.CHECK_IN_BYTES} bytes`))
  }
  let fields: Record<string, unknown> = Object.create(null)
  if (body.byteLength > 0 && isJson) {
    const read = readJsonObject(body, limits.JSON_DEPTH)
    if (!read.ok) return err(refuse(400, 'invalid_json', 'invalid JSON in check-in', { causes: [read.error] }))
    fields = read.value
  }

  const said = readAction(request.action)
  if (said === null) return err(invalid('the end of the path is start, fail, log or an exit code from 0 to 255'))
  const status = said.status ?? queryParameter(query, 'status') ?? fields['status']
  if (typeof status !== 'string' || status === '') return err(invalid('status is missing: in_progress, ok or error'))
  const givenId = queryParameter(query, 'check_in_id') ?? queryParameter(query, 'rid') ?? fields['check_in_id']
  const checkInId = givenId === undefined || givenId === null ? LATEST : normaliseEventId(givenId)
  if (checkInId === null) return err(invalid('check_in_id is not a UUID'))
  const givenDuration = queryParameter(query, 'duration')
  const duration = givenDuration === null ? fields['duration'] : Number(givenDuration)
  if (givenDuration !== null && !(givenDuration !== '' && Number(givenDuration) >= 0 && Number.isFinite(duration))) {
    return err(invalid('duration is not a number of seconds'))
  }
  const environment = queryParameter(query, 'environment') ?? fields['environment']
  const schedule = readSchedule(query)
  const log = isJson || body.byteLength === 0 ? undefined : readLog(body, limits)

  const payload = {
    ...fields,
    check_in_id: checkInId,
    monitor_slug: slug,
    status,
    duration,
    environment,
    ...(said.exitCode !== undefined && { exit_code: said.exitCode }),
    ...(schedule !== null && { monitor_config: schedule }),
    ...(log !== undefined && { log }),
  }
  return ok(makeDraft(null, [makeItem('check_in', encodeUtf8(JSON.stringify(payload)))]))
}

const invalid = (detail: string): Refusal => refuse(400, 'invalid_check_in', detail)

/** What the end of the path says. Null when that is nothing known. */
const readAction = (action: string | null): { readonly status?: string; readonly exitCode?: number } | null => {
  if (action === null) return {}
  if (action === 'start') return { status: 'in_progress' }
  if (action === 'fail') return { status: 'error' }
  if (action === 'log') return { status: 'log' }
  const exitCode = /^\d{1,3}$/.test(action) ? Number(action) : 256
  return exitCode > 255 ? null : { status: exitCode === 0 ? 'ok' : 'error', exitCode }
}

/** A schedule in the query makes what is not known yet, so that one line of a shell is enough to begin with. */
const readSchedule = (query: string): Readonly<Record<string, unknown>> | null => {
  const line = queryParameter(query, 'schedule')
  const every = /^(\d{1,5})([mhdw])$/.exec(queryParameter(query, 'every') ?? '')
  if (line === null && every === null) return null
  const number = (name: string): number | undefined => {
    const text = queryParameter(query, name)
    return text === null || !/^\d{1,6}$/.test(text) ? undefined : Number(text)
  }
  return {
    schedule: line === null ? [Number(every?.[1]), UNITS[every?.[2] ?? '']] : line,
    timezone: queryParameter(query, 'timezone') ?? undefined,
    checkin_margin: number('margin'),
    max_runtime: number('max_runtime'),
  }
}

const UNITS: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** Colours of terminals, and characters that no text has. */
// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const NOT_TEXT = /\u001B\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000B-\u001F\u007F]/g

/** The first bytes of what was written. */
const readLog = (body: Uint8Array, limits: Limits): string =>
  decodeUtf8(body.subarray(0, limits.CHECK_IN_BYTES)).replaceAll(NOT_TEXT, '')

const decodeSlug = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray per cent sign: the slug is taken as it came.
    return text
  }
}
