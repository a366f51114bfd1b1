import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAttribute, Parameters } from '../search/index.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { errorsDataset } from './errors-dataset.ts'
import { createIssueApp, nextId, NOW, sampleEvent, type IssueApp, type TestOrganization } from './test/issue-app.ts'

/** Errors as Explore asks them: what `issues` never answered, and the same things by the name that Explore uses. */

const ENGINES_START_MS = 240_000
const HOUR = 3_600_000

type Body = Record<string, never> & Record<string, never>[]
type Row = Readonly<Record<string, unknown>>

describe.each(LEDGER_ENGINES.slice(0, 1))('errors as a dataset, with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let cart = 0
  let login = 0
  const cartEvent = nextId()

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    await app.organization('rival')
    const of = (id: string, release: string, tags: [string, string][]) => ({
      user: { id, sentry_user: `id:${id}` },
      release,
      tags,
    })
    const stored = await app.store(acme, [
      sampleEvent({
        kind: 'cart',
        id: cartEvent,
        ago: 2 * HOUR,
        event: of('1', 'web@1.9.0', [
          ['cart.size', '10'],
          ['browser.name', 'Firefox'],
        ]),
      }),
      sampleEvent({
        kind: 'cart',
        ago: HOUR,
        event: of('2', 'web@1.10.0', [
          ['cart.size', '20'],
          ['browser.name', 'Chrome'],
        ]),
      }),
      sampleEvent({
        kind: 'cart',
        ago: HOUR,
        event: of('2', 'web@1.10.0', [
          ['cart.size', '90'],
          ['browser.name', 'Chrome'],
        ]),
      }),
      sampleEvent({ kind: 'login', ago: HOUR, event: of('3', 'web@1.10.0', [['cart.size', 'none']]) }),
      sampleEvent({
        kind: 'logout',
        ago: HOUR,
        event: {
          release: 'web@1.10.0',
          contexts: { device: { free_memory: 4_000_000 } },
          exception: {
            values: [{ type: 'Error', value: 'logout failed', mechanism: { type: 'generic', handled: true } }],
          },
        },
      }),
    ])
    ;[cart = 0, , , login = 0] = stored
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const get = async (path: string): Promise<Body> => {
    const { status, body } = await acme.call('GET', path)
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
    return body
  }
  const queryOf = (values: Readonly<Record<string, string | readonly string[]>>): string =>
    Object.entries({ statsPeriod: '24h', ...values })
      .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(one)}`))
      .join('&')
  const table = async (values: Readonly<Record<string, string | readonly string[]>>): Promise<Row[]> =>
    (await get(`/organizations/acme/events/?${queryOf({ dataset: 'occurrences', ...values })}`))['data'] ?? []
  const refused = async (values: Readonly<Record<string, string | readonly string[]>>): Promise<string> => {
    const { status, body } = await acme.call(
      'GET',
      `/organizations/acme/events/?${queryOf({ dataset: 'errors', ...values })}`,
    )
    expect(status).toBe(400)
    return (body as { detail: string }).detail
  }
  const shortIdOf = async (id: number): Promise<string> =>
    String((await get(`/organizations/acme/issues/${id}/`))['shortId'])

  it('T17, T35 answers functions of errors by issue, release, browser and tag, by either name', async () => {
    const field = [
      'issue',
      'count()',
      'count_unique(user)',
      'p50(cart.size)',
      'max(tags[cart.size,number])',
      'failure_rate()',
      'avg(error.unhandled)',
    ]
    for (const dataset of ['errors', 'discover', 'occurrences']) {
      const [first, ...rest] = await table({ dataset, field, sort: '-count()' })
      expect(first, dataset).toEqual({
        issue: await shortIdOf(cart),
        'count()': 3,
        'count_unique(user)': 2,
        'p50(cart.size)': 20,
        'max(tags[cart.size,number])': 90,
        'failure_rate()': 1,
        'avg(error.unhandled)': 1,
      })
      expect(rest.map((row) => row['p50(cart.size)'])).toEqual([null, null])
      expect(new Set(rest.map((row) => row['failure_rate()']))).toEqual(new Set([0, 1]))
      for (const row of rest) expect(row['avg(error.unhandled)']).toBe(row['failure_rate()'])
    }
    expect(
      await table({ field: ['browser.name', 'release', 'count()'], sort: '-count()', query: 'has:browser.name' }),
    ).toEqual([
      { 'browser.name': 'Chrome', release: 'web@1.10.0', 'count()': 2 },
      { 'browser.name': 'Firefox', release: 'web@1.9.0', 'count()': 1 },
    ])
    expect(await table({ field: ['avg(device.free_memory)', 'sum(device.free_memory)'] })).toEqual([
      { 'avg(device.free_memory)': 4_000_000, 'sum(device.free_memory)': 4_000_000 },
    ])
    expect(await table({ field: ['equation|count_if(`error.unhandled:true`) / count()'] })).toEqual([
      { 'equation|count_if(`error.unhandled:true`) / count()': 0.8 },
    ])
    expect(await table({ field: ['error.type', 'error.mechanism', 'count()'], query: 'error.type:Error' })).toEqual([
      { 'error.type': 'Error', 'error.mechanism': 'generic', 'count()': 1 },
    ])
  })

  it('T44 searches as a search for events does: short ids, latest releases, stacks, tags, free words; and groups', async () => {
    const found = async (query: string): Promise<number> =>
      Number((await table({ field: ['count()', 'count_if(`!has:nothing`)'], query }))[0]?.['count()'])
    const shortId = await shortIdOf(cart)
    expect(await found(`issue:${shortId}`)).toBe(3)
    expect(await found(`!issue:${shortId.toLowerCase()}`)).toBe(2)
    expect(await found('release:latest')).toBe(4)
    expect(await found('stack.lineno:3')).toBe(4)
    expect(await found('stack.function:render cart.size:20')).toBe(1)
    expect(await found('tags[cart.size,number]:>=20')).toBe(2)
    expect(await found('cart.size:*0 "CART is not"')).toBe(3)
    expect(await found('project:web')).toBe(5)
    expect(await found(`id:${cartEvent}`)).toBe(1)
    expect(await table({ field: [`count_if(\`issue:${shortId}\`)`] })).toEqual([
      { [`count_if(\`issue:${shortId}\`)`]: 3 },
    ])
    expect(await table({ dataset: 'errors', field: ['title', 'count()'], query: 'count():>1' })).toEqual([
      { title: 'TypeError: cart is not a function', 'count()': 3 },
    ])
    expect(await refused({ field: ['p50(cart.size)'], query: 'is:unresolved' })).toContain('asked of issues')
    expect(await refused({ field: ['p50(cart.size)'], query: 'issue:nonsense' })).toContain('nonsense')
    expect(await refused({ field: ['p50(cart.size)'], query: 'project:other' })).toContain('do not exist')
    expect(await refused({ field: ['any(stack.lineno)'] })).toContain('can be searched for, but is no column')
    expect(await refused({ dataset: 'occurrences', field: ['stack.lineno'] })).toContain('is no column')
    expect(await refused({ field: ['p95(title)'] })).toContain('"title" is no number')
    expect(await refused({ field: ['p95()'] })).toContain('needs the name of an attribute')
  })

  it('T49 single errors lead to their event and issue, page by page', async () => {
    const values = {
      dataset: 'occurrences',
      field: ['title', 'issue', 'timestamp', 'release'],
      sort: '-timestamp',
      per_page: '2',
    }
    const rows: Row[] = []
    let path: string | null = `/organizations/acme/events/?${queryOf(values)}`
    while (path !== null) {
      const { body, headers } = await acme.call('GET', path)
      rows.push(...(body as { data: Row[] }).data)
      const next = /<[^>]*\/api\/0([^>]*)>; rel="next"; results="true"/.exec(headers.get('link') ?? '')?.[1]
      path = next ?? null
    }
    expect(rows).toHaveLength(5)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5)
    expect(rows.at(-1)).toMatchObject({ id: cartEvent, issue: await shortIdOf(cart), 'project.name': 'web' })
  })

  it('T46, T47 draws series of groups, named, with the time before', async () => {
    const values = queryOf({
      dataset: 'errors',
      yAxis: ['count()', 'p95(cart.size)'],
      groupBy: 'issue',
      topEvents: '1',
      interval: '1h',
      statsPeriod: '3h',
      comparisonDelta: '3600',
    })
    const { timeSeries } = (await get(`/organizations/acme/events-timeseries/?${values}`)) as unknown as {
      timeSeries: { yAxis: string; groupBy: object[]; values: { value: number; comparisonValue: number }[] }[]
    }
    expect(timeSeries.map(({ yAxis, groupBy }) => [yAxis, groupBy])).toEqual([
      ['count()', [{ key: 'issue', value: await shortIdOf(cart) }]],
      ['p95(cart.size)', [{ key: 'issue', value: await shortIdOf(cart) }]],
      ['count()', []],
      ['p95(cart.size)', []],
    ])
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
    expect(sum(timeSeries[0]?.values.map(({ value }) => value) ?? [])).toBe(3)
    expect(sum(timeSeries[0]?.values.map(({ comparisonValue }) => comparisonValue) ?? [])).toBeGreaterThan(0)
    const stats = await get(
      `/organizations/acme/events-stats/?${queryOf({ dataset: 'errors', yAxis: 'p95(cart.size)', interval: '1h' })}`,
    )
    expect(stats).toMatchObject({ meta: { fields: { 'p95(cart.size)': 'number' } } })
  })

  it('has a heat map of any number, and says what is different in a part of it', async () => {
    const map = (more: Readonly<Record<string, string>>) =>
      acme.call('GET', `/organizations/acme/explore/heat-map/?${queryOf({ dataset: 'errors', ...more })}`)
    expect((await map({ attribute: 'tags[cart.size,number]' })).body).toMatchObject({ type: 'number' })
    const from = NOW - 24 * HOUR
    const box = queryOf({
      dataset: 'errors',
      attribute: 'cart.size',
      from: '50',
      to: '100',
      boxStart: String(from),
      boxEnd: String(NOW + HOUR),
    })
    expect(await get(`/organizations/acme/explore/heat-map/box/?${box}`)).toMatchObject({
      inside: { rows: 1 },
      outside: { rows: 2 },
    })
    expect((await map({})).status).toBe(400)
    expect((await map({ attribute: 'issue' })).status).toBe(400)
  })

  it('lists attributes and their values, issues by their short ids', async () => {
    const listed = await get(`/organizations/acme/trace-items/attributes/?${queryOf({ itemType: 'occurrences' })}`)
    const keys = listed.map(({ key }) => key)
    expect(keys).toEqual(
      expect.arrayContaining(['cart.size', 'browser.name', 'issue', 'release', 'title', 'error.type']),
    )
    expect(keys).not.toContain('stack.lineno')
    const values = await get(
      `/organizations/acme/trace-items/attributes/issue/values/?${queryOf({ itemType: 'occurrences' })}`,
    )
    expect(values[0]).toMatchObject({ value: await shortIdOf(cart), count: 3 })
  })

  it('saves as a file what Explore shows', async () => {
    const path = `/organizations/acme/events/?${queryOf({ dataset: 'errors', field: ['issue', 'p50(cart.size)'], sort: '-p50(cart.size)', format: 'csv' })}`
    const text = await (await acme.download(path)).text()
    expect(text.split('\r\n').slice(0, 2)).toEqual(['issue,p50(cart.size)', `${await shortIdOf(cart)},20`])
  })

  it('says which part of a question would be refused', async () => {
    const { field, query } = await get(
      `/organizations/acme/events/validate/?${queryOf({ dataset: 'errors', field: ['p95(cart.size)', 'p96(cart.size)'], query: 'is:new' })}`,
    )
    expect(field).toMatchObject([{ valid: true, attrType: 'number' }, { valid: false }])
    expect(query).toMatchObject({ valid: false })
    // An issue is shown by its name, which is a text.
    const { meta } = await get(
      `/organizations/acme/events/?${queryOf({ dataset: 'errors', field: ['issue', 'p95(cart.size)'] })}`,
    )
    expect(meta).toMatchObject({ fields: { issue: 'string', 'p95(cart.size)': 'number' } })
  })

  it('shows nobody what belongs to another organisation', async () => {
    const rival = await app.organization('other')
    const { body } = await rival.call(
      'GET',
      `/organizations/other/events/?${queryOf({ dataset: 'occurrences', field: 'count()' })}`,
    )
    expect(body).toMatchObject({ data: [{ 'count()': 0 }] })
    const shortId = await shortIdOf(cart)
    const named = await rival.call(
      'GET',
      `/organizations/other/events/?${queryOf({ dataset: 'errors', field: `count_if(\`issue:${shortId}\`)` })}`,
    )
    expect(JSON.stringify(named.body)).toContain(':0}')
  })

  it('counts errors of merged issues as those of the issue that stands for them', async () => {
    await acme.call('PUT', `/organizations/acme/issues/?id=${cart}&id=${login}`, { merge: 1 })
    const rows = await table({ field: ['issue', 'count()', 'count_unique(issue)'], sort: '-count()' })
    expect(rows.map((row) => [row['count()'], row['count_unique(issue)']])).toEqual([
      [4, 1],
      [1, 1],
    ])
  })
})

describe('fields of errors', () => {
  it('are tags where a name is no field, and where it is asked for as a tag', () => {
    const { bind } = new Parameters('a')
    expect(findAttribute(errorsDataset, 'url.full', bind).search).toEqual({ kind: 'tag', name: 'url.full' })
    expect(findAttribute(errorsDataset, 'tags[release]', bind).search).toEqual({ kind: 'tag', name: 'release' })
    expect(findAttribute(errorsDataset, 'release', bind).search).toMatchObject({ kind: 'text' })
  })
})
