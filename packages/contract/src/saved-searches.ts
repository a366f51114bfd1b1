import { z } from './zod.ts'
import { date, displayName, empty, id } from './common.ts'
import { endpoint } from './endpoint.ts'
import { issueSort } from './issues.ts'

/** `owner`: one's own, which nobody else sees. `organization`: everybody's there. */
export const savedSearchVisibility = z.enum(['owner', 'organization'])

/** A search for issues under a name, in Sentry's shape. */
export const savedSearch = z.object({
  id,
  /** 0: of issues, the only kind. */
  type: z.number(),
  name: z.string(),
  query: z.string(),
  sort: z.string(),
  visibility: savedSearchVisibility,
  isGlobal: z.boolean(),
  isPinned: z.boolean(),
  dateCreated: date,
})
export type SavedSearch = z.output<typeof savedSearch>

const savedSearchBody = z.object({
  type: z.literal(0).default(0),
  name: displayName,
  query: z.string().trim().max(2000),
  sort: issueSort.default('date'),
  visibility: savedSearchVisibility.default('owner'),
})

export const listSavedSearches = endpoint({
  method: 'GET',
  path: '/organizations/{org}/searches/',
  query: z.object({ type: z.string().max(8).optional() }),
  ok: z.array(savedSearch),
  summary: "Saved searches: one's own and those that the organisation shares, by name",
  scope: 'event:read',
})

export const createSavedSearch = endpoint({
  method: 'POST',
  path: '/organizations/{org}/searches/',
  body: savedSearchBody,
  ok: savedSearch,
  summary: 'Save a search (201); to share it takes org:write',
  scope: 'event:write',
})

export const updateSavedSearch = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/searches/{search}/',
  body: savedSearchBody,
  ok: savedSearch,
  summary: 'Change a saved search; a shared one takes org:write',
  scope: 'event:write',
})

export const deleteSavedSearch = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/searches/{search}/',
  ok: empty,
  summary: 'Delete a saved search; a shared one takes org:write',
  scope: 'event:write',
})
