import { describe, expect, it } from 'vitest'
import { compileFilter, parseSearch } from './index.ts'
import type { SearchedTable, SearchNode } from './index.ts'
import { LIMITS } from './limits.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

const parse = (text: string): SearchNode | null => {
  const result = parseSearch(text)
  if (!result.ok) throw new Error(`${result.error.message} at ${result.error.position}`)
  return result.value.root
}

describe('parseSearch', () => {
  it.each([
    ['', null],
    ['   ', null],
    ['x:[]', { ...field('x', []) }],
    ['"abc', { kind: 'text', value: ['abc'], position: 0 }],
    ['hello', { kind: 'text', value: ['hello'], position: 0 }],
    ['"two words"', { kind: 'text', value: ['two words'], position: 0 }],
    ['https://x.example/a', { kind: 'text', value: ['https://x.example/a'], position: 0 }],
    ['foo()', { kind: 'text', value: ['foo()'], position: 0 }],
    ['release:1.0', field('release', ['1.0'])],
    ['!release:1.0', field('release', ['1.0'], { negated: true })],
    ['release:"a b"', field('release', ['a b'])],
    [String.raw`message:"say \"hi\""`, field('message', ['say "hi"'])],
    ['release:web@*', { ...field('release', ['']), values: [['web@', '']] }],
    [String.raw`title:a\*b`, field('title', ['a*b'])],
    ['timesSeen:>100', field('timesSeen', ['100'], { operator: '>' })],
    ['timesSeen:<=1k', field('timesSeen', ['1k'], { operator: '<=' })],
    ['level:[error, "fatal"]', field('level', ['error', 'fatal'])],
    ['tags[level]:x', { ...field('level', ['x']), key: { name: 'level', tag: true } }],
    ['"my tag":x', field('my tag', ['x'])],
    ['message:foo(bar)', field('message', ['foo(bar)'])],
    ['release:""', field('release', [''])],
    ['has:user', { kind: 'has', key: { name: 'user', tag: false }, negated: false, position: 0 }],
    ['!has:tags[level]', { kind: 'has', key: { name: 'level', tag: true }, negated: true, position: 0 }],
    ['age:-24h', field('age', ['-24h'])],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  it('binds AND tighter than OR, and parentheses tightest', () => {
    expect(shape(parse('a b OR c'))).toBe('((a & b) | c)')
    expect(shape(parse('a AND (b OR c)'))).toBe('(a & (b | c))')
    expect(shape(parse('(a OR b)(c)'))).toBe('((a | b) & c)')
    expect(shape(parse('ORANGE ANDROID'))).toBe('(ORANGE & ANDROID)')
  })

  it.each([
    ['release:', 0],
    ['a release: b', 2],
    ['()', 0],
    ['(a', 0],
    ['a)', 1],
    ['a OR', 2],
    ['OR a', 0],
    ['a AND', 2],
    ['AND a', 0],
    ['a AND AND b', 2],
    ['x:"abc', 2],
    ['x:[a', 2],
    ['x:[a,,b]', 5],
    ['x:>[a]', 0],
    ['x'.repeat(LIMITS.SEARCH_CHARACTERS + 1), LIMITS.SEARCH_CHARACTERS],
    [`${'('.repeat(20)}a`, 10],
    ['a '.repeat(LIMITS.SEARCH_TERMS + 1), 2 * LIMITS.SEARCH_TERMS],
  ])('refuses %s and says where', (text, position) => {
    const result = parseSearch(text, (name) => name === 'release')
    expect(result.ok).toBe(false)
    if (!result.ok) expect(result.error.position).toBe(position)
  })
})

describe('compileFilter', () => {
  /** A table that Firsthand does not have: whoever has one declares what can be searched in it. */
  const spans: SearchedTable = {
    fieldOf: ({ name, tag }) => {
      if (tag) return { kind: 'tag', name }
      if (name === 'operation') return { kind: 'text', sql: 'spans.operation', ignoreCase: true }
      if (name === 'started') return { kind: 'time', sql: 'spans.started' }
      if (name === 'duration') return { kind: 'number', sql: 'spans.duration' }
      if (name === 'parent') return { kind: 'hex', sql: 'spans.parent', characters: 4, of: 'a span' }
      if (name === 'status') return { kind: 'choice', sql: 'spans.status', values: ['ok', 'error'] }
      if (name === 'size') return { kind: 'number', sql: 'spans.size', nullable: true }
      if (name === 'link') {
        const any = (condition: string): string => `arrayExists(l -> ${condition}, spans.links)`
        return { kind: 'nested', of: { kind: 'number', sql: 'l.weight' }, any }
      }
      if (name === 'trace') return { kind: 'uuid', sql: 'spans.trace', of: 'a trace' }
      return { kind: 'tag', name }
    },
    words: 'spans.description',
    tags: { map: 'spans.tags', pairs: 'spans.pairs' },
    lookUp: ({ key }) => (key.name === 'service' ? { sql: 'spans.service', type: 'Array(UInt64)', values: [] } : null),
    refuse: ({ name }) => (name === 'mood' ? 'Spans have no mood.' : null),
  }

  it.each([
    ['', '1', {}],
    ['Select', '(spans.description LIKE {p0:String})', { p0: '%select%' }],
    ['operation:DB', '(lowerUTF8(spans.operation) = lowerUTF8({p0:String}))', { p0: 'DB' }],
    ['has:operation', "(spans.operation != '')", {}],
    ['duration:>100', '(spans.duration > {p0:Float64})', { p0: 100 }],
    ['tags[duration]:5', '(has(spans.pairs, {p0:String}))', { p0: 'duration=5' }],
    ['!has:colour', "NOT (spans.tags[{p0:String}] != '')", { p0: 'colour' }],
    [
      'tags[weight,number]:>5',
      '(ifNull(toFloat64OrNull(spans.tags[{p0:String}]) > {p1:Float64}, 0))',
      { p0: 'weight', p1: 5 },
    ],
    ['!size:<2k', 'NOT (ifNull(spans.size < {p0:Float64}, 0))', { p0: 2000 }],
    ['link:>=2', '(arrayExists(l -> l.weight >= {p0:Float64}, spans.links))', { p0: 2 }],
    ['status:OK', '(spans.status = {p0:String})', { p0: 'ok' }],
    ['status:e*', '(spans.status LIKE {p0:String})', { p0: 'e%' }],
    ['parent:00-FF', '(spans.parent = {p0:String})', { p0: '00ff' }],
    ['parent:""', '(spans.parent = {p0:String})', { p0: '' }],
    ['parent:0*', '(spans.parent LIKE {p0:String})', { p0: '0%' }],
    // None of no values can match.
    ['operation:[]', '(0)', {}],
    ['!operation:[]', 'NOT (0)', {}],
    // Nothing has this name, so nothing can match.
    ['service:none', '(0)', {}],
    ['!service:none', 'NOT (0)', {}],
    ['started:-1h', '((spans.started >= fromUnixTimestamp64Milli(toInt64({p0:Float64}))))', { p0: NOW - 3_600_000 }],
  ])('reads the fields that a table declares: %s', (text, sql, params) => {
    expect(compileFilter(parse(text), spans, NOW)).toEqual({ ok: true, value: { sql, params } })
  })

  it.each([
    ['a mood:good', 2, 'Spans have no mood.'],
    ['trace:1', 0, 'is no id of a trace'],
    ['operation:>db', 0, 'cannot be compared'],
    ['colour:>db', 0, 'tags[colour,number]:>5'],
    ['tags[colour,number]:red', 0, 'is not a number'],
    ['link:heavy', 0, 'is not a number'],
    ['a status:banana', 2, 'Use one of: ok, error.'],
    ['parent:banana', 0, 'It has 4 hexadecimal characters'],
    ['parent:b*na', 0, 'is no id of a span'],
    ['has:mood', 0, 'Spans have no mood.'],
  ])('refuses %s', (text, position, sentence) => {
    const message = expect.stringContaining(sentence) as string
    expect(compileFilter(parse(text), spans, NOW)).toEqual({ ok: false, error: { message, position } })
  })
})

function field(name: string, values: readonly string[], more: object = {}): object {
  return {
    kind: 'field',
    key: { name, tag: false },
    negated: false,
    operator: '=',
    values: values.map((value) => [value]),
    position: 0,
    ...more,
  }
}

function shape(node: SearchNode | null): string {
  if (node === null) return ''
  switch (node.kind) {
    case 'and':
      return `(${node.children.map(shape).join(' & ')})`
    case 'or':
      return `(${node.children.map(shape).join(' | ')})`
    case 'text':
      return node.value.join('*')
    case 'has':
      return `has:${node.key.name}`
    case 'field':
      return `${node.key.name}:${node.values.map((value) => value.join('*')).join(',')}`
  }
}
