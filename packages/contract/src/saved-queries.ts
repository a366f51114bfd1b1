import { z } from './zod.ts'
import { date, displayName, empty, id } from './common.ts'
import { endpoint } from './endpoint.ts'
import { savedSearchVisibility } from './saved-searches.ts'

/** What a question is: any JSON that whoever asks can read again. */
const question = z.record(z.string(), z.unknown())

export const savedQuery = z.object({
  id,
  name: z.string(),
  /** What is asked: dataset, fields, search, sort, period, how it is drawn. */
  query: question,
  visibility: savedSearchVisibility,
  /** Who made it; null when they left. */
  createdBy: z.object({ id, name: z.string(), email: z.string() }).nullable(),
  isOwn: z.boolean(),
  dateCreated: date,
  dateUpdated: date,
})
export type SavedQuery = z.output<typeof savedQuery>

const savedQueryBody = z.object({
  name: displayName,
  query: question,
  visibility: savedSearchVisibility.default('owner'),
})

export const listSavedQueries = endpoint({
  method: 'GET',
  path: '/organizations/{org}/explore/saved/',
  query: z.object({ query: z.string().max(200).optional() }),
  ok: z.array(savedQuery),
  summary: "Saved questions: one's own and those that are shared, last changed first",
  scope: 'event:read',
})

export const createSavedQuery = endpoint({
  method: 'POST',
  path: '/organizations/{org}/explore/saved/',
  body: savedQueryBody,
  ok: savedQuery,
  summary: 'Keep a question under a name (201)',
  scope: 'event:write',
})

export const getSavedQuery = endpoint({
  method: 'GET',
  path: '/organizations/{org}/explore/saved/{query}/',
  ok: savedQuery,
  summary: 'One saved question',
  scope: 'event:read',
})

export const updateSavedQuery = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/explore/saved/{query}/',
  body: savedQueryBody,
  ok: savedQuery,
  summary: "Change a saved question: one's own or a shared one",
  scope: 'event:write',
})

export const deleteSavedQuery = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/explore/saved/{query}/',
  ok: empty,
  summary: "Delete a saved question: one's own or a shared one",
  scope: 'event:write',
})

export const listDiscoverQueries = endpoint({
  method: 'GET',
  path: '/organizations/{org}/discover/saved/',
  query: listSavedQueries.query,
  ok: listSavedQueries.ok,
  summary: "Saved questions, at Sentry's older address",
  scope: 'event:read',
})
