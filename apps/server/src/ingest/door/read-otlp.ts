import { err, ok, type Result } from '../../lib/result.ts'
import { readJsonObject } from './admit.ts'
import { makeDraft, makeItem, type Draft } from './draft.ts'
import { isSurelyJsonObject } from './json-syntax.ts'
import { mediaType } from './read-reports.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Limits } from './door.ts'

/** OpenTelemetry exports, kept whole with their content type (protocol.md 2.1 and check 48). */
export const readOtlp = (
  type: string,
  body: Uint8Array,
  contentType: string | undefined,
  limits: Limits,
): Result<Draft, Refusal> => {
  const media = mediaType(contentType)
  if (media !== 'application/json' && media !== 'application/x-protobuf' && media !== 'application/protobuf') {
    return err(
      refuse(415, 'unsupported_media_type', 'unsupported content type', {
        causes: ['This route takes application/json and application/x-protobuf.'],
      }),
    )
  }
  if (media === 'application/json' && body.byteLength <= limits.CONTAINER_BYTES) {
    const cause = faultOf(body, limits)
    if (cause !== null) return err(refuse(400, 'invalid_json', 'invalid JSON in export', { causes: [cause] }))
  }
  return ok(makeDraft(null, [makeItem(type, body, { content_type: media })]))
}

/** Why the bytes are no JSON object; null when they are. Only small ones are parsed for the sake of a better sentence. */
const faultOf = (body: Uint8Array, limits: Limits): string | null => {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  const json = hasMark ? body.subarray(3) : body
  if (isSurelyJsonObject(json, limits.JSON_DEPTH)) return null
  if (body.byteLength > limits.EVENT_BYTES) return `not a JSON object of at most ${limits.JSON_DEPTH} levels`
  const read = readJsonObject(body, limits.JSON_DEPTH)
  return read.ok ? null : read.error
}
