import {
  createSavedQuery,
  deleteSavedQuery,
  getSavedQuery,
  listDiscoverQueries,
  listSavedQueries,
  updateSavedQuery,
  type BodyOutput,
  type SavedQuery,
} from '@firsthand/contract'
import {
  badRequest,
  bind,
  conflict,
  notFound,
  type Caller,
  type CallerOrganization,
  type Route,
} from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import { LIMITS } from './limits.ts'
import type { SavedQueries, SavedQueryRecord } from './ledger/saved-queries.ts'

interface Request {
  readonly caller: Caller
  readonly organization: CallerOrganization
}

/** Questions under a name: one's own, and those that all see and may change. Only who shared one takes it back. */
export const createSavedQueryRoutes = ({
  savedQueries,
  clock,
}: {
  readonly savedQueries: SavedQueries
  readonly clock: Clock
}): Route[] => {
  const list = async (request: Request, words = ''): Promise<{ body: SavedQuery[] }> => {
    const all = await savedQueries.list(request.organization.id, request.caller.user.id)
    const wanted = words.trim().toLowerCase()
    const found = all.filter(({ name }) => name.toLowerCase().includes(wanted))
    return { body: found.map((record) => queryJson(record, request)) }
  }
  const seen = async (request: Request, reference: string): Promise<SavedQueryRecord> => {
    const id = /^\d{1,15}$/.test(reference) ? Number(reference) : 0
    const found = await savedQueries.find(request.organization.id, request.caller.user.id, id)
    if (found === null) throw notFound()
    return found
  }

  return [
    bind(listSavedQueries, ({ query, request }) => list(request, query.query)),
    bind(listDiscoverQueries, ({ query, request }) => list(request, query.query)),

    bind(getSavedQuery, async ({ params, request }) => ({
      body: queryJson(await seen(request, params.query), request),
    })),

    bind(createSavedQuery, async ({ body, request }) => {
      const added = await savedQueries.add(readBody(body, request, clock.now()))
      if (!added.ok) throw conflict(`At most ${LIMITS.SAVED_QUERIES} queries can be saved. Delete some first.`)
      return { body: queryJson(added.value, request), status: 201 }
    }),

    bind(updateSavedQuery, async ({ params, body, request }) => {
      const before = await seen(request, params.query)
      const asked = readBody(body, request, clock.now())
      const changed = await savedQueries.change(before.id, {
        ...asked,
        shared: asked.shared || !isOwn(before, request),
      })
      if (changed === null) throw notFound()
      return { body: queryJson(changed, request) }
    }),

    bind(deleteSavedQuery, async ({ params, request }) => {
      const { id } = await seen(request, params.query)
      await savedQueries.remove(request.organization.id, id)
      return { body: null }
    }),
  ]
}

const isOwn = ({ author }: SavedQueryRecord, { caller }: Request): boolean => author?.id === caller.user.id

const readBody = ({ name, query, visibility }: BodyOutput<typeof createSavedQuery>, request: Request, now: number) => {
  const json = JSON.stringify(query)
  if (Buffer.byteLength(json) > LIMITS.SAVED_QUERY_BYTES) {
    throw badRequest(`A query can have at most ${LIMITS.SAVED_QUERY_BYTES} bytes.`, { query: 'It is too long.' })
  }
  return {
    organizationId: request.organization.id,
    userId: request.caller.user.id,
    now,
    name,
    query: json,
    shared: visibility === 'organization',
  }
}

const queryJson = (record: SavedQueryRecord, request: Request): SavedQuery => ({
  id: String(record.id),
  name: record.name,
  query: JSON.parse(record.query) as SavedQuery['query'],
  visibility: record.shared ? 'organization' : 'owner',
  createdBy: record.author === null ? null : { ...record.author, id: String(record.author.id) },
  isOwn: isOwn(record, request),
  dateCreated: toDate(record.createdAt),
  dateUpdated: toDate(record.updatedAt),
})
