import { decodeUtf8, encodeUtf8, normaliseEventId, parseDsn } from '@firsthand/protocol'
import type { Item } from '@firsthand/protocol'
import { makeDraft, makeItem, queryParameter, readJsonObject, refuse } from '../ingest/index.ts'
import type { DoorForm, DoorLimits, Draft, Refusal } from '../ingest/index.ts'
import { err, ok, type Result } from '../lib/result.ts'

/** Two older ways to say something about an event (protocol.md 2.8). Both become a `user_report` item. */

/** `{event_id, name?, email?, comments}` as JSON. */
const readUserFeedback = (body: Uint8Array, limits: DoorLimits): Result<Draft, Refusal> => {
  if (body.byteLength > limits.EVENT_BYTES) return err(tooLarge(limits))
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
const readErrorPage = (body: Uint8Array, query: string, limits: DoorLimits): Result<Draft, Refusal> => {
  if (body.byteLength > limits.EVENT_BYTES) return err(tooLarge(limits))
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

/** Before it is parsed: nothing that long would be kept. */
const tooLarge = (limits: DoorLimits): Refusal =>
  refuse(413, 'too_large', `item of type user_report is larger than ${limits.EVENT_BYTES} bytes`)

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

const draftOf = (eventId: string, report: Readonly<Record<string, unknown>>): Draft =>
  makeDraft(eventId, [makeItem('user_report', encodeUtf8(JSON.stringify({ event_id: eventId, ...report })))])

/** As Sentry answers a report: what was said, with the id that it gave the event. */
const reportOf = (item: Item | undefined, receivedAt: number): object => {
  if (item === undefined) return {}
  const { event_id, name, email, comments } = JSON.parse(decodeUtf8(item.payload)) as Record<string, unknown>
  return { eventID: event_id, name, email, comments, dateCreated: new Date(receivedAt).toISOString() }
}

/** The one address of the web API that a DSN opens: `/api/0/projects/{org}/{project}/user-feedback/`. */
const userFeedback: DoorForm = {
  name: 'user_feedback',
  match: ([api, name, _organization, project = '', last, ...more]) =>
    api === '0' && name === 'projects' && last === 'user-feedback' && more.length === 0 ? { project } : null,
  // Reports with a token are the application's.
  leaves: ({ method, headers }) =>
    method !== 'OPTIONS' && (method !== 'POST' || !/^\s*dsn\s/i.test(headers.authorization ?? '')),
  read: (body, _query, limits) => readUserFeedback(body, limits),
  answer: (eventId, item, receivedAt) => ({ id: eventId, ...reportOf(item, receivedAt) }),
}

/** Where the dialog of `Sentry.showReportDialog` posts its form. */
const errorPage: DoorForm = {
  name: 'error_page',
  match: ([embed, name, ...more]) =>
    embed === 'embed' && name === 'error-page' && more.length === 0 ? { project: null } : null,
  keyIn: (query) => parseDsn(queryParameter(query, 'dsn') ?? '')?.publicKey ?? null,
  // The dialog's script.
  leaves: ({ method }) => method === 'GET' || method === 'HEAD',
  read: readErrorPage,
  unknownKey: refuse(404, 'unknown_key', 'no project has this DSN', {
    causes: ['Compare the DSN with the one in the project settings.'],
  }),
  answer: () => ({}),
}

export const REPORT_FORMS: readonly DoorForm[] = [userFeedback, errorPage]
