import type { ApiEvent, EventSummary } from '@firsthand/contract'
import type { JsonObject } from '../event/event.ts'
import { releaseJson } from '../issues/index.ts'
import { breadcrumbJson, dateOf, userJson } from './feedback-json.ts'
import type { FeedbackRecord, FeedbackRow } from './inbox.store.ts'

/** Sentry's number of the type of issue that feedback is. */
const FEEDBACK_TYPE = 6001

const TITLE = 'User Feedback'

const userOf = (user: JsonObject | null): ApiEvent['user'] => {
  const known = userJson(user)
  if (known === null) return null
  const { id, username, email, ipAddress } = known
  return {
    id: id || null,
    email: email || null,
    username: username || null,
    name: null,
    ip_address: ipAddress || null,
    geo: null,
    data: null,
  }
}

/** What Sentry keeps of a report as a context of its event. */
const contextOf = ({ associatedEventId, email, message, name, replayId, source, url }: FeedbackRow) => ({
  type: 'feedback',
  message,
  contact_email: email,
  name,
  source,
  ...(url === '' ? {} : { url }),
  ...(associatedEventId === null ? {} : { associated_event_id: associatedEventId }),
  ...(replayId === null ? {} : { replay_id: replayId }),
})

const contextsOf = (record: FeedbackRow): ApiEvent['contexts'] => {
  const { browser, os, traceId } = record
  return {
    feedback: contextOf(record),
    ...(browser === '' ? {} : { browser: { type: 'browser', name: browser } }),
    ...(os === '' ? {} : { os: { type: 'os', name: os } }),
    ...(traceId === null ? {} : { trace: { type: 'trace', trace_id: traceId } }),
  }
}

const occurrenceOf = (record: FeedbackRow): ApiEvent['occurrence'] => {
  const { email, message, name, source } = record
  return {
    id: record.eventId,
    projectId: record.project.id,
    eventId: record.eventId,
    fingerprint: [record.eventId],
    issueTitle: TITLE,
    subtitle: message,
    resourceId: null,
    evidenceData: { contact_email: email, message, name, source },
    evidenceDisplay: [
      { name: 'message', value: message, important: true },
      ...(email === '' ? [] : [{ name: 'contact_email', value: email, important: true }]),
      ...(name === '' ? [] : [{ name: 'name', value: name, important: true }]),
    ],
    type: FEEDBACK_TYPE,
    detectionTime: record.createdAt / 1000,
    level: 'info',
    culprit: '',
  }
}

/** Its own, and those that every event has. */
export const tagsOf = ({ environment, release, tags }: FeedbackRow) => [
  ...tags.map(({ key, value }) => ({ key, value })),
  ...(environment === '' ? [] : [{ key: 'environment', value: environment }]),
  ...(release === '' ? [] : [{ key: 'release', value: release }]),
]

/** A report in the shape of a row of an issue's events. */
export const reportAsEventRow = (record: FeedbackRow, groupID: string): EventSummary => ({
  id: record.eventId,
  eventID: record.eventId,
  groupID,
  projectID: String(record.project.id),
  'event.type': 'generic',
  message: record.message,
  title: TITLE,
  location: null,
  culprit: '',
  user: null,
  tags: tagsOf(record),
  platform: record.project.platform,
  dateCreated: dateOf(record.createdAt),
  crashFile: null,
  metadata: { title: TITLE, value: record.message },
})

/** A report in the shape of the event that Sentry makes of one. */
export const reportAsEvent = (
  record: FeedbackRecord,
  {
    groupID,
    next,
    previous,
  }: { readonly groupID: string; readonly next: string | null; readonly previous: string | null },
): ApiEvent => {
  const { details, eventId, project, release } = record
  const { breadcrumbs, fields, sdk, user } = details
  const dateCreated = dateOf(record.createdAt)
  return {
    id: eventId,
    eventID: eventId,
    groupID,
    projectID: String(project.id),
    projectSlug: project.slug,
    type: 'generic',
    title: TITLE,
    message: record.message,
    location: null,
    culprit: '',
    level: 'info',
    logger: '',
    platform: project.platform,
    dist: null,
    dateCreated,
    dateReceived: dateCreated,
    size: Buffer.byteLength(record.message),
    entries:
      breadcrumbs.length === 0
        ? []
        : [
            {
              type: 'breadcrumbs',
              data: { values: breadcrumbs.map((crumb) => ({ ...breadcrumbJson(crumb), event_id: null })) },
            },
          ],
    tags: tagsOf(record),
    user: userOf(user),
    contexts: contextsOf(record),
    context: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    packages: {},
    sdk,
    metadata: { title: TITLE, value: record.message },
    errors: [],
    fingerprints: [eventId],
    groupingConfig: { id: 'feedback', decided: 'stored' },
    release: release === '' ? null : releaseJson(release, undefined),
    userReport: null,
    crashFile: null,
    occurrence: occurrenceOf(record),
    _meta: {},
    nextEventID: next,
    previousEventID: previous,
  }
}
