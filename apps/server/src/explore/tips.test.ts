import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { createServices, FROM, insertSpans, tableOf, type Ask } from './test/sample-spans.ts'
import type { ExploreServices } from './scope.ts'
import type { TableQuery } from './table.ts'
import { tipsOf } from './tips.ts'

describe.each(TELEMETRY_ENGINES)('reasons of empty answers on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let services: ExploreServices
  let ask: Ask
  beforeAll(async () => {
    opened = await open()
    services = createServices(opened)
    ask = tableOf(services)
    await insertSpans(opened, [
      {
        op: 'pageload',
        browser: 'Chrome',
        user: 'id:7',
        flags: { 'cart.paid': true },
        strings: { 'cart.plan': 'free' },
      },
      { op: 'pageload', browser: 'Chrome Mobile', user: 'id:77', flags: { 'cart.paid': false } },
      { op: 'http.server', numbers: { 'cart.size': 3 }, strings: { 'cart.plan': 'pro' } },
    ])
    const log = { organization_id: 1, project_id: 1, level: 'info', id: '1', timestamp: FROM, received: FROM }
    await opened.telemetry.client.insert({ table: 'logs', values: [log], format: 'JSONEachRow' })
  })
  afterAll(() => opened.close())

  const tips = async (query: string, more: Partial<TableQuery> = {}) =>
    tipsOf(services.view, await ask({ field: ['id'], query, ...more }), query)
  const tip = async (query: string, more: Partial<TableQuery> = {}) => (await tips(query, more)).query

  it('T19 a search for an attribute that nobody sent says so, and which one may be meant', async () => {
    expect(await tip('foo:bar')).toBe('Nothing in this time has an attribute "foo".')
    expect(await tip('op:pageload')).toBe('Nothing in this time has an attribute "op". Did you mean span.op?')
    expect(await tip('status:ok')).toBe('Nothing in this time has an attribute "status". Did you mean span.status?')
    expect(await tip('duration:>1s')).toContain('Did you mean span.duration?')
    expect(await tip('levell:error', { dataset: 'logs' })).toContain('Did you mean level?')
    expect(await tip('release:latest span.op:pageload')).toContain('"release"')
    expect(await tip('age:-2h')).toContain('Did you mean timestamp?')
    expect(await tip('level:error')).toContain('an attribute "level"')
    expect(await tip('has:cart.plam')).toContain('Did you mean cart.plan or cart.paid?')
    expect(await tip('Cart.Plan:pro')).toContain('Did you mean cart.plan?')
    expect(await tip('release:x')).toBe('Nothing in this time has an attribute "release".')
  })

  it('T19 a value that is written otherwise is offered as it was sent, and of several conditions the one that fails is named', async () => {
    const chrome = 'Nothing in this time has browser.name:chrome. Did you mean browser.name:Chrome?'
    expect(await tip('browser.name:chrome')).toBe(chrome)
    expect(await tip('user:7')).toBe('Nothing in this time has user:7. Did you mean user:id:7?')
    expect(await tip('cart.plan:PRO')).toContain('Did you mean cart.plan:pro?')
    expect(await tip('browser.name:mobile')).toContain('browser.name:"Chrome Mobile"')
    expect(await tip('browser.name:Firefox')).toBeNull()
    expect(await tip('span.op:pageload browser.name:Firefox')).toBe('Nothing in this time has browser.name:Firefox.')
    expect(await tip('span.op:pageload span.duration:>1h')).toBe('Nothing in this time has such a "span.duration".')
    expect(await tip('span.op:http.server browser.name:Chrome')).toBeNull()
    expect(await tip('(foo:1 OR browser.name:chrome)')).toBe(`Nothing in this time has an attribute "foo". ${chrome}`)
  })

  it('T19 of alternatives none is a reason by itself: all of them have to fail', async () => {
    const plan = 'Nothing in this time has an attribute "plan". Did you mean cart.plan?'
    expect(await tip('plan:pro')).toBe(plan)
    expect(await tip('(plan:pro OR span.op:pageload) span.duration:>1h')).toBe(
      'Nothing in this time has such a "span.duration".',
    )
    expect(await tip('(plan:pro OR (browser.name:Chrome span.op:pageload)) cart.plan:pro')).toBeNull()
    expect(await tip('(plan:pro OR !browser.name:Chrome) cart.plan:free')).toBeNull()
    expect(await tip('(plan:pro OR (browser.name:Chrome span.op:http.server))')).toBe(plan)
  })

  it('T19 where nothing came at all, the search is not why', async () => {
    const none = 'Nothing came in this time.'
    expect(await tip('levell:error', { dataset: 'errors' })).toBe(none)
    expect(await tip('level:error', { dataset: 'errors' })).toBe(none)
    expect(await tip('span.op:pageload', { environment: ['staging'] })).toBe(
      'Nothing came from this environment in this time.',
    )
  })

  it('an answer with something in it, conditions that find less, and words need no reason', async () => {
    expect(await tips('span.op:pageload')).toEqual({ query: null, columns: null })
    expect(await tip('!has:span.op')).toBeNull()
    expect(await tip('!has:timestamp')).toBeNull()
    expect(await tip('no such words')).toBeNull()
    expect(await tip('timestamp:>2030-01-01 is_transaction:true')).toBe(
      'Nothing in this time has such a "timestamp". Nothing in this time has is_transaction:true.',
    )
    expect(await tip('trace:0123456789abcdef0123456789abcdef')).toBeNull()
    expect(await tip('project:shop foo:1')).toBe('Nothing in this time has an attribute "foo".')
    expect(await tip('foo:bar', { field: ['count()'] })).toContain('"foo"')
    expect(await tip('foo:bar', { field: ['span.op', 'count()'] })).toContain('"foo"')
    expect(await tip('span.op:pageload count():>100', { field: ['span.op', 'count()'] })).toBeNull()
  })

  it('T44 whether rows have it can be asked of each attribute of each dataset', async () => {
    for (const { attributes, names } of services.datasets) {
      const dataset = names[0]?.name ?? ''
      const keys = [...attributes.keys()].filter((name) => !/[()]/.test(name)).map((name) => `!has:${name}`)
      for (let at = 0; at < keys.length; at += 20) {
        const query = keys.slice(at, at + 20).join(' ')
        const { rows } = await ask({ dataset, query })
        expect(rows, query).toHaveLength(1)
      }
    }
  })

  it('T35 a function of what is true or false, of text or of nothing says why it has no value', async () => {
    const columns = async (...field: string[]) => (await tips('', { field })).columns
    const paid = '"cart.paid" is true or false. Ask for avg(tags[cart.paid,boolean]), the share of it that is true.'
    expect(await columns('avg(cart.paid)')).toBe(paid)
    expect(await columns('span.op', 'p95(cart.paid)', 'count()')).toBe(paid)
    expect(await columns('sum(cart.plan)')).toBe('"cart.plan" is text here, and no number.')
    expect(await columns('p50(cart.sizes)')).toBe(
      'Nothing in this time has an attribute "cart.sizes". Did you mean cart.size?',
    )
    expect(await columns('avg(cart.size)', 'avg(tags[cart.paid,boolean])')).toBeNull()
  })
})
