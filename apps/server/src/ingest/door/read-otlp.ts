import { err, ok, type Result } from '../../lib/result.ts'
import { readJsonObject } from './admit.ts'
import { makeDraft, makeItem, type Draft } from './draft.ts'
import { mediaType } from './read-reports.ts'
import { refuse, type Refusal } from './refusal.ts'
import type { Limits } from './door.ts'

/** OpenTelemetry exports, kept whole with their content type (protocol.md 2.1 and check 48). */
export const readOtlp = (
  type: 'otel_traces_data' | 'otel_log',
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
    const read = readJsonObject(body, limits.JSON_DEPTH)
    if (!read.ok) return err(refuse(400, 'invalid_json', 'invalid JSON in export', { causes: [read.error] }))
  }
  return ok(makeDraft(null, [makeItem(type, body, { content_type: media })]))
}
