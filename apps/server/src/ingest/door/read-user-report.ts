import { decodeUtf8, encodeUtf8, normaliseEventId } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { readJsonObject } from './admit.ts'
import type { Limits } from './door.ts'
import { makeDraft, makeItem, type Draft } from './draft.ts'
import { queryParameter } from './query.ts'
import { refuse, type Refusal } from './refusal.ts'

/** Two older ways to say something about an event (protocol.md 2.8). Both become a `user_report` item. */

/** `{event_id, name?, email?, comments}` as JSON. */
export const readUserFeedback = (body: Uint8Array, limits: Limits): Result<Draft, Refusal> => {
  const json = readJsonObject(body, limits.JSON_DEPTH)
  if (!json.ok) return err(refuse(400, 'invalid_json', 'invalid JSON in the report', { causes: [json.error] }))
  const { event_id, name, email, comments } = json.value
  const problems: Record<string, string[]> = {}
  const eventId = typeof event_id === 'string' ? normaliseEventId(event_id) : null
  if (eventId === null) problems['event_id'] = ['This must be the 32 hexadecimal digits of an event.']
  if (isBlank(comments)) problems['comments'] = ['This field is required.']
  if (eventId === null || problems['comments'] !== undefined) {
    return err(refuse(400, 'invalid_report', 'the report is not complete', { fields: problems }))
  }
  return ok(draftOf(eventId, { name, email, comments, source: 'user_feedback' }))
}

/** What the report dialog posts: a form, with the event in the query. */
export const readErrorPage = (body: Uint8Array, query: string): Result<Draft, Refusal> => {
  const eventId = normaliseEventId(queryParameter(query, 'eventId') ?? '')
  if (eventId === null) {
    return err(
      refuse(400, 'invalid_report', 'the event is missing', { fields: { eventId: 'Missing or invalid parameter.' } }),
    )
  }
  const form = new URLSearchParams(decodeUtf8(body))
  const comments = form.get('comments')
  if (isBlank(comments)) {
    const fields = { errors: { comments: ['This field is required.'] } }
    return err(refuse(400, 'invalid_report', 'the report is not complete', { fields }))
  }
  const report = { name: form.get('name'), email: form.get('email'), comments, source: 'error_page' }
  return ok(draftOf(eventId, report))
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

const draftOf = (eventId: string, report: Readonly<Record<string, unknown>>): Draft =>
  makeDraft(eventId, [makeItem('user_report', encodeUtf8(JSON.stringify({ event_id: eventId, ...report })))])
