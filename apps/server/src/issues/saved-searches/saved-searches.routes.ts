import { createSavedSearch, deleteSavedSearch, listSavedSearches, updateSavedSearch } from '@firsthand/contract'
import type { BodyOutput, SavedSearch } from '@firsthand/contract'
import { badRequest, bind, conflict, forbidden, notFound, type Route } from '../../http/index.ts'
import type { Result } from '../../lib/result.ts'
import { parseSearch } from '../../search/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { LIMITS } from '../limits.ts'
import { userIdOf, type OrganizationRequest as Request } from '../organization-request.routes.ts'
import { isSearchKey } from '../search/index.ts'
import type { IssueServices } from '../services.ts'
import type { SaveRefusal, SavedSearchRecord } from './saved-searches.store.ts'

/** Searches under a name: one's own, and those of the organisation, which take `org:write` to change. */
export const createSavedSearchRoutes = ({
  savedSearches,
  clock,
}: Pick<IssueServices, 'savedSearches' | 'clock'>): Route[] => {
  const seen = async (request: Request, reference: string): Promise<SavedSearchRecord> => {
    const all = await savedSearches.list(request.organization.id, userIdOf(request))
    const found = all.find(({ id }) => String(id) === reference)
    if (found === undefined) throw notFound()
    return found
  }
  const readBody = (request: Request, body: BodyOutput<typeof createSavedSearch>) => {
    const parsed = parseSearch(body.query, isSearchKey)
    if (!parsed.ok) throw badRequest(parsed.error.message, { query: parsed.error.message })
    const { name, query, sort, visibility } = body
    const shared = visibility === 'organization'
    if (shared) mayShare(request)
    const { id: organizationId } = request.organization
    return { organizationId, userId: userIdOf(request), now: clock.now(), name, query, sort, shared }
  }

  return [
    bind(listSavedSearches, async ({ query, request }) => {
      // Sentry numbers the things that are searched; 0 is issues.
      if (query.type !== undefined && query.type !== '0') return { body: [] }
      const all = await savedSearches.list(request.organization.id, userIdOf(request))
      return { body: all.map(searchJson) }
    }),

    bind(createSavedSearch, async ({ body, request }) => ({
      body: orConflict(await savedSearches.add(readBody(request, body))),
      status: 201,
    })),

    bind(updateSavedSearch, async ({ params, body, request }) => {
      const before = await seen(request, params.search)
      if (before.shared) mayShare(request)
      const changed = await savedSearches.change(before.id, readBody(request, body))
      if (changed === undefined) throw notFound()
      return { body: orConflict(changed) }
    }),

    bind(deleteSavedSearch, async ({ params, request }) => {
      const { id, shared } = await seen(request, params.search)
      if (shared) mayShare(request)
      if (!(await savedSearches.remove(request.organization.id, userIdOf(request), id))) throw notFound()
      return { body: null }
    }),
  ]
}

const mayShare = ({ organization }: Request): void => {
  if (!organization.scopes.has('org:write'))
    throw forbidden('Searches that all share are changed with the scope org:write.')
}

const searchJson = ({ id, name, query, sort, shared, createdAt }: SavedSearchRecord): SavedSearch => ({
  id: String(id),
  type: 0,
  name,
  query,
  sort,
  visibility: shared ? 'organization' : 'owner',
  isGlobal: false,
  isPinned: false,
  dateCreated: toDate(createdAt),
})

const orConflict = (result: Result<SavedSearchRecord, SaveRefusal>): SavedSearch => {
  if (result.ok) return searchJson(result.value)
  if (result.error.kind === 'same') throw conflict(`This search is saved already, as "${result.error.name}".`)
  throw conflict(`At most ${LIMITS.SAVED_SEARCHES} searches can be saved. Delete some first.`)
}
