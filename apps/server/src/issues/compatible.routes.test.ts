import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { createIssueApp, nextId, NOW, sampleEvent, type IssueApp, type TestOrganization } from './test/issue-app.ts'

/** What Sentry's clients ask for: sentry-cli, Sentry's MCP server, Grafana's data source. */

const ENGINES_START_MS = 240_000
const HOUR = 3_600_000

let app: IssueApp
let acme: TestOrganization
let cart = 0
let login = 0
let merged = 0
let foreign = 0
const loginEvent = nextId()
const cartEvent = nextId()

type Body = Record<string, never> & Record<string, never>[]
const get = async (path: string): Promise<Body> => {
  const { status, body } = await acme.call('GET', path)
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
  return body
}
const search = async (query: string): Promise<number[]> =>
  (await get(`/organizations/acme/issues/?query=${encodeURIComponent(query)}`))
    .map((row) => Number(row['id']))
    .toSorted((a, b) => a - b)
const statusOf = async (id: number): Promise<string> => (await get(`/organizations/acme/issues/${id}/`))['status'] ?? ''

describe.each(LEDGER_ENGINES)('clients of Sentry, with a ledger on $name', (engine) => {
  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    const second = await app.organization('acme', 'shop')
    const user = (id: string) => ({ id, sentry_user: `id:${id}` })
    const stored = await app.store(acme, [
      sampleEvent({ kind: 'cart', id: cartEvent, ago: 2 * HOUR, event: { user: user('1'), release: 'web@1.9.0+7' } }),
      sampleEvent({ kind: 'cart', ago: HOUR, event: { user: user('2'), release: 'web@1.10.0' } }),
      sampleEvent({ kind: 'cart', ago: HOUR, event: { user: user('2'), release: 'web@1.10.0' } }),
      sampleEvent({ kind: 'login', id: loginEvent, ago: HOUR, event: { release: 'web@2.0.0-beta.1' } }),
      sampleEvent({ kind: 'logout', ago: HOUR, event: { release: 'nightly' } }),
      sampleEvent({ kind: 'logout', ago: HOUR, event: { release: 'nightly' } }),
    ])
    ;[cart = 0, , , login = 0, merged = 0] = stored
    ;[foreign = 0] = await app.store(second, [sampleEvent({ kind: 'shop', ago: HOUR, event: { release: 'shop@1.0' } })])
  }, ENGINES_START_MS)

  afterAll(() => app.close())

  it('asks for more rows than a page holds, and gets a page (Grafana)', async () => {
    expect(await get('/organizations/acme/issues/?query=&limit=10000&sort=priority')).toHaveLength(4)
    expect((await acme.call('GET', '/organizations/acme/issues/?limit=0')).status).toBe(400)
    expect((await acme.call('GET', '/organizations/acme/issues/?limit=-1')).status).toBe(400)
    expect(await get('/organizations/acme/issues/?query=&per_page=1')).toHaveLength(1)
  })

  it('finds the issue of an event whose id is searched for', async () => {
    const id = `${loginEvent.slice(0, 8)}-${loginEvent.slice(8, 12)}-${loginEvent.slice(12, 16)}-${loginEvent.slice(16, 20)}-${loginEvent.slice(20)}`
    for (const query of [loginEvent, id.toUpperCase(), ` ${id} `]) {
      const path = `/organizations/acme/issues/?query=${encodeURIComponent(query)}`
      const { headers, body } = await acme.call('GET', path)
      expect(body).toMatchObject([{ id: String(login), matchingEventId: loginEvent }])
      expect(headers.get('x-sentry-direct-hit')).toBe('1')
    }
    expect(await get(`/projects/acme/shop/issues/?query=${loginEvent}`)).toEqual([])
    expect(await search(nextId())).toEqual([])
  })

  it('compares the versions of releases', async () => {
    expect(await search('release.version:>1.9')).toEqual([cart, login])
    expect(await search('release.version:>=1.10.0')).toEqual([cart, login])
    expect(await search('release.version:>1.10.0')).toEqual([login])
    expect(await search('release.version:<2.0.0 release.package:web')).toEqual([cart, login])
    expect(await search('release.version:>=2.0.0')).toEqual([])
    expect(await search('release.version:1.10.*')).toEqual([cart])
    expect(await search('release.package:shop')).toEqual([foreign])
    expect(await search('release.build:7')).toEqual([cart])
    expect(await search('!has:release.package')).toEqual([merged])
    const refused = await acme.call('GET', '/organizations/acme/issues/?query=release.version:%3Enightly')
    expect([refused.status, refused.body]).toMatchObject([400, { detail: expect.stringContaining('no version') }])
  })

  it('knows the newest release where an issue began, who follows it, and when an event was', async () => {
    expect(await search('firstRelease:latest')).toEqual([merged, foreign].toSorted((a, b) => a - b))
    expect(await search('first_release:[latest, web@1.9.0+7]')).toContain(cart)
    expect(await search('event.timestamp:-90m kind:cart')).toEqual([cart])
    const ann = await acme.as('ann@acme.example')
    await ann('PUT', `/organizations/acme/issues/${cart}/`, { isSubscribed: true })
    expect((await ann('GET', '/organizations/acme/issues/?query=subscribed:me')).body).toMatchObject([
      { id: String(cart) },
    ])
    expect(await search('subscribed:ann@acme.example')).toEqual([cart])
    expect(await search('subscribed:me')).toEqual([])
  })

  it('refuses what only issues can be asked for in a search for events', async () => {
    for (const query of ['is:unresolved', 'assigned:me', 'timesSeen:>5', 'first_seen:-1h', 'bookmarks:me']) {
      const answer = await acme.call(
        'GET',
        `/organizations/acme/events/?field=title&query=${encodeURIComponent(query)}`,
      )
      expect([query, answer.status]).toEqual([query, 400])
      expect(answer.body).toMatchObject({ detail: expect.stringContaining('tags[') })
    }
    expect(await get('/organizations/acme/events/?field=title&query=tags[is]:x')).toMatchObject({ data: [] })
  })

  it('changes and deletes issues of one project, and never those of another (sentry-cli)', async () => {
    const change = (query: string, body: object) => acme.call('PUT', `/projects/acme/web/issues/?${query}`, body)
    expect((await change(`id=${cart}&id=${foreign}`, { status: 'muted' })).body).toMatchObject({
      status: 'ignored',
      changed: [String(cart)],
    })
    expect((await change(`id=${foreign}`, { status: 'resolved' })).status).toBe(204)
    expect(await statusOf(foreign)).toBe('unresolved')
    expect((await change('status=muted', { status: 'unresolved' })).body).toMatchObject({ changed: [String(cart)] })
    expect((await change('', { status: 'resolved' })).body).toMatchObject({
      changed: [cart, login, merged].map(String),
    })
    expect(await statusOf(foreign)).toBe('unresolved')
    await change('query=', { status: 'unresolved' })
    expect((await change('', { priority: 'low' })).status).toBe(400)
    expect((await acme.call('DELETE', '/projects/acme/web/issues/')).status).toBe(400)
    expect((await acme.call('DELETE', `/projects/acme/web/issues/?id=${foreign}`)).status).toBe(204)
    expect(await statusOf(foreign)).toBe('unresolved')
    expect((await acme.call('PUT', '/projects/acme/none/issues/?query=', { status: 'resolved' })).status).toBe(404)
  })

  it('shows the values of a tag in one project', async () => {
    const values = await get('/projects/acme/web/tags/kind/values/')
    expect(values.map((value) => value['value'])).toEqual(['cart', 'logout', 'login'])
    expect((await acme.call('GET', '/projects/acme/none/tags/kind/values/')).status).toBe(400)
    const valuesOf = async (key: string) =>
      (await get(`/projects/acme/web/tags/${key}/values/`)).map((value) => value['value'])
    expect(new Set(await valuesOf('release.version'))).toEqual(new Set(['1.10.0', '1.9.0', '2.0.0-beta.1', 'nightly']))
    expect(await valuesOf('release.package')).toEqual(['web'])
    expect(await valuesOf('firstRelease')).toContain('web@1.10.0')
    expect(await valuesOf('error.mechanism')).toEqual(['onerror'])
    expect(await valuesOf('title')).toContain('TypeError: cart is not a function')
  })

  it('counts events of merged issues as those of the issue that stands for them', async () => {
    await acme.call('PUT', `/organizations/acme/issues/?id=${login}&id=${merged}`, { merge: 1 })
    const path = '/organizations/acme/events/?field=issue&field=issue.id&field=count()&sort=-count()&query=project:web'
    expect(await get(path)).toMatchObject({
      data: [
        { issue: expect.any(String), 'count()': 3 },
        { issue: expect.any(String), 'count()': 3 },
      ],
    })
    expect(await get('/organizations/acme/events/?field=count_unique(issue)')).toMatchObject({
      data: [{ 'count_unique(issue)': 3 }],
    })
  })

  it('draws several axes, and a series for each of the most frequent values (Grafana)', async () => {
    const start = new Date(NOW - 3 * HOUR).toISOString()
    const range = `start=${start}&end=${new Date(NOW).toISOString()}&interval=1h&project=${acme.projectId}`
    const sum = (series: unknown): number =>
      (series as { data: [number, [{ count: number }]][] }).data.reduce((total, [, [{ count }]]) => total + count, 0)

    const axes = await get(`/organizations/acme/events-stats/?${range}&yAxis=count()&yAxis=count_unique(user)`)
    expect(Object.keys(axes)).toEqual(['count()', 'count_unique(user)'])
    expect([sum(axes['count()']), axes['count_unique(user)']]).toMatchObject([6, { order: 1 }])

    // Grafana always names a number of top events, also without a column to group by.
    expect(sum(await get(`/organizations/acme/events-stats/?${range}&yAxis=count()&field=count()&topEvents=10`))).toBe(
      6,
    )

    const top = `${range}&topEvents=1&field=kind&field=count()`
    const all = await get(`/organizations/acme/events-stats/?${top}&yAxis=count()&sort=-count()`)
    expect(Object.keys(all)).toEqual(['cart', 'Other'])
    expect([sum(all['cart']), sum(all['Other'])]).toEqual([3, 3])
    const both = await get(`/organizations/acme/events-stats/?${top}&yAxis=count()&yAxis=epm()&excludeOther=1`)
    expect(Object.keys(both)).toEqual(['cart'])
    expect(sum((both['cart'] as unknown as Record<string, unknown>)['count()'])).toBe(3)
    expect(sum((both['cart'] as unknown as Record<string, unknown>)['epm()'])).toBeCloseTo(3 / 60)

    const moments = await get(`/organizations/acme/events-stats/?${range}&topEvents=2&field=timestamp&field=issue`)
    expect(Object.keys(moments)).toEqual([expect.stringMatching(/^2026-.*,WEB-\d$/), expect.any(String), 'Other'])

    for (const wrong of ['yAxis=title', 'yAxis=last_seen()', 'yAxis=p95(title)', 'topEvents=-1']) {
      expect((await acme.call('GET', `/organizations/acme/events-stats/?${wrong}`)).status, wrong).toBe(400)
    }
    const newer = await get(`/organizations/acme/events-timeseries/?${range}&yAxis=eps()`)
    const [line] = (newer as unknown as { timeSeries: { values: { value: number }[] }[] }).timeSeries
    expect(line?.values.reduce((total, { value }) => total + value, 0)).toBeCloseTo(6 / 3600)
  })

  it('pages through a table of equal counts without repeating or leaving out a row', async () => {
    const kinds = Array.from({ length: 40 }, (_, index) => `once${index}`)
    await app.store(
      acme,
      kinds.map((kind) => sampleEvent({ kind, ago: HOUR })),
    )
    for (const columns of ['field=kind&field=count()&sort=-count()', 'field=kind&field=level&sort=level']) {
      const seen: string[] = []
      for (let offset = 0; offset < kinds.length; offset += 7) {
        const page = `per_page=7&cursor=0:${offset}:0&query=kind:once*`
        const { data } = await get(`/organizations/acme/events/?${columns}&${page}`)
        seen.push(...(data as unknown as { kind: string }[]).map(({ kind }) => kind))
      }
      expect(seen.toSorted()).toEqual(kinds.toSorted())
    }
  })

  it('tells events per minute in a table, of a range that is named', async () => {
    const table = await get('/organizations/acme/events/?field=kind&field=epm()&statsPeriod=3h&sort=-epm()&per_page=1')
    expect(table).toMatchObject({ data: [{ kind: 'cart' }] })
    expect(table).toMatchObject({ data: [{ 'epm()': expect.closeTo(3 / 180) }] })
    expect((await acme.call('GET', '/organizations/acme/events/?field=epm()')).status).toBe(400)
  })

  it('sums outcomes under both names that Sentry has for it', async () => {
    const outcome = { ...acme, keyId: 1, timestamp: NOW - HOUR, itemType: 'event', category: 'error', sdk: 'x/1' }
    await app.store(acme, [], [{ ...outcome, bytes: 1, outcome: 'accepted', reason: '', quantity: 5 }])
    const path = '/organizations/acme/stats_v2/?statsPeriod=1d&interval=1h&groupBy=outcome&category=error'
    expect(await get(`${path}&field=sum(times_seen)&field=sum(quantity)`)).toMatchObject({
      groups: [{ by: { outcome: 'accepted' }, totals: { 'sum(times_seen)': 5, 'sum(quantity)': 5 } }],
    })
    expect((await acme.call('GET', `${path}&field=sum(x)`)).status).toBe(400)
  })

  it('lists whole events when asked to, page by page', async () => {
    const path = `/projects/acme/web/events/?full=true&query=kind:cart`
    const rows = await get(path)
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row).toMatchObject({
        metadata: { type: 'TypeError' },
        entries: expect.arrayContaining([expect.objectContaining({ type: 'exception' })]),
        groupID: String(cart),
        userReport: null,
      })
      expect(row).not.toHaveProperty('nextEventID')
    }
    expect(await get(`/organizations/acme/issues/${cart}/events/?full=1&limit=2`)).toHaveLength(2)
    const plain = await get(`/organizations/acme/issues/${cart}/events/`)
    expect(plain[0]).toMatchObject({ metadata: { title: 'TypeError: cart is not a function' } })
    expect(plain[0]).not.toHaveProperty('entries')
    await app.store(
      acme,
      Array.from({ length: 21 }, () => sampleEvent({ kind: 'many', ago: HOUR })),
    )
    const { headers, body } = await acme.call('GET', '/projects/acme/web/events/?full=1&query=kind:many')
    expect(body).toHaveLength(20)
    expect(headers.get('link')).toContain('rel="next"; results="true"; cursor="0:20:0"')
  })

  it('shows what the visitor said whom an event happened to', async () => {
    const { organizationId, projectId } = acme
    const report = { organizationId, projectId, issueId: cart }
    await app.report({ ...report, about: cartEvent, message: 'It does not add up' })
    await app.report({ ...report, about: nextId(), message: 'Buy now', status: 'spam' })
    expect(await get(`/projects/acme/web/events/${cartEvent}/`)).toMatchObject({
      userReport: { eventID: cartEvent, comments: 'It does not add up', event: { id: cartEvent } },
    })
    expect(await get(`/organizations/acme/issues/${cart}/`)).toMatchObject({ userReportCount: 1 })
    expect(await get(`/organizations/acme/issues/${foreign}/`)).toMatchObject({ userReportCount: 0 })
  })

  it('counts events, lists the values of their tags, and knows notes by their other name', async () => {
    const counted = async (query: string) =>
      (await get(`/organizations/acme/events-meta/?statsPeriod=24h&query=${encodeURIComponent(query)}`))['count']
    expect(await counted('release:nightly')).toBe(2)
    expect(await counted('release:[nightly,shop@1.0]')).toBe(3)
    expect(await counted('release:none-such')).toBe(0)
    const facets = await get('/organizations/acme/events-facets/?query=&statsPeriod=24h')
    expect(facets.find(({ key }) => key === 'release')?.['topValues']).toContainEqual({
      name: 'nightly',
      value: 'nightly',
      count: 2,
    })
    const none = await get('/organizations/acme/events-facets/?query=release:none-such&statsPeriod=24h')
    expect(none).toEqual([])
    const comments = `/organizations/acme/issues/${login}/comments/`
    const { status, body } = await acme.call('POST', comments, { text: 'By another name' })
    // Who writes it is told whom it mentions.
    const { mentions, ...note } = body as Record<string, unknown>
    expect([status, mentions]).toEqual([201, []])
    expect(await get(comments)).toEqual([note])
    expect(await get(`/organizations/acme/issues/${login}/notes/`)).toEqual([note])
  })

  it('R112 tells players of replays of errors by their ids, in Sentry’s shape', async () => {
    const path = '/organizations/acme/replays-events-meta/?statsPeriod=24h&project=-1'
    const { data } = await get(`${path}&query=${encodeURIComponent(`id:[${cartEvent}]`)}`)
    const { shortId, title } = await get(`/organizations/acme/issues/${cart}/`)
    expect(data).toEqual([
      {
        id: cartEvent,
        title,
        level: 'error',
        issue: shortId,
        'issue.id': cart,
        'project.name': 'web',
        'error.type': [expect.any(String)],
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ])
    // Sentry's player asks this besides, and shows both.
    expect((await get(`${path}&dataset=issuePlatform&query=id:${cartEvent}`)).data).toEqual([])
    expect((await get(`${path}&query=replayId:${'0'.repeat(31)}1`)).data).toEqual([])
  })

  it('says of a query of events what would be refused, in the parts that Sentry’s clients print', async () => {
    const validate = (query: string) => get(`/organizations/acme/events/validate/?${query}`)
    expect(
      await validate('dataset=errors&field=title&field=count()&orderby=-count&query=level:error&statsPeriod=1d'),
    ).toEqual({
      valid: true,
      projects: [],
      dataset: [{ name: 'errors', valid: true, error: null }],
      environment: [],
      field: [
        { name: 'title', valid: true, attrType: 'string', error: null },
        { name: 'count()', valid: true, attrType: 'number', error: null },
      ],
      query: { valid: true, error: null, fields: [] },
      orderby: [{ name: '-count', valid: true, attrType: null, error: null }],
    })
    for (const [query, wrong] of [
      ['field=title&dataset=spans', { dataset: [{ name: 'spans', valid: false, error: expect.any(String) }] }],
      ['field=p95()', { field: [{ name: 'p95()', valid: false, attrType: null, error: expect.any(String) }] }],
      ['field=title&orderby=-count', { orderby: [{ valid: false, error: expect.stringContaining('sorted by') }] }],
      ['field=title&query=level:banana', { query: { valid: false, error: expect.any(String) } }],
      ['field=title&project=elsewhere', { projects: [{ valid: false, error: expect.stringContaining('elsewhere') }] }],
    ] as const) {
      expect(await validate(query)).toMatchObject({ valid: false, ...wrong })
    }
  })

  it('a page of a table of events ends where its values are too many, and the next one begins there', async () => {
    const long = 'x'.repeat(2_000_000)
    const own = await app.organization('long')
    const ids = Array.from({ length: 5 }, () => nextId())
    await app.store(
      own,
      ids.map((id, at) => {
        const values = [{ type: 'Long', value: `${at}${long}` }]
        return sampleEvent({ kind: 'long', id, ago: at * 1000, event: { exception: { values } } })
      }),
    )
    const found: unknown[] = []
    const sizes: number[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined && sizes.length < ids.length) {
      const path = '/organizations/long/events/?field=id&field=error.value&sort=-timestamp&field=timestamp&per_page=4'
      const { body, headers } = await own.call('GET', `${path}&cursor=${cursor}`)
      const rows = (body as { data: { id: string }[] }).data
      sizes.push(rows.length)
      found.push(...rows.map(({ id }) => id))
      cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(sizes).toEqual([3, 2])
    expect(found).toEqual(ids)
    const { body, headers } = await own.call('GET', '/organizations/long/events/?field=id&per_page=5')
    expect((body as { data: object[] }).data).toHaveLength(5)
    expect(headers.get('link')).toContain('rel="next"; results="false"')
  })

  it('logged nothing as an error', () => {
    expect(app.lines.filter((line) => line.includes(' error '))).toEqual([])
  })
})
