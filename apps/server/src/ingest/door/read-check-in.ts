import { encodeUtf8, normaliseEventId } from '@firsthand/protocol'
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
 * overrides. The slug of the path wins.
 */
export const readCheckIn = (request: {
  readonly slug: string
  readonly query: string
  readonly body: Uint8Array
  readonly contentType: string | undefined
  readonly limits: Limits
}): Result<Draft, Refusal> => {
  const { body, query, limits } = request
  const slug = decodeSlug(request.slug)
  if (slug === '') return err(invalid('monitor slug is missing'))
  if (body.byteLength > limits.CHECK_IN_BYTES) {
    return err(refuse(413, 'too_large', `item of type check_in is larger than ${limits.CHECK_IN_BYTES} bytes`))
  }
  let fields: Record<string, unknown> = Object.create(null)
  if (body.byteLength > 0 && mediaType(request.contentType) === 'application/json') {
    const read = readJsonObject(body, limits.JSON_DEPTH)
    if (!read.ok) return err(refuse(400, 'invalid_json', 'invalid JSON in check-in', { causes: [read.error] }))
    fields = read.value
  }

  const status = queryParameter(query, 'status') ?? fields['status']
  if (typeof status !== 'string' || status === '') return err(invalid('status is missing: in_progress, ok or error'))
  const givenId = queryParameter(query, 'check_in_id') ?? fields['check_in_id']
  const checkInId = givenId === undefined || givenId === null ? LATEST : normaliseEventId(givenId)
  if (checkInId === null) return err(invalid('check_in_id is not a UUID'))
  const givenDuration = queryParameter(query, 'duration')
  const duration = givenDuration === null ? fields['duration'] : Number(givenDuration)
  if (givenDuration !== null && !(givenDuration !== '' && Number(givenDuration) >= 0 && Number.isFinite(duration))) {
    return err(invalid('duration is not a number of seconds'))
  }
  const environment = queryParameter(query, 'environment') ?? fields['environment']

  const payload = { ...fields, check_in_id: checkInId, monitor_slug: slug, status, duration, environment }
  return ok(makeDraft(null, [makeItem('check_in', encodeUtf8(JSON.stringify(payload)))]))
}

const invalid = (detail: string): Refusal => refuse(400, 'invalid_check_in', detail)

const decodeSlug = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray per cent sign: the slug is taken as it came.
    return text
  }
}
