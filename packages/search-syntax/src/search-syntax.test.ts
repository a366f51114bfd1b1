import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  SEARCH_BOUNDS,
  formatFilter,
  formatText,
  formatValue,
  parseSearch,
  tokenize,
  type SearchNode,
} from './index.ts'

/** Texts that look like searches: the marks of the language are likely, and so is everything else. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom('a:', '!', '(', ')', '[', ']', '"', '*', '\\', ' OR ', ' AND ', 'is:', '>', 'has:', 'tags[', ','),
      fc.constantFrom(' ', '\u00a0', '\n', 'release:[1, "2"]', 'a:"b c"', '1key:'),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))

const termsOf = (node: SearchNode | null): readonly Exclude<SearchNode, { children: unknown }>[] => {
  if (node === null) return []
  return 'children' in node ? node.children.flatMap(termsOf) : [node]
}

describe('tokenize', () => {
  it('finds filters, free text, words between terms and parentheses with their places', () => {
    const tokens = tokenize('is:unresolved !level:info ("went wrong" OR user.email:*@shop.test)')
    expect(tokens.map(({ kind, start, end }) => [kind, start, end])).toEqual([
      ['filter', 0, 13],
      ['filter', 14, 25],
      ['open', 26, 27],
      ['text', 27, 39],
      ['or', 40, 42],
      ['filter', 43, 65],
      ['close', 65, 66],
    ])
  })

  it.each([
    ['x:1 or y:2', ['filter', 'or', 'filter']],
    ['x:1 Or y:2 anD z:3', ['filter', 'or', 'filter', 'and', 'filter']],
    ['(x:1) or(y:2 and "a b")', ['open', 'filter', 'close', 'or', 'open', 'filter', 'and', 'text', 'close']],
    ['failed or x:1', ['text', 'or', 'filter']],
    ['failed and (x:1)', ['text', 'and', 'open', 'filter', 'close']],
    // Words that somebody pasted, or is about to go on behind.
    ['null or undefined', ['text', 'text', 'text']],
    ['or', ['text']],
    ['or x:1', ['text', 'filter']],
    ['x:1 and', ['filter', 'text']],
    ['(x:1 or)', ['open', 'filter', 'text', 'close']],
    ['x:1 order android', ['filter', 'text', 'text']],
    ['x:1 "or" y:2', ['filter', 'text', 'filter']],
  ])('joins filters by "or" and "and" in any case: %s', (text, kinds) => {
    expect(tokenize(text).map(({ kind }) => kind)).toEqual(kinds)
    expect(parseSearch(text).problem).toBeNull()
  })

  it.each([
    // Sentry's keys may begin with a digit, have a call behind them, or stand in quotes.
    ['1key:a', { key: { name: '1key', tag: false }, values: [['a']] }],
    ['count():>5', { key: { name: 'count()', tag: false }, operator: '>', values: [['5']], valueStart: 9 }],
    ['"my key":a', { key: { name: 'my key', tag: false }, keyEnd: 8 }],
    ['tags[user.plan]:a', { key: { name: 'user.plan', tag: true } }],
    ['has:tags[level]', { presence: { name: 'level', tag: true }, values: [['level']] }],
    ['x:[a, "b]c", d]', { values: [['a'], ['b]c'], ['d']], end: 15, fault: null }],
    [String.raw`x:"a \"b\" \*"`, { values: [['a "b" *']] }],
    ['x:"a*"', { values: [['a', '']] }],
    ['x:a\u00a0b', { values: [['a\u00a0b']] }],
    ['x:[]', { values: [], fault: null }],
    ['x:!=5', { operator: '=', negated: true, values: [['5']], valueStart: 4 }],
    ['!x:!=5', { negated: false }],
    ['tags[x,number]:>5', { key: { name: 'x', tag: true, number: true }, operator: '>', values: [['5']] }],
    ['tags[x,boolean]:1', { key: { name: 'x', tag: true, boolean: true }, values: [['1']] }],
    ['tags[x, number]:<=2k', { key: { name: 'x', tag: true, number: true }, operator: '<=' }],
    ['tags[x,string]:a', { key: { name: 'x', tag: true }, values: [['a']] }],
    ['tags[a,b]:c', { key: { name: 'a,b', tag: true } }],
    ['count_unique(user):>0', { key: { name: 'count_unique(user)', tag: false }, operator: '>', values: [['0']] }],
    // As Sentry's links carry its operators.
    ['x:\uF00DContains\uF00Da', { values: [['', 'a', '']], valueStart: 12 }],
    ['x:\uF00DStartsWith\uF00D"a b"', { values: [['a b', '']] }],
    [
      'x:\uF00DEndsWith\uF00D[a,b*]',
      {
        values: [
          ['', 'a'],
          ['', 'b*'],
        ],
      },
    ],
    ['!x:\uF00DContains\uF00Da', { negated: true, values: [['', 'a', '']] }],
    ['x:\uF00DDoesNotStartWith\uF00Da', { negated: true, values: [['a', '']] }],
  ])('%s is one filter', (search, expected) => {
    const tokens = tokenize(search)
    expect(tokens).toHaveLength(1)
    expect(tokens[0]).toMatchObject({ kind: 'filter', start: 0, end: search.length, ...expected })
  })

  it.each([
    ['TypeError: Cannot read', ['text', 'text', 'text']],
    ['django.db.Error: no', ['text', 'text']],
    ['connect 127.0.0.1:5432', ['text', 'text']],
    ['at 10:30:05', ['text', 'text']],
    ['add(1): no', ['text', 'text']],
    ['"open words is:new', ['text', 'text', 'filter']],
    ['token "', ['text', 'text']],
    // Of a field it is certain that it was meant as one; at the end of the text somebody is still typing.
    ['release: 1.0', ['filter', 'text']],
    ['TypeError:', ['filter']],
  ])('reads what somebody pasted: %s', (search, kinds) => {
    expect(tokenize(search, (name) => name === 'release').map(({ kind }) => kind)).toEqual(kinds)
  })

  it.each(['foo[bar]:x', 'https://shop.test/basket?x=1', 'ORANGE', '!boom', 'foo(bar:1)', '"":x'])(
    '%s begins with text',
    (search) => {
      expect(tokenize(search)[0]).toMatchObject({ kind: 'text' })
    },
  )

  it('leaves out blanks only, for any text', () => {
    fc.assert(
      fc.property(text, (search) => {
        let at = 0
        for (const token of tokenize(search)) {
          expect(search.slice(at, token.start)).toMatch(/^[ \t\n\r]*$/)
          expect(token.end).toBeGreaterThan(token.start)
          at = token.end
        }
        expect(search.slice(at)).toMatch(/^[ \t\n\r]*$/)
      }),
      { numRuns: 1000 },
    )
  })

  it('reads a filter the same wherever it stands', () => {
    fc.assert(
      fc.property(text, text, (before, search) => {
        const [first] = tokenize(search)
        fc.pre(first !== undefined && first.start === 0 && first.kind === 'filter' && first.fault === null)
        const lead = tokenize(before)
        fc.pre(lead.every((token) => !('fault' in token) || token.fault === null))
        const again = tokenize(`${before} ${search}`)[lead.length]
        expect(again).toEqual({
          ...first,
          ...(first?.kind === 'filter' && { keyEnd: first.keyEnd + before.length + 1 }),
          ...(first?.kind === 'filter' && { valueStart: first.valueStart + before.length + 1 }),
          start: before.length + 1,
          end: (first?.end ?? 0) + before.length + 1,
        })
      }),
    )
  })
})

describe('parseSearch', () => {
  it('has a tree or a problem inside the text, for any text', () => {
    fc.assert(
      fc.property(text, (search) => {
        const { root, problem, tokens } = parseSearch(search)
        if (problem === null) {
          const terms = tokens.filter(({ kind }) => kind === 'filter' || kind === 'text')
          expect(termsOf(root).map(({ position }) => position)).toEqual(terms.map(({ start }) => start))
          return
        }
        expect(root).toBeNull()
        expect(problem.message).not.toBe('')
        expect(problem.position).toBeGreaterThanOrEqual(0)
        expect(problem.end).toBeGreaterThan(problem.position)
        expect(problem.end).toBeLessThanOrEqual(search.length)
      }),
      { numRuns: 1000 },
    )
  })

  it('refuses what is beyond its bounds, and takes what is at them', () => {
    const { characters, depth, listValues, terms } = SEARCH_BOUNDS
    const list = (count: number): string => `x:[${Array.from({ length: count }, () => 'a').join(',')}]`
    const nested = (count: number): string => `${'('.repeat(count)}a${')'.repeat(count)}`
    const cases = [
      ['a'.repeat(characters), 'a'.repeat(characters + 1), characters],
      [nested(depth), nested(depth + 1), depth],
      [list(listValues), list(listValues + 1), 2],
      ['a '.repeat(terms), 'a '.repeat(terms + 1), 2 * terms],
    ] as const
    for (const [good, bad, position] of cases) {
      expect(parseSearch(good).problem).toBeNull()
      expect(parseSearch(bad).problem?.position).toBe(position)
    }
  })

  it.each([
    ['is:', 0, 'has no value'],
    ['message:"open', 8, 'never closed'],
    ['(is:new', 0, 'never closed'],
    ['is:new)', 6, 'closes nothing'],
    ['release:[1, 2', 8, 'never closed'],
    ['release:[1, ', 8, 'never closed'],
    ['!has:', 0, 'Name a field'],
    ['x:>[1]', 0, 'cannot be compared'],
    ['x:[1,,2]', 5, 'is empty'],
    ['a AND', 2, 'both sides'],
    ['a NOT x:y', 2, 'Put “!” in front of each'],
    ['NOT (x:y OR z:w)', 0, 'Put “!” in front of each'],
    ['!(x:y)', 0, 'Put “!” in front of each'],
    ['a !(x:y OR z:w)', 2, 'Put “!” in front of each'],
    ['()', 0, 'Nothing stands in these'],
    ['a (()', 3, 'Nothing stands in these'],
    ['a (b ( ))', 5, 'Nothing stands in these'],
  ])('says where %j goes wrong', (search, position, message) => {
    const { problem } = parseSearch(search)
    expect(problem?.position).toBe(position)
    expect(problem?.message).toContain(message)
  })

  it.each([
    ["TypeError: Cannot read properties of undefined (reading 'x')", ['TypeError:', 'Cannot', 'read']],
    ['"never closed', ['never', 'closed']],
    ['Unexpected token "', ['Unexpected', 'token', '"']],
  ])('takes the words of %s', (search, words) => {
    const { root, problem } = parseSearch(search)
    expect(problem).toBeNull()
    const found = termsOf(root).map((term) => (term.kind === 'text' ? term.value.join('*') : term.kind))
    expect(found.slice(0, words.length)).toEqual(words)
  })

  it('says what to do about a field whose value stands apart', () => {
    const { problem } = parseSearch('a release: 1.0', (name) => name === 'release')
    expect(problem).toMatchObject({ position: 2, end: 10 })
    expect(problem?.message).toContain('without a blank behind the colon')
  })

  it('tells the problem that comes first', () => {
    expect(parseSearch('a OR OR x:"b').problem).toMatchObject({ position: 2, end: 4 })
    expect(parseSearch('x:"b OR OR').problem).toMatchObject({ position: 2, end: 10 })
  })
})

describe('formatText', () => {
  it.each(['TypeError: x is not a function', 'is:resolved', 'a "b" *c*', 'OR', String.raw`C:\shop\\`, '(', '['])(
    'means %j as it stands',
    (words) => {
      const { root, problem } = parseSearch(formatText(words))
      expect(problem).toBeNull()
      expect(root).toMatchObject({ kind: 'text', value: [words] })
    },
  )
})

describe('formatFilter', () => {
  const key = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/).filter((name) => name !== 'has'),
    fc.string({ minLength: 1, maxLength: 20 }).filter((name) => !/["\n]/.test(name) && name !== 'has'),
  )

  it('is read back as the same key and the same text, wildcards and all', () => {
    fc.assert(
      fc.property(key, fc.oneof(text, fc.string()), fc.boolean(), (name, value, negated) => {
        fc.pre(!name.startsWith('tags['))
        const tokens = tokenize(formatFilter(name, value, negated))
        expect(tokens).toHaveLength(1)
        expect(tokens[0]).toMatchObject({
          kind: 'filter',
          key: { name, tag: false },
          negated,
          operator: '=',
          values: [[value]],
          fault: null,
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves plain values plain', () => {
    expect(formatFilter('browser', 'Chrome')).toBe('browser:Chrome')
    expect(formatFilter('browser', 'Chrome 156', true)).toBe('!browser:"Chrome 156"')
    expect(formatFilter('my key', '')).toBe('"my key":""')
    expect(formatFilter('tags[level]', '*')).toBe(String.raw`tags[level]:\*`)
    expect(formatValue(String.raw`C:\shop`)).toBe(String.raw`C:\shop`)
  })
})
