import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
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
    expect((await row(acme.call, cart)).hasSeen).toBe(true)
    expect((await put(viewer, `id=${cart}`, { hasSeen: false })).status).toBe(403)
    expect((await put(acme.call, `id=${cart}`, { isBookmarked: true })).body).not.toHaveProperty('isBookmarked')
  })

  it('leave issues of other organisations alone', async () => {
    const rival = await app.organization('rival')
    const eve = await rival.as('eve@rival.example')
    const { body } = await eve('PUT', `/organizations/rival/issues/?id=${cart}`, { isBookmarked: true })
    expect(body).toMatchObject({ changed: [] })
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
})
