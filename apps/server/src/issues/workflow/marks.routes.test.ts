import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { createIssueApp, NOW, sampleEvent, type IssueApp, type TestOrganization } from '../test/issue-app.ts'

const ENGINES_START_MS = 240_000
const HOUR = 3_600_000

type Call = TestOrganization['call']
interface Row {
  id: string
  hasSeen: boolean
  isBookmarked: boolean
  isSubscribed: boolean
}

describe.each(LEDGER_ENGINES)('marks with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let ann: Call
  let ben: Call
  let cart = 0
  let login = 0

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    ;[ann, ben] = [await acme.as('ann@acme.example'), await acme.as('ben@acme.example')]
    ;[cart = 0, login = 0] = await app.store(acme, [
      sampleEvent({ kind: 'cart', ago: 2 * HOUR }),
      sampleEvent({ kind: 'login', ago: HOUR }),
    ])
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const row = async (call: Call, id: number): Promise<Row> =>
    (await call('GET', `/organizations/acme/issues/${id}/`)).body
  const found = async (call: Call, query: string): Promise<number[]> =>
    ((await call('GET', `/organizations/acme/issues/?query=${encodeURIComponent(query)}`)).body as Row[]).map(
      ({ id }) => Number(id),
    )
  const put = (call: Call, query: string, body: object) => call('PUT', `/organizations/acme/issues/?${query}`, body)

  it('are of one person: seen, bookmarked, followed', async () => {
    expect(await row(ann, cart)).toMatchObject({ hasSeen: false, isBookmarked: false, isSubscribed: false })
    const before = app.changes.length
    const answer = await put(ann, `id=${cart}&id=${login}`, { hasSeen: true, isBookmarked: true })
    expect(answer.body).toMatchObject({ hasSeen: true, isBookmarked: true, changed: [String(cart), String(login)] })
    await put(ann, `id=${login}`, { isBookmarked: false })
    await ann('PUT', `/organizations/acme/issues/${cart}/`, { isSubscribed: true })

    expect(await row(ann, cart)).toMatchObject({ hasSeen: true, isBookmarked: true, isSubscribed: true })
    expect(await row(ann, login)).toMatchObject({ hasSeen: true, isBookmarked: false, isSubscribed: false })
    expect(await row(ben, cart)).toMatchObject({
      hasSeen: false,
      isBookmarked: false,
      isSubscribed: false,
      participants: [{ email: 'ann@acme.example' }],
    })
    expect(app.changes.length, 'others are told of what concerns one person').toBe(before)
  })

  it('are searched for', async () => {
    expect(await found(ann, 'bookmarks:me')).toEqual([cart])
    expect(await found(ann, '!bookmarks:me is:unresolved')).toEqual([login])
    expect(await found(ben, 'bookmarks:me')).toEqual([])
    expect(await found(ben, 'bookmarks:ann@acme.example')).toEqual([cart])
    expect(await found(acme.call, 'bookmarks:me')).toEqual([])
  })

  it('ask for another look when the issue comes back', async () => {
    await put(ann, `id=${login}`, { status: 'resolved' })
    expect((await row(ann, login)).hasSeen).toBe(true)
    app.clock.set(NOW + HOUR)
    await app.store(acme, [sampleEvent({ kind: 'login', ago: -HOUR })])
    expect((await row(ann, login)).hasSeen).toBe(false)
    await put(ann, `id=${login}`, { hasSeen: true })
    expect((await row(ann, login)).hasSeen).toBe(true)
    await put(ann, `id=${login}`, { hasSeen: false })
    expect((await row(ann, login)).hasSeen).toBe(false)
  })

  it('are not asked of those who cannot set them', async () => {
    const viewer = await acme.as('vera@acme.example', 'viewer')
    expect((await row(viewer, cart)).hasSeen).toBe(true)
    expect((await put(viewer, `id=${cart}`, { hasSeen: false })).status).toBe(403)
  })

  it('of a token are its maker’s', async () => {
    expect(await row(acme.call, cart)).toMatchObject({ hasSeen: false, isBookmarked: false })
    expect((await put(acme.call, `id=${cart}`, { isBookmarked: true })).body).toMatchObject({ isBookmarked: true })
    expect(await found(acme.call, 'bookmarks:me')).toEqual([cart])
    expect(await row(ben, cart)).toMatchObject({ isBookmarked: false })
    await put(acme.call, `id=${cart}`, { isBookmarked: false })
  })

  it('leave issues of other organisations alone', async () => {
    const rival = await app.organization('rival')
    const eve = await rival.as('eve@rival.example')
    const { body } = await eve('PUT', `/organizations/rival/issues/?id=${cart}`, { isBookmarked: true })
    expect(body).toBeNull()
    expect(
      await app.ledger.db.selectFrom('issue_marks').select('user_id').where('is_bookmarked', '=', 1).execute(),
    ).toHaveLength(1)
  })

  it('tell when and where an issue was first seen, not when the server heard of it', async () => {
    const [late = 0] = await app.store(acme, [sampleEvent({ kind: 'search', ago: 50 * HOUR })])
    const { body } = await ann('GET', `/organizations/acme/issues/${late}/activities/`)
    expect(body).toMatchObject({
      activity: [
        { type: 'first_seen', data: { version: 'web@1.0' }, dateCreated: new Date(NOW - 50 * HOUR).toISOString() },
      ],
    })
  })

  describe('saved searches', () => {
    const path = '/organizations/acme/searches/'
    const names = async (call: Call): Promise<string[]> =>
      ((await call('GET', path)).body as { name: string }[]).map(({ name }) => name)

    it('are of one person, or of the organisation when somebody who runs it shares them', async () => {
      const run = await acme.as('run@acme.example', 'admin')
      const own = await ann('POST', path, { type: 0, name: ' Mine ', query: 'assigned:me', sort: 'freq' })
      expect(own).toMatchObject({
        status: 201,
        body: { type: 0, name: 'Mine', query: 'assigned:me', sort: 'freq', visibility: 'owner', isGlobal: false },
      })
      const idOf = ({ body }: { body: unknown }): string => (body as { id: string }).id
      const mine = `${path}${idOf(own)}/`
      const all = { name: 'All fatal', query: 'level:fatal', visibility: 'organization' }
      expect((await ann('POST', path, all)).status).toBe(403)
      const shared = await run('POST', path, all)
      expect(shared.status).toBe(201)
      expect(await names(ann)).toEqual(['All fatal', 'Mine'])
      expect(await names(ben)).toEqual(['All fatal'])
      expect((await ann('GET', `${path}?type=1`)).body).toEqual([])

      // Nobody changes what they do not see, or what is everybody's.
      expect((await ben('PUT', mine, { name: 'His', query: 'x' })).status).toBe(404)
      expect((await ben('DELETE', mine)).status).toBe(404)
      expect((await run('DELETE', mine)).status).toBe(404)
      const everybodys = `${path}${idOf(shared)}/`
      expect((await ann('PUT', everybodys, { ...all, visibility: 'owner' })).status).toBe(403)
      expect((await ann('DELETE', everybodys)).status).toBe(403)
      expect((await ann('PUT', mine, { name: 'Mine', query: 'assigned:me', visibility: 'organization' })).status).toBe(
        403,
      )

      expect((await ann('PUT', mine, { name: 'Own', query: 'assigned:me is:new' })).body).toMatchObject({ name: 'Own' })
      expect((await run('DELETE', everybodys)).status).toBe(204)
      expect((await ann('DELETE', mine)).status).toBe(204)
      expect(await names(ann)).toEqual([])
    })

    it('are refused when they ask the same, cannot be read, or are too many', async () => {
      const cleo = await acme.as('cleo@acme.example')
      const save = (name: string, query: string) => cleo('POST', path, { name, query })
      expect((await save('First', 'n:0')).status).toBe(201)
      expect(await save('Again', 'n:0')).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('"First"') },
      })
      expect((await save('Broken', '(a')).status).toBe(400)
      expect((await save('', 'n:1')).status).toBe(400)
      for (let number = 1; number < LIMITS.SAVED_SEARCHES; number += 1) await save(`Search ${number}`, `n:${number}`)
      expect(await save('One more', 'more')).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('Delete some') },
      })
      expect(await names(cleo)).toHaveLength(LIMITS.SAVED_SEARCHES)
      expect(await names(ben)).toEqual([])
    })
  })
})
