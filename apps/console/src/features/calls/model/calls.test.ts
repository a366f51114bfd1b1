import { describe, expect, it } from 'vitest'
import { isBad, readBefore, readCalls, readOne, shareOf, withSamples } from './answers.ts'
import { compactCall, compactCalls, readCallsUrl, readCallUrl } from './calls-url.ts'
import { rateUnitOf } from '../../performance/model/index.ts'
import { type CallKind, findKind, formatCell, formatTile, KINDS } from './kinds.ts'
import {
  allQuestion,
  beforeQuestion,
  callersQuestion,
  callQuestion,
  comparedColumn,
  listQuestion,
  samplesQuestion,
} from './questions.ts'
import { callsFromUrl, rangeBefore } from './shown.ts'

/** Of an answer. */
const MOST_FIELDS = 20
const GROUP = '00aa11bb22cc33dd'

const kindOf = (name: string): CallKind => {
  const kind = findKind(name)
  if (kind === undefined) throw new Error(`there are no ${name}`)
  return kind
}
const databases = kindOf('databases')
const call = { statsPeriod: '24h', project: [], environment: [], group: GROUP }

describe('questions', () => {
  it.each(KINDS.map((kind) => [kind.name, kind] as const))(
    'of %s have no more columns than an answer may have',
    (_, kind) => {
      const list = listQuestion(kind, callsFromUrl(kind, {}))
      const asked = [
        list.field,
        allQuestion(kind, '').field,
        callQuestion(kind, call).field,
        callersQuestion(kind, call).field,
        samplesQuestion(kind, call, 'slowest', 0).field,
      ]
      for (const fields of asked) {
        expect(fields.length).toBeLessThanOrEqual(MOST_FIELDS)
        expect(new Set(fields).size).toBe(fields.length)
      }
      // What is sorted by and what is compared are among the columns.
      expect(list.field).toContain(list.sort[0]?.replace(/^-/, ''))
      expect(comparedColumn(kind)).toBeDefined()
    },
  )

  it('a part of a statement is looked for in what all have in common; a search stays one', () => {
    expect(allQuestion(databases, 'from carts').query).toMatch(/ sentry\.normalized_description:"\*from carts\*"$/)
    expect(allQuestion(databases, 'transaction:/cart').query).toMatch(/ transaction:\/cart$/)
  })

  it('the time before is asked for the same groups, each once', () => {
    expect(beforeQuestion(databases, [GROUP, GROUP, 'ffff000011112222']).query).toMatch(
      / span\.group:\[00aa11bb22cc33dd,ffff000011112222\]$/,
    )
  })

  it('typical samples are as long as half of all, and a little longer', () => {
    const { query, sort } = samplesQuestion(databases, call, 'typical', 12.3456)
    expect([query, sort]).toEqual([`span.group:${GROUP} span.duration:>=12.346ms`, ['span.duration']])
  })
})

