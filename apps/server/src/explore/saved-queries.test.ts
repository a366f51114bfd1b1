import {
  createSavedQuery,
  deleteSavedQuery,
  getSavedQuery,
  listDiscoverQueries,
  listSavedQueries,
  updateSavedQuery,
} from '@firsthand/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '../http/index.ts'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../storage/conformance/engines.ts'
import { createSavedQueries, type SavedQueries } from './ledger/saved-queries.ts'
import { LIMITS } from './limits.ts'
import { createSavedQueryRoutes } from './saved-queries.routes.ts'
import { callRoute } from './test/call.ts'

const ANNA = 1
const BEN = 2

describe.each(LEDGER_ENGINES)('saved queries on $name', ({ open }) => {
  let opened: OpenedLedger
  let savedQueries: SavedQueries
  let routes: readonly Route[]
  beforeAll(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    for (const name of ['anna', 'ben']) {
      await opened.ledger.db
        .insertInto('users')
        .values({ email: `${name}@acme.example`, name, password_hash: '', preferences: '{}', created_at: 0 })
        .execute()
    }
    savedQueries = createSavedQueries(opened)
    routes = createSavedQueryRoutes({ savedQueries, clock: opened.clock })
  })
  beforeEach(async () => {
    await opened.ledger.db.deleteFrom('saved_queries').execute()
  })
  afterAll(() => opened.close())

  const question = { dataset: 'spans', fields: ['span.op', 'p95(span.duration)'], query: 'span.op:db*', sort: '-p95()' }
  const save = async (userId: number, name: string, visibility: 'owner' | 'organization' = 'owner') =>
    (await callRoute(routes, createSavedQuery, { userId, body: { name, query: question, visibility } })).body
  const namesOf = async (userId: number, query = {}) =>
    (await callRoute(routes, listSavedQueries, { userId, query })).body.map(({ name }) => name)

  it('T51 one that is shared is opened by another member at its address, as it was made', async () => {
    const { id } = await save(ANNA, 'Slow queries', 'organization')
    const { body } = await callRoute(routes, getSavedQuery, { userId: BEN, params: { query: id } })
    expect(body).toMatchObject({
      name: 'Slow queries',
      query: question,
      visibility: 'organization',
      isOwn: false,
      createdBy: { name: 'anna', email: 'anna@acme.example' },
    })
    expect((await callRoute(routes, listDiscoverQueries, { userId: BEN })).body).toHaveLength(1)
  })

  it('one’s own is nobody else’s to see, change or delete', async () => {
    const { id } = await save(ANNA, 'Mine')
    expect(await namesOf(ANNA)).toEqual(['Mine'])
    expect(await namesOf(BEN)).toEqual([])
    const body = { name: 'Taken', query: {}, visibility: 'organization' }
    const asBen = { userId: BEN, params: { query: id } }
    await expect(callRoute(routes, getSavedQuery, asBen)).rejects.toMatchObject({ status: 404 })
    await expect(callRoute(routes, updateSavedQuery, { ...asBen, body })).rejects.toMatchObject({ status: 404 })
    await expect(callRoute(routes, deleteSavedQuery, asBen)).rejects.toMatchObject({ status: 404 })
    expect(await namesOf(ANNA)).toEqual(['Mine'])
    await expect(
      callRoute(routes, getSavedQuery, { userId: ANNA, params: { query: `${id}.0` } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  it('a shared one is changed by everybody who sees it, and taken back by who made it alone', async () => {
    const { id } = await save(ANNA, 'Shared', 'organization')
    const body = { name: 'Renamed', query: { query: '' }, visibility: 'owner' }
    const change = async (userId: number) =>
      (await callRoute(routes, updateSavedQuery, { userId, params: { query: id }, body })).body
    expect(await change(BEN)).toMatchObject({ name: 'Renamed', visibility: 'organization', isOwn: false })
    expect(await change(ANNA)).toMatchObject({ visibility: 'owner', isOwn: true })
    expect(await namesOf(BEN)).toEqual([])
    const shared = await save(ANNA, 'Shared again', 'organization')
    await callRoute(routes, deleteSavedQuery, { userId: BEN, params: { query: shared.id } })
    expect(await namesOf(ANNA)).toEqual(['Renamed'])
  })

  it('who left leaves what they shared, under no name, and nothing else', async () => {
    await save(ANNA, 'Mine')
    const { id } = await save(ANNA, 'Ours', 'organization')
    await savedQueries.forget(1, ANNA)
    expect(await namesOf(ANNA)).toEqual(['Ours'])
    const { body } = await callRoute(routes, getSavedQuery, { userId: BEN, params: { query: id } })
    expect(body).toMatchObject({ createdBy: null, isOwn: false })
  })

  it('lists the last changed first, by words of the name, and has an end', async () => {
    await save(ANNA, 'First one')
    opened.clock.set(opened.clock.now() + 1000)
    const second = await save(ANNA, 'Second', 'organization')
    opened.clock.set(opened.clock.now() + 1000)
    expect(await namesOf(ANNA)).toEqual(['Second', 'First one'])
    expect(await namesOf(ANNA, { query: 'ONE' })).toEqual(['First one'])
    expect(second.dateUpdated).toBe(second.dateCreated)
    await opened.ledger.db
      .insertInto('saved_queries')
      .values(
        Array.from({ length: LIMITS.SAVED_QUERIES - 2 }, (_, index) => ({
          organization_id: 1,
          user_id: ANNA,
          shared: 0,
          name: `n${index}`,
          query: '{}',
          created_at: 0,
          updated_at: 0,
        })),
      )
      .execute()
    await expect(save(ANNA, 'one too many')).rejects.toMatchObject({ status: 409 })
    await save(BEN, 'still room')
    const long = { name: 'long', query: { query: 'x'.repeat(LIMITS.SAVED_QUERY_BYTES) }, visibility: 'owner' }
    await expect(callRoute(routes, createSavedQuery, { userId: BEN, body: long })).rejects.toMatchObject({
      status: 400,
    })
  })
})
