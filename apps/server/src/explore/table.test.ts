import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Unanswerable } from '../lib/unanswerable.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { spansDataset } from '../traces/telemetry/span-dataset.ts'
import { LIMITS } from './limits.ts'
import { readQuestionScope, type ExploreServices } from './scope.ts'
import { metaJson, type TableQuery } from './table.ts'
import { createServices, FROM, insertSpans, NOW, tableOf, type Ask } from './test/sample-spans.ts'

describe.each(TELEMETRY_ENGINES)('tables of spans on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let services: ExploreServices
  let ask: Ask
  beforeAll(async () => {
    opened = await open()
    services = createServices(opened)
    ask = tableOf(services)
  })
  afterAll(() => opened.close())

  /** The names of the spans that a search finds, among those whose transaction is the test's. */
  const found = async (transaction: string, query: string, more: Partial<TableQuery> = {}): Promise<unknown[]> => {
    const { rows } = await ask({
      field: ['span.name'],
      query: `transaction:${transaction} ${query}`,
      sort: ['span.name'],
      ...more,
    })
    return rows.map((row) => row['span.name'])
  }
  const sentenceOf = (error: unknown): string => {
    expect(error).toBeInstanceOf(Unanswerable)
    return (error as Unanswerable).message
  }
  const refused = (more: Partial<TableQuery>): Promise<string> => ask(more).then(() => 'answered', sentenceOf)

  it('T17, T18, T19 an attribute of any name and type is found, shown and compared as what it is, "500" as 500', async () => {
    await insertSpans(opened, [
      { transaction: 'typed', name: 'a', strings: { 'cart.size': '500' } },
      { transaction: 'typed', name: 'b', numbers: { 'cart.size': 500 }, flags: { 'cart.paid': true } },
      { transaction: 'typed', name: 'c', numbers: { 'cart.size': 99.5 }, flags: { 'cart.paid': false } },
      { transaction: 'typed', name: 'd', httpStatus: 500 },
      { transaction: 'typed', name: 'e', strings: { 'cart.size': 'large' } },
    ])
    expect(await found('typed', 'cart.size:500')).toEqual(['a', 'b'])
    expect(await found('typed', 'cart.size:>=500')).toEqual(['a', 'b'])
    expect(await found('typed', 'tags[cart.size,number]:<100')).toEqual(['c'])
    expect(await found('typed', '!cart.size:500')).toEqual(['c', 'd', 'e'])
    expect(await found('typed', 'cart.size:lar*')).toEqual(['e'])
    expect(await found('typed', 'has:cart.size')).toEqual(['a', 'b', 'c', 'e'])
    expect(await found('typed', '!has:cart.size')).toEqual(['d'])
    expect(await found('typed', 'cart.paid:true')).toEqual(['b'])
    expect(await found('typed', 'tags[cart.paid,boolean]:1')).toEqual(['b'])
    expect(await found('typed', 'tags[cart.paid,boolean]:false')).toEqual(['c'])
    expect(await found('typed', 'cart.paid:false')).toEqual(['c'])
    expect(await found('typed', 'http.response.status_code:500')).toEqual(['d'])
    expect(await found('typed', 'http.status_code:>=500')).toEqual(['d'])
    const { rows, columns } = await ask({
      field: ['span.name', 'cart.size', 'tags[cart.size,number]', 'tags[cart.paid,boolean]', 'span.status_code'],
      query: 'transaction:typed',
      sort: ['span.name'],
    })
    expect(rows.map((row) => Object.values(row).slice(0, 5))).toEqual([
      ['a', '500', 500, null, null],
      ['b', '500', 500, true, null],
      ['c', '99.5', 99.5, false, null],
      ['d', '', null, null, 500],
      ['e', 'large', null, null, null],
    ])
    expect(columns.map(({ type }) => type).slice(0, 5)).toEqual(['string', 'string', 'number', 'boolean', 'integer'])
  })

  it('T40 a sampled row counts as often as it stands for, and says how sure that is', async () => {
    await insertSpans(
      opened,
      Array.from({ length: 60 }, () => ({ transaction: 'sampled', rate: 0.1 })),
    )
    await insertSpans(opened, [
      { transaction: 'sampled/rare', rate: 0.01 },
      { transaction: 'sampled/zero', rate: 0 },
    ])
    const functions = { field: ['count()', 'count_sample()', 'p95(span.duration)', 'count_unique(user)'] }
    const table = await ask({ ...functions, query: 'transaction:sampled' })
    expect(table.rows[0]).toMatchObject({ 'count()': 600, 'count_sample()': 60 })
    const { accuracy } = metaJson(table, 'spans')
    expect(accuracy.confidence).toEqual([
      { 'count()': 'high', 'count_sample()': 'high', 'p95(span.duration)': 'high', 'count_unique(user)': null },
    ])
    expect(accuracy.sampleCount[0]?.['count()']).toBe(60)
    expect(accuracy.samplingRate[0]?.['count()']).toBeCloseTo(0.1, 6)
    const rare = metaJson(await ask({ ...functions, query: 'transaction:sampled/rare' }), 'spans')
    expect(rare.accuracy.confidence[0]).toMatchObject({ 'count()': 'low', 'p95(span.duration)': 'low' })
    const raw = await ask({ query: 'transaction:sampled', disableAggregateExtrapolation: '1' })
    expect(raw.rows[0]).toEqual({ 'count()': 60 })
    expect((await ask({ query: 'transaction:sampled/zero' })).rows[0]).toEqual({ 'count()': 1 })
  })

  it('T117 what lies outside of the time is left out before rows that came twice are looked for', async () => {
    await insertSpans(opened, [{ transaction: 'outside' }])
    const { from, organization, project, settings, time } = spansDataset
    const answer = await opened.telemetry.client.query({
      query: `EXPLAIN actions = 1 SELECT count(), max(spans.duration) FROM ${from}
        WHERE ${organization} = 1 AND ${project} IN (1, 2) AND ${time} >= toDateTime64('2026-11-20 12:00:00', 3, 'UTC')
        SETTINGS ${settings.join(', ')}`,
      format: 'TabSeparatedRaw',
    })
    const [before] = /Prewhere filter column:[^\n]*/.exec(await answer.text()) ?? ['']
    expect(before).toContain('timestamp')
    // What is not in the key may differ between two that came, so it is asked of the one that counts.
    expect(before).not.toContain('organization_id')
  })

  it('T41 an equation that divides by nothing is null, and is sorted by', async () => {
    await insertSpans(opened, [
      { transaction: 'ratio', op: 'x', numbers: { part: 2, whole: 4 } },
      { transaction: 'ratio', op: 'y', numbers: { part: 3, whole: 0 } },
      { transaction: 'ratio', op: 'z', numbers: { part: 9, whole: 3 } },
    ])
    const equation = 'equation|sum(tags[part,number]) / sum(tags[whole,number])'
    const { rows } = await ask({ field: ['span.op', equation], query: 'transaction:ratio', sort: [`-${equation}`] })
    expect(rows.map((row) => [row['span.op'], row[equation]])).toEqual([
      ['z', 3],
      ['x', 0.5],
      ['y', null],
    ])
    const byPlace = await ask({ field: ['span.op', equation], query: 'transaction:ratio', sort: ['-equation[0]'] })
    expect(byPlace.rows).toEqual(rows)
    for (const wrong of [
      'equation[0]',
      'equation|',
      'equation|1 +',
      'equation|(count()',
      'equation|span.op * 2',
      'equation|count() count()',
    ]) {
      expect(await refused({ field: [wrong] }), wrong).not.toBe('answered')
    }
    expect(await refused({ field: [`equation|${'('.repeat(12)}1${')'.repeat(12)}`] })).toContain('nested')
    expect(await refused({ field: [`equation|${'1+'.repeat(40)}1`] })).toContain('at most 30')
  })

  it('T42 values have units: in searches, in conditions of functions and of groups', async () => {
    await insertSpans(opened, [
      { transaction: 'units', name: 'short', duration: 250, numbers: { 'http.response.body.size': 1500 } },
      { transaction: 'units', name: 'long', duration: 1500, numbers: { 'http.response.body.size': 3_000_000 } },
    ])
    expect(await found('units', 'span.duration:>1s')).toEqual(['long'])
    expect(await found('units', 'span.duration:<=250ms')).toEqual(['short'])
    expect(await found('units', 'span.duration:>0.02m')).toEqual(['long'])
    expect(await found('units', 'http.response.body.size:<2kb')).toEqual(['short'])
    expect(await found('units', 'http.response.body.size:>1mib')).toEqual(['long'])
    expect(await refused({ query: 'span.duration:>soon' })).toContain('Write 250, 250ms')
    const { rows } = await ask({
      field: ['count_if(span.duration,greater,1s)', 'count_if(`span.duration:>0.2s`)'],
      query: 'transaction:units',
    })
    expect(Object.values(rows[0] ?? {})).toEqual([1, 2])
    const slow = await ask({
      field: ['span.name', 'p95(span.duration)'],
      query: 'transaction:units p95(span.duration):>1s',
    })
    expect(slow.rows.map((row) => row['span.name'])).toEqual(['long'])
  })

  it('T35 a number is one, however it was sent and however its name is written', async () => {
    await insertSpans(opened, [
      { transaction: 'numbers', name: 'a', duration: 1, numbers: { 'cart.weight': 2 } },
      { transaction: 'numbers', name: 'b', duration: 1, strings: { 'cart.weight': '4' } },
      { transaction: 'numbers', name: 'c', duration: 1, strings: { 'cart.weight': 'heavy' } },
    ])
    for (const written of [
      'cart.weight',
      'tags[cart.weight]',
      'tags[cart.weight,number]',
      'tags[cart.weight,string]',
    ]) {
      const field = [`sum(${written})`, `max(${written})`, `p95(${written})`]
      const { rows } = await ask({ field, query: 'transaction:numbers' })
      expect(Object.values(rows[0] ?? {}), written).toEqual([6, 4, expect.any(Number)])
    }
  })

  it('T43 an attribute is the same by its old and its new name, whichever it was sent by', async () => {
    await insertSpans(opened, [
      {
        transaction: 'names',
        name: 'old',
        strings: { 'db.statement': 'SELECT 1' },
        numbers: { 'ai.completion_tokens.used': 7 },
      },
      {
        transaction: 'names',
        name: 'new',
        strings: { 'db.query.text': 'SELECT 1' },
        numbers: { 'gen_ai.usage.output_tokens': 7 },
      },
      { transaction: 'names', name: 'lcp', numbers: { 'browser.web_vital.lcp.value': 2100 } },
    ])
    for (const search of [
      'has:db.statement',
      'has:db.query.text',
      'db.statement:"SELECT 1"',
      'gen_ai.usage.output_tokens:7',
      'ai.completion_tokens.used:>6',
    ]) {
      expect(await found('names', search), search).toEqual(['new', 'old'])
    }
    for (const search of [
      'has:measurements.lcp',
      'has:browser.web_vital.lcp.value',
      'lcp:>2s',
      'measurements.lcp:2.1s',
    ]) {
      expect(await found('names', search), search).toEqual(['lcp'])
    }
  })

  it('T44 OR, brackets, wildcards, stars in quotation marks, conditions on functions beside those on rows', async () => {
    await insertSpans(opened, [
      { transaction: 'words', name: 'SELECT * FROM tea', op: 'db', duration: 10 },
      { transaction: 'words', name: 'SELECT 1', op: 'db', duration: 30 },
      { transaction: 'words', name: 'GET /tea', op: 'http.client', duration: 500, strings: { shop: 'on"e\\' } },
    ])
    expect(await found('words', '(span.op:db span.duration:>20) OR span.op:http.*')).toEqual(['GET /tea', 'SELECT 1'])
    expect(await found('words', 'span.name:"SELECT 1" or span.op:http.client')).toEqual(['GET /tea', 'SELECT 1'])
    expect(await found('words', String.raw`span.description:"SELECT \* FROM tea"`)).toEqual(['SELECT * FROM tea'])
    expect(await found('words', 'span.description:*tea')).toEqual(['GET /tea', 'SELECT * FROM tea'])
    expect(await found('words', 'TEA')).toEqual(['GET /tea', 'SELECT * FROM tea'])
    expect(await found('words', 'span.op:[db,cache]')).toEqual(['SELECT * FROM tea', 'SELECT 1'])
    expect(await found('words', 'shop:"on\\"e\\\\"')).toEqual(['GET /tea'])
    expect(await found('words', 'project:shop')).toHaveLength(3)
    expect(await found('words', 'project:api')).toEqual([])
    expect(await refused({ query: 'project:elsewhere' })).toContain('Project(s) elsewhere do not exist')
    const { rows } = await ask({
      field: ['span.op', 'count()'],
      query: 'transaction:words span.duration:<1s count():>1 OR transaction:words (count():>1)',
    }).catch((error: unknown) => ({ rows: [{ refused: sentenceOf(error) }] }))
    expect(rows).toEqual([{ refused: expect.stringContaining('cannot stand in one OR') }])
    const grouped = await ask({ field: ['span.op', 'count()'], query: 'transaction:words count():>1' })
    expect(grouped.rows).toEqual([{ 'span.op': 'db', 'count()': 2 }])
    const either = await ask({
      field: ['span.op', 'count()'],
      query: 'transaction:words (count():>1 OR max(span.duration):>400ms)',
      sort: ['span.op'],
    })
    expect(either.rows.map((row) => row['span.op'])).toEqual(['db', 'http.client'])
    expect(await refused({ field: ['count_if(`count():>1`)'] })).toContain('is about groups')
  })

  it('T45 a time without a zone is UTC, and there are not two of them', async () => {
    await insertSpans(opened, [
      { transaction: 'clock', name: 'in' },
      { transaction: 'clock', name: 'out', at: FROM + 60_000 },
    ])
    const range = { start: '2026-11-20T12:00:00', end: '2026-11-20T12:00:30' }
    expect(await found('clock', '', { ...range, statsPeriod: undefined })).toEqual(['in'])
    expect(await found('clock', 'timestamp:<2026-11-20T12:00:30')).toEqual(['in'])
    expect(await refused({ ...range, statsPeriod: '1h' })).toContain('not both')
  })

  it('T49 pages of single rows neither leave out nor repeat any while rows arrive, whatever they are sorted by', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `row ${String(index).padStart(5, '0')}`)
    await insertSpans(
      opened,
      names.map((name, index) => ({
        transaction: 'paged',
        name,
        duration: (index * 7919) % 100,
        at: FROM + ((index * 31) % 1000),
        ...(index % 3 === 0 && { numbers: { size: index % 5 } }),
      })),
    )
    for (const sort of [[], ['-span.duration', 'span.name'], ['tags[size,number]'], ['-tags[size,number]']]) {
      const seen: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await ask({
          field: ['span.name', 'span.duration', 'tags[size,number]'],
          query: 'transaction:paged !span.name:new*',
          sort,
          limit: 1000,
          ...(cursor !== undefined && { cursor }),
        })
        seen.push(...page.rows.map((row) => row['span.name']))
        cursor = page.next ?? undefined
        await insertSpans(opened, [
          { transaction: 'paged', name: `new ${seen.length}`, duration: 1e6, at: FROM + 5000 },
        ])
      } while (cursor !== undefined && seen.length < 20_000)
      expect(seen, sort.join()).toHaveLength(names.length)
      expect(new Set(seen).size, sort.join()).toBe(names.length)
    }
    expect(await refused({ field: ['span.name'], cursor: '0:100:0' })).toContain('cursor')
  })

  it('T49 pages of groups are of the rows that were there when the first one was asked for', async () => {
    await insertSpans(
      opened,
      Array.from({ length: 30 }, (_, index) => ({
        transaction: 'groups',
        name: `g ${String(index).padStart(2, '0')}`,
      })),
    )
    const request = { field: ['span.name', 'count()'], query: 'transaction:groups', sort: ['-count()'], limit: 20 }
    const first = await ask(request)
    const late = Array.from({ length: 5 }, () => ({ transaction: 'groups', name: 'g 29', received: FROM * 2 }))
    await insertSpans(opened, late)
    const second = await ask({ ...request, cursor: first.next ?? '' })
    const names = [...first.rows, ...second.rows].map((row) => row['span.name'])
    expect(new Set(names).size).toBe(30)
    expect(second.next).toBeNull()
    expect(await refused({ ...request, cursor: `${FROM}:999999:0` })).toContain('cannot be listed')
  })

  it('T53 transactions are the spans that are segments', async () => {
    await insertSpans(opened, [
      { transaction: 'both', name: 'root', isSegment: true },
      { transaction: 'both', name: 'child' },
    ])
    expect(await found('both', '', { dataset: 'transactions' })).toEqual(['root'])
    expect(await found('both', 'is_transaction:true')).toEqual(['root'])
    expect(await found('both', 'is_transaction:1', { dataset: 'spans' })).toEqual(['root'])
    expect(await found('both', '')).toEqual(['child', 'root'])
    for (const dataset of ['metricsEnhanced', 'metrics']) expect(await found('both', '', { dataset })).toEqual(['root'])
    expect(await found('both', '', { dataset: 'spansMetrics' })).toEqual(['child', 'root'])
    expect(await found('both', 'event.type:transaction', { dataset: 'transactions' })).toEqual(['root'])
    expect(await found('both', 'event.type:error', { dataset: 'transactions' })).toEqual([])
    expect(await found('both', '!event.type:error', { dataset: 'transactions' })).toEqual(['root'])
  })

  it('T53 transactions answer by the names that Sentry has for them, and refuse those that are not kept', async () => {
    const strings = { 'user.email': 'eve@shop.test', 'user.geo.city': 'Graz' }
    await insertSpans(opened, [
      {
        transaction: 'GET /tea',
        name: 'root',
        isSegment: true,
        status: 'not_found',
        country: 'AT',
        user: 'id:7',
        strings,
      },
      { transaction: 'GET /tea', name: 'SELECT 1', user: 'id:7', strings: { title: 'own title' } },
    ])
    const field = [
      'title',
      'message',
      'transaction.status',
      'event.type',
      'user.display',
      'geo.city',
      'geo.country_code',
    ]
    const query = 'transaction:"GET /tea"'
    const { rows } = await ask({
      dataset: 'transactions',
      field: [...field, 'timestamp.to_hour', 'timestamp.to_day'],
      query,
    })
    expect(rows).toMatchObject([
      {
        title: 'GET /tea',
        message: 'GET /tea',
        'transaction.status': 'not_found',
        'event.type': 'transaction',
        'user.display': 'eve@shop.test',
        'geo.city': 'Graz',
        'geo.country_code': 'AT',
        'timestamp.to_hour': '2026-11-20T12:00:00.000Z',
        'timestamp.to_day': '2026-11-20T00:00:00.000Z',
      },
    ])
    const below = await ask({ field: ['title', 'message', 'user.display'], query: `${query} is_transaction:false` })
    expect(below.rows).toMatchObject([{ title: 'own title', message: 'SELECT 1', 'user.display': '7' }])
    const counted = ['count_if(transaction.status,equals,not_found)', 'count_if(`transaction.status:not_found`)']
    expect((await ask({ field: counted, query })).rows).toEqual([{ [counted[0] ?? '']: 1, [counted[1] ?? '']: 1 }])
    for (const name of ['spans.db', 'spans.total.time']) {
      expect(await refused({ field: [name] }), name).toContain(`"${name}" is not there.`)
      expect(await refused({ field: [`any(${name})`] }), name).toContain(`"${name}" is not there.`)
      expect(await refused({ query: `${name}:>5` }), name).toContain(`"${name}" is not there.`)
      expect(await refused({ query: `has:${name}` }), name).toContain(`"${name}" is not there.`)
    }
    expect(await refused({ field: ['tags[spans.db]'] })).toBe('answered')
  })

  it('T6 a span that was sent twice counts once', async () => {
    const { rowOf } = await import('./test/sample-spans.ts')
    const row = rowOf({ transaction: 'twice' })
    for (let time = 0; time < 2; time += 1) {
      await opened.telemetry.client.insert({ table: 'spans', values: [row], format: 'JSONEachRow' })
    }
    expect((await ask({ query: 'transaction:twice' })).rows[0]).toEqual({ 'count()': 1 })
    expect(await found('twice', '')).toEqual(['work'])
  })

  it('T38, T39 scores of vitals: 0.9 and 0.5 where the curve says so, by device, and in total by what there is', async () => {
    const vitals = (values: Readonly<Record<string, number>>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`browser.web_vital.${name}.value`, value]))
    await insertSpans(opened, [
      {
        transaction: 'vitals',
        name: 'desktop',
        numbers: vitals({ lcp: 1200, inp: 500, cls: 0.1, fcp: 1600, ttfb: 200 }),
      },
      { transaction: 'vitals', name: 'mobile', browser: 'Chrome Mobile', numbers: vitals({ lcp: 2500, ttfb: 1800 }) },
      { transaction: 'vitals', name: 'still', numbers: vitals({ cls: 0 }) },
      { transaction: 'vitals', name: 'without' },
    ])
    const names = ['lcp', 'inp', 'cls', 'fcp', 'ttfb', 'total'].map((name) => `measurements.score.${name}`)
    const { rows } = await ask({ field: ['span.name', ...names], query: 'transaction:vitals' })
    const scores = (name: string): unknown[] => {
      const row = rows.find((one) => one['span.name'] === name)
      return names.map((score) => row?.[score])
    }
    const near = (value: number) => expect.closeTo(value, 2)
    // Of all five: the weights of 0.9 are 0.30, 0.15 and 0.10; those of 0.5 are 0.30 and 0.15.
    const whole = 0.9 * (0.3 + 0.15 + 0.1) + 0.5 * (0.3 + 0.15)
    expect(scores('desktop')).toEqual([near(0.9), near(0.5), near(0.9), near(0.5), near(0.9), near(whole)])
    // Of two: 0.30 and 0.10 are three quarters and one.
    expect(scores('mobile')).toEqual([near(0.9), null, null, null, near(0.5), near(0.9 * 0.75 + 0.5 * 0.25)])
    expect(scores('still')).toEqual([null, null, 1, null, null, 1])
    expect(scores('without')).toEqual([null, null, null, null, null, null])
  })

  it('a share of the time is of all that was, whatever is searched for', async () => {
    const only = { start: '2026-11-20T10:00:00', end: '2026-11-20T10:00:10', statsPeriod: undefined }
    const at = Date.parse('2026-11-20T10:00:00.000Z')
    await insertSpans(opened, [
      { at, transaction: 'part', duration: 30 },
      { at, transaction: 'rest', duration: 90 },
    ])
    const field = ['time_spent_percentage()', 'time_spent_percentage(span.duration)']
    const { rows } = await ask({ ...only, field, query: 'transaction:part' })
    expect(rows[0]).toEqual({ [field[0] ?? '']: 0.25, [field[1] ?? '']: 0.25 })
  })

  it('nobody sees the rows of another organisation, or of projects that were not asked for', async () => {
    await insertSpans(opened, [
      { transaction: 'mine', name: 'shop' },
      { transaction: 'mine', name: 'api', project: 2 },
      { transaction: 'mine', name: 'foreign', organization: 2 },
      { transaction: 'mine', name: 'unknown project', project: 99 },
    ])
    expect(await found('mine', '')).toEqual(['api', 'shop'])
    expect(await found('mine', '', { project: ['shop'] })).toEqual(['shop'])
    expect(await found('mine', '', { project: ['2'] })).toEqual(['api'])
    const { rows } = await ask({
      field: ['count()', 'time_spent_percentage(span.duration)'],
      query: 'transaction:mine',
      project: ['api'],
    })
    expect(rows[0]).toEqual({ 'count()': 1, 'time_spent_percentage(span.duration)': 1 })
  })

  it('T113 keys and values of any characters come back as they were', async () => {
    const keys = [
      'a.b',
      "it's",
      'say "hi"',
      'nul\u0000key',
      '😀',
      '__proto__',
      'constructor',
      '{x:String}',
      "'; DROP TABLE spans --",
    ]
    await insertSpans(opened, [
      { transaction: 'odd', name: 'all', strings: Object.fromEntries(keys.map((key) => [key, `value of ${key}`])) },
    ])
    const { rows } = await ask({ field: keys.map((key) => `tags[${key}]`), query: 'transaction:odd' })
    for (const key of keys) expect(rows[0]?.[`tags[${key}]`], key).toBe(`value of ${key}`)
    const values = await ask({ field: ['count_if(`"__proto__":"value of __proto__"`)'], query: 'transaction:odd' })
    expect(Object.values(values.rows[0] ?? {})).toEqual([1])
  })

  it('T114 a search that could make a pattern run for ever does not', async () => {
    expect((await ask({ query: `span.name:${'*a'.repeat(200)}*b` })).rows).toEqual([{ 'count()': 0 }])
    await refused({ field: [`equation|${'('.repeat(480)}`] })
    await refused({ field: [`count_if(${'`'.repeat(480)})`] })
  })

  it('T52 a question that is too large is refused with one that is not, and the next one is answered', async () => {
    await opened.telemetry.client.command({
      query: `INSERT INTO spans (organization_id, project_id, trace_id, span_id, timestamp, name, transaction)
        SELECT 1, 1, generateUUIDv4(), number + 1000000, fromUnixTimestamp64Milli({at:Int64}), concat('n', toString(number)), 'large'
        FROM numbers(210000)`,
      query_params: { at: FROM },
    })
    const sentence = await refused({ field: ['span.name', 'id', 'count_unique(trace)'], query: 'transaction:large' })
    expect(sentence).toContain('This question is too large')
    expect(sentence).toMatch(/statsPeriod=\w+\)/)
    expect((await ask({ query: 'transaction:large span.name:n7' })).rows[0]).toEqual({ 'count()': 1 })
  })

  it('T52 groups are bounded for all threads together: two of them make no more than one', async () => {
    const about = { organizationId: 1, dataset: spansDataset, name: 'spans', now: NOW }
    const scope = await readQuestionScope(services, about, { statsPeriod: '1h' })
    const groupsOf = (rows: number) =>
      services.view.ask(
        scope,
        `SELECT number, count() AS found FROM (SELECT number FROM numbers_mt(${rows}) SETTINGS max_block_size = 8192)
GROUP BY number ORDER BY number LIMIT 1`,
        {},
      )
    expect(await groupsOf(LIMITS.EXPLORE_GROUPS / 2)).toEqual([{ number: 0, found: 1 }])
    expect(await groupsOf(LIMITS.EXPLORE_GROUPS * 1.25).then(() => 'answered', sentenceOf)).toContain('too large')
  })

  it('says what is wrong with a column, and what would be right', async () => {
    for (const [field, words] of [
      ['p96(span.duration)', '"p96()" is not known. Did you mean p90() or p95()?'],
      ['failur_rate_if(`span.op:db`)', 'Did you mean failure_rate()?'],
      ['dragons()', 'Use one of: any, apdex'],
      ['division(count(),count())', 'equation|'],
      ['sum(tags[paid,boolean])', '"tags[paid,boolean]" is no number'],
      ['count_web_vitals(span.duration,good)', 'measurements.lcp'],
      ['count_web_vitals(measurements.lcp,best)', 'good, meh, poor, any'],
      ['count_at_least(span.duration,soon)', '"soon" is not a number'],
      ['p95(span.op)', '"p95()" cannot be asked so'],
      ['p95(span.duration,3)', 'It takes at most 1'],
      ['epm(3)', 'It takes no arguments'],
      ['count_if(span.duration,above,1s)', 'Use one of: equals'],
      ['count_if(span.duration,greater,soon)', '"soon" is not a number'],
      ['count_if()', 'It needs a condition'],
      ['http_response_rate(9)', 'http_response_rate(5)'],
      ['percentile(span.duration,95)', 'percentile(span.duration,0.95)'],
      ['opportunity_score(span.duration)', 'measurements.score.total'],
      ['count(`span.op:db`)', 'count_if alone'],
      ['sum(', 'neither an attribute nor a function'],
      ['count_if(`span.op:db)', 'never closed'],
    ] as const) {
      expect(await refused({ field: [field] }), field).toContain(words)
    }
    expect(await refused({ field: ['span.op'], sort: ['-count()'] })).toContain('Add field=count()')
    expect(await refused({ dataset: 'dragons' })).toContain('Use one of: errors, spans, transactions')
  })
})