describe('answers', () => {
  it('a row is compared with itself in the time before, in its own project', () => {
    const earlier = [
      { 'span.group': GROUP, 'project.id': 4, 'count()': 1200, 'p95(span.duration)': 80 },
      { 'span.group': GROUP, 'project.id': 5, 'p95(span.duration)': 900 },
      { 'span.group': 'ffff000011112222', 'project.id': 4, 'p95(span.duration)': null },
    ]
    const before = readBefore(databases, earlier, [{ 'count()': 12 }])
    const row = {
      'span.group': GROUP,
      'sentry.normalized_description': 'SELECT %s',
      project: 'shop',
      'project.id': 4,
      'count()': 40,
    }
    const rows = [row, { ...row, 'span.group': 'ffff000011112222' }]
    const [same, other] = readCalls(databases, rows, [{ 'count()': 40 }], before)
    expect(same).toMatchObject({
      text: 'SELECT %s',
      projectId: '4',
      before: 80,
      counted: 12,
    })
    expect(other?.before).toBeUndefined()
  })

  it('one that did not happen is none', () => {
    expect(readOne(databases, { 'count()': 0 })).toBeNull()
    expect(readOne(databases, undefined)).toBeNull()
    const one = { 'count()': 3, 'any(sentry.normalized_description)': 'SELECT %s', 'p50(span.duration)': 12 }
    expect(readOne(databases, one)).toMatchObject({ text: 'SELECT %s', count: 3, median: 12 })
  })

  it('a share is of the time of all rows, and unknown while that is', () => {
    const total = databases.columns.find(({ key }) => key === 'total')
    if (total === undefined) throw new Error('there is no column of the time')
    expect(shareOf(total, { [total.field]: 25 }, { [total.field]: 100 })).toBe(0.25)
    expect(shareOf(total, { [total.field]: 25 }, undefined)).toBeNull()
    expect(shareOf(total, { [total.field]: 25 }, { [total.field]: 0 })).toBeNull()
  })

  it('T40 a hundredth that fails is bad, where there are enough samples to say so, whatever these stand for', () => {
    const failed = databases.columns.find(({ key }) => key === 'failed')
    const rate = databases.columns.find(({ key }) => key === 'rate')
    if (failed === undefined || rate === undefined) throw new Error('there is no column of failures or rates')
    const bad = (share: number | null, samples: number, column = failed) => {
      const [row = {}] = withSamples([{ [column.field]: share, 'count()': samples * 100 }], [{ 'count()': samples }])
      return isBad(column, row)
    }
    expect([0, 0.009, 0.01, 0.5, null].map((share) => bad(share, 1000))).toEqual([false, false, true, true, false])
    expect([bad(1, 1), bad(1, 19), bad(1, 20)]).toEqual([false, false, true])
    expect(bad(100, 1000, rate)).toBe(false)
    expect(isBad(failed, { [failed.field]: 1 })).toBe(false)
  })

  it('a rate above a list is in the unit of its rows', () => {
    const hours = rateUnitOf([0.77, 0.04, 0.06])
    expect(formatTile({ form: 'rate' }, 0.9, hours)).toBe('54.0 /h')
    expect(formatTile({ form: 'rate' }, 0.9, undefined)).toBe('0.9 /min')
    expect(formatTile({ form: 'rate' }, null, hours)).toBe('–')
    expect(formatTile({ form: 'duration' }, 30, hours)).toBe('30 ms')
  })

  it('cells are short, and nothing is a dash', () => {
    expect(formatCell('count', 249_200)).toBe('249.2K')
    expect(formatCell('count', '1200')).toBe('1.2K')
    expect([0, 0.0021, 1.5, 1234].map((dollars) => formatCell('cost', dollars))).toEqual([
      '$0',
      '$0.0021',
      '$1.50',
      '$1.2K',
    ])
    expect(
      ['rate', 'duration', 'share', 'count', 'bytes', 'cost', 'flag', 'text'].map((form) =>
        formatCell(form as never, null),
      ),
    ).toEqual(Array.from({ length: 8 }, () => '–'))
    expect([formatCell('flag', true), formatCell('flag', false), formatCell('text', 502)]).toEqual(['yes', 'no', '502'])
  })
})

describe('addresses', () => {
  it('are read back as they were written, without what cannot be read', () => {
    const list = { query: 'cart', sort: '-p95', statsPeriod: '7d', project: ['4'] } as const
    expect(readCallsUrl(list)).toEqual(list)
    expect(compactCalls(callsFromUrl(databases, list))).toEqual(list)
    expect(readCallsUrl({ sort: 'a b', query: '' })).toEqual({})
    // Caches have hits, databases do not.
    expect(callsFromUrl(kindOf('caches'), { sort: 'hits' }).sort).toBe('hits')
    expect(callsFromUrl(databases, { sort: 'hits' }).sort).toBe('-total')
    const one = { group: GROUP, environment: ['production'] }
    expect(readCallUrl(one)).toEqual(one)
    expect(compactCall({ ...call, environment: ['production'] })).toEqual(one)
    expect(readCallUrl({ group: 'x" OR a:b' })).toEqual({ group: '' })
  })

  it('the time before is as long, and ends where the shown time begins', () => {
    const now = Date.parse('2026-11-22T12:00:00.000Z')
    expect(rangeBefore({ statsPeriod: '24h' }, now)).toEqual({
      start: '2026-11-20T12:00:00.000Z',
      end: '2026-11-21T12:00:00.000Z',
    })
    const chosen = { statsPeriod: '24h', start: '2026-11-22T06:00:00.000Z', end: '2026-11-22T08:00:00.000Z' }
    expect(rangeBefore(chosen, now)).toEqual({ start: '2026-11-22T04:00:00.000Z', end: '2026-11-22T06:00:00.000Z' })
  })
})
