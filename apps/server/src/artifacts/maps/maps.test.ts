import { describe, expect, it } from 'vitest'
import { TraceMap, originalPositionFor } from '@jridgewell/trace-mapping'
import { encode, type SourceMapMappings } from '@jridgewell/sourcemap-codec'
import fc from 'fast-check'
import { contextAt, linesOf } from './context.ts'
import { functionNamesOf, functionsOf, NO_FUNCTIONS } from './function-names.ts'
import { prepareMap, PreparedMap, TooLargeToPrepare } from './prepared-map.ts'
import { readSourceMap } from './source-map.ts'
import { cleanSourcePath, isOwnSource } from './source-path.ts'

const prepared = (json: unknown): PreparedMap => {
  const map = readSourceMap(JSON.stringify(json))
  if (!map.ok) throw new Error(map.error)
  const read = PreparedMap.of(prepareMap(map.value, NO_FUNCTIONS))
  if (read === null) throw new Error('the form of today')
  return read
}

const mapped = (mappings: string, more: object = {}) =>
  prepared({ version: 3, sources: ['a.ts', 'b.ts'], names: ['first', 'second'], mappings, ...more })

describe('a prepared source map', () => {
  it('answers as the oracle does, for any mappings', () => {
    const segment = fc.oneof(
      fc.tuple(fc.nat(300)),
      fc.tuple(fc.nat(300), fc.nat(1), fc.nat(50), fc.nat(80)),
      fc.tuple(fc.nat(300), fc.nat(1), fc.nat(50), fc.nat(80), fc.nat(1)),
    )
    fc.assert(
      fc.property(fc.array(fc.array(segment, { maxLength: 12 }), { maxLength: 6 }), (lines) => {
        const sortedLines = lines.map((line) =>
          line.toSorted((a, b) => a[0] - b[0]).filter((item, at, all) => all[at + 1]?.[0] !== item[0]),
        )
        const json = {
          version: 3 as const,
          sources: ['a.ts', 'b.ts'],
          names: ['first', 'second'],
          mappings: encode(sortedLines),
        }
        const oracle = new TraceMap(json)
        const ours = prepared(json)
        for (let line = 0; line < lines.length + 1; line++) {
          for (const column of [0, 1, 50, 150, 299, 300, 1000]) {
            const expected = originalPositionFor(oracle, { line: line + 1, column })
            const found = ours.find(line, column)
            expect(
              found === null ? null : [ours.sourceName(found.source), found.line + 1, found.column, found.name],
            ).toEqual(
              expected.source === null ? null : [expected.source, expected.line, expected.column, expected.name],
            )
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  it('L43 says nothing left of the first segment of a line, and beyond the last line', () => {
    const map = mapped(encode([[[5, 0, 0, 0]]]))
    expect(map.find(0, 4)).toBeNull()
    expect(map.find(0, 5)).toEqual({ source: 0, line: 0, column: 0, name: null })
    expect(map.find(1, 0)).toBeNull()
    expect(map.find(-1, 0)).toBeNull()
  })

  it('L44 takes code of no source for unmapped, and not for the piece before it', () => {
    const map = mapped(encode([[[0, 0, 0, 0], [5], [9, 1, 2, 3, 1]]]))
    expect(map.find(0, 4)?.source).toBe(0)
    expect(map.find(0, 6)).toBeNull()
    expect(map.find(0, 9)).toEqual({ source: 1, line: 2, column: 3, name: 'second' })
  })

  it('L45 adds the column of a section to its first line only', () => {
    const section = (source: string) => ({ version: 3, sources: [source], names: [], mappings: 'AAAA;AACA' })
    const map = prepared({
      version: 3,
      sections: [
        { offset: { line: 0, column: 0 }, map: section('a.ts') },
        { offset: { line: 1, column: 10 }, map: section('b.ts') },
      ],
    })
    const at = (line: number, column: number) => {
      const found = map.find(line, column)
      return found === null ? null : [map.sourceName(found.source), found.line]
    }
    expect(at(1, 9)).toEqual(['a.ts', 1])
    expect(at(1, 10)).toEqual(['b.ts', 0])
    expect(at(2, 0)).toEqual(['b.ts', 1])
  })

  it('sorts segments that a tool wrote in another order', () => {
    const map = mapped('KAAA,JACA')
    expect(map.find(0, 2)).toEqual({ source: 0, line: 1, column: 0, name: null })
    expect(map.find(0, 6)).toEqual({ source: 0, line: 0, column: 0, name: null })
  })

  it('keeps names and sources that objects have of themselves', () => {
    const map = mapped('AAAAA', { sources: ['__proto__'], names: ['constructor'] })
    expect(map.find(0, 0)?.name).toBe('constructor')
    expect(map.sourceName(0)).toBe('__proto__')
  })

  it('knows bytes of another form', () => {
    expect(PreparedMap.of(new Uint8Array(10))).toBeNull()
    expect(PreparedMap.of(new Uint8Array(400))).toBeNull()
  })
})

it('refuses what would be larger than it may, before it takes the memory', () => {
  const list = new Int32Array(14_000_000)
  const mappings = {
    generatedLines: new Int32Array(1),
    generatedColumns: list,
    sources: list,
    lines: list,
    columns: list,
    names: list,
  }
  const map = {
    mappings,
    sources: ['a.ts'],
    contents: [null],
    functionMaps: [null],
    names: [],
    ignored: new Set<number>(),
    faults: new Map(),
    debugId: null,
  }
  expect(() => prepareMap(map, NO_FUNCTIONS)).toThrow(TooLargeToPrepare)
})

describe('the function around a place', () => {
  /** Code that was written as `total`, `Cart.add`, …, with the map of a minifier. */
  const functionAt = (code: string, named: readonly (readonly [at: string, name: string | null])[]) => {
    const names = named.flatMap(([, name]) => name ?? [])
    const segments = named
      .map(([at, name]) => [code.indexOf(at), 0, 0, code.indexOf(at), ...(name === null ? [] : [names.indexOf(name)])])
      .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
    const read = readSourceMap(
      JSON.stringify({ version: 3, sources: ['a.ts'], names, mappings: encode([segments] as SourceMapMappings) }),
    )
    if (!read.ok) throw new Error(read.error)
    const map = PreparedMap.of(prepareMap(read.value, functionNamesOf(code, read.value)))
    return (at: string): string | null | undefined => map?.functionAt(0, code.indexOf(at))
  }

  it('L47 has the original name of each identifier in it', () => {
    const at = functionAt('class a{b(){x(()=>{y})}}function c(){z}w', [
      ['a{', 'Cart'],
      ['b(', 'add'],
      ['c(', 'total'],
    ])
    expect([at('x('), at('y'), at('z'), at('w')]).toEqual(['Cart.add', null, 'total', null])
  })

  it('L47 is the innermost one, and the one around it behind its end', () => {
    const at = functionAt('function a(){x;function b(){y}z}', [])
    expect([at('x'), at('y'), at('z')]).toEqual(['a', 'b', 'a'])
  })

  it('L48 has a name that TypeScript gave to the keyword in front', () => {
    const code = 'function a(){x}'
    const names = ['total']
    const read = readSourceMap(
      JSON.stringify({
        version: 3,
        sources: ['a.ts'],
        names,
        mappings: encode([
          [
            [0, 0, 4, 0, 0],
            [9, 0, 4, 0],
          ],
        ]),
      }),
    )
    if (!read.ok) throw new Error(read.error)
    const map = PreparedMap.of(prepareMap(read.value, functionNamesOf(code, read.value)))
    expect(map?.functionAt(0, 13)).toBe('total')
  })

  /** What Hermes makes of a bundle of Metro: one line, in which a column is the place of a byte. */
  const composed = (functionMap: unknown) => {
    const read = readSourceMap(
      JSON.stringify({
        version: 3,
        sources: ['/app/prelude.js', '/app/src/Cart.tsx'],
        names: [],
        // Lines 0, 2 and 5 of the source, and what stands before it.
        mappings: encode([
          [
            [0, 0, 0, 0],
            [700, 1, 0, 0],
            [731, 1, 2, 4],
            [790, 1, 2, 30],
            [822, 1, 5, 2],
          ],
        ]),
        x_facebook_sources: [null, functionMap],
        x_hermes_function_offsets: { 0: [0, 700, 731] },
      }),
    )
    if (!read.ok) throw new Error(read.error)
    return PreparedMap.of(prepareMap(read.value, functionsOf(read.value, null)))
  }

  it('L51: is said by a composed map of Hermes, by the place in the source', () => {
    // <global> from the beginning; checkout from 2:2, an arrow function within it from 2:20 to 2:40; <global> from 4:0.
    const map = composed([
      { names: ['<global>', 'Cart#checkout', '<anonymous>'], mappings: 'AAA;ECE,kBC,oBD;ADE' },
      [['Cart', 1, 0]],
    ])
    expect(map?.find(0, 740)).toEqual({ source: 1, line: 2, column: 4, name: null })
    const names = [0, 700, 731, 760, 790, 822].map((column) => map?.functionAt(0, column))
    expect(names).toEqual([null, null, 'Cart#checkout', 'Cart#checkout', null, null])
  })

  it.each([[null], [[]], [[{ names: 'x', mappings: 'AAA' }]], [[{ names: [{}], mappings: 'A!;' }]], [{ names: [] }]])(
    'L51: is unknown where a map says it in another way: %j',
    (functionMap) => {
      expect(composed(functionMap)?.functionAt(0, 731)).toBeNull()
    },
  )

  it('L50 is unknown where the code cannot be parsed', () => {
    expect(functionAt('function (', [])('(')).toBeNull()
  })
})

describe('reading a source map', () => {
  it.each([
    ['<!doctype html><title>Log in</title>', 'HTML'],
    ['{"version":3,', 'not JSON'],
    ['[]', 'no JSON object'],
    ['{"version":"3","mappings":""}', 'version 3'],
    ['{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"sections":[]}}]}', 'sections itself'],
    ['{"version":3,"sections":[{"offset":{"line":0,"column":0}}]}', 'no map'],
    ['{"version":3,"sections":[],"mappings":""}', 'both'],
    [
      '{"version":3,"sections":[{"offset":{"line":2,"column":0},"map":{"version":3}},{"offset":{"line":1,"column":0},"map":{"version":3}}]}',
      'before the one',
    ],
  ])('refuses %s', (text, word) => {
    const map = readSourceMap(text)
    expect(map.ok ? '' : map.error).toContain(word)
  })

  it.each([
    ['A!AA', 'a character that is no base64'],
    ['AAAg', 'a number without an end'],
    ['AA', 'a segment of two, three, or more than five numbers'],
    ['AAAAAA', 'a segment of two, three, or more than five numbers'],
    ['ACAA;ADAA', 'a source that is not in the list'],
    ['AAAAE', 'a name that is not in the list'],
    ['DAAA', 'a position before the beginning or beyond 32 bits'],
    ['ggggggggE', 'a number beyond 32 bits'],
  ])('C.4 tells what is wrong in %s and reads the rest', (wrong, fault) => {
    const map = readSourceMap(
      JSON.stringify({ version: 3, sources: ['a.ts'], names: ['n'], mappings: `${wrong};AAAA` }),
    )
    expect(map.ok && [...map.value.faults.keys()]).toEqual([fault])
    expect(map.ok && map.value.mappings.lines.length).toBeGreaterThan(0)
  })

  it('C.4 reads long numbers of small values, empty lines and groups, a guard and a mark of order', () => {
    const text = `)]}'\n${JSON.stringify({ version: 3, sources: [null, 'b.ts'], mappings: ';;,,ggggggggggA,;AAAA,' })}`
    const map = readSourceMap(`\uFEFF${text}`)
    expect(map.ok && [...map.value.faults]).toEqual([])
    expect(map.ok && map.value.sources).toEqual(['', 'b.ts'])
  })

  it('L59 takes ten thousand damaged maps without an exception', () => {
    const whole = JSON.stringify({
      version: 3,
      sourceRoot: '/src',
      sources: ['a.ts', null, 'b.ts'],
      sourcesContent: ['a', null],
      names: ['x', 'y'],
      ignoreList: [1],
      mappings: encode([
        [
          [0, 0, 0, 0],
          [4, 2, 1, 1, 1],
        ],
        [],
        [[1]],
      ]),
    })
    const looked = fc.check(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.string({ maxLength: 3 })), { maxLength: 4 }),
        (edits) => {
          const damaged = edits.reduce(
            (text, [at, put]) => text.slice(0, at) + put + text.slice(at + put.length),
            whole,
          )
          const map = readSourceMap(damaged)
          if (!map.ok) return map.error.endsWith('.')
          const kept = PreparedMap.of(prepareMap(map.value, NO_FUNCTIONS))
          return kept !== null && [0, 1, 4, 7].every((column) => (kept.find(0, column)?.line ?? 0) >= 0)
        },
      ),
      { numRuns: 10_000 },
    )
    expect(looked.counterexample).toBeNull()
  })
})

describe('the path of a source', () => {
  it.each([
    ['webpack://shop/./src/cart.ts', './src/cart.ts'],
    ['webpack://@acme/web/./src/cart.ts', './src/cart.ts'],
    ['webpack:///src/cart.ts', 'src/cart.ts'],
    ['webpack-internal:///./src/cart.ts', './src/cart.ts'],
    ['turbopack:///[project]/src/cart.ts', 'src/cart.ts'],
    ['../../src/cart.ts', 'src/cart.ts'],
    ['./App.vue?vue&type=script', 'assets/js/App.vue'],
    ['https://cdn.example.org/x.ts', 'https://cdn.example.org/x.ts'],
    ['/home/ci/x.ts', '/home/ci/x.ts'],
  ])('L52 of %s is %s', (source, path) => {
    expect(cleanSourcePath(source, '~/assets/js/index-1a2b.js.map')).toBe(path)
  })

  it.each([
    ['node_modules/react/index.js', false, false],
    ['../node_modules/react/index.js', false, false],
    ['~/react/index.js', false, false],
    ['webpack/runtime/chunk loaded', false, false],
    ['./src/cart.ts', true, false],
    ['./src/cart.ts', false, true],
    ['./src/webpack.ts', false, true],
  ])('L53 %s (ignored: %s) is ours: %s', (source, isIgnored, isOurs) => {
    expect(isOwnSource(source, isIgnored)).toBe(isOurs)
  })
})

describe('the lines around a place', () => {
  const lines = linesOf(Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\r\n'))

  it('L54 are five on each side, and fewer at the ends', () => {
    expect(contextAt(lines, 6, 0)).toEqual({
      before: ['line 1', 'line 2', 'line 3', 'line 4', 'line 5'],
      line: 'line 6',
      after: ['line 7', 'line 8', 'line 9', 'line 10', 'line 11'],
    })
    expect(contextAt(lines, 0, 0)?.before).toEqual([])
    expect(contextAt(lines, 11, 0)?.after).toEqual([])
    expect(contextAt(lines, 12, 0)).toBeNull()
  })

  it('L54 a long line is cut with its column in view, and no character in halves', () => {
    const long = `${'a'.repeat(5000)}HERE${'😀'.repeat(500)}`
    const cut = contextAt([long], 0, 5000)?.line ?? ''
    expect(cut).toContain('HERE')
    expect(cut.length).toBeLessThan(170)
    expect(cut).toMatch(/^\{snip\}.*\{snip\}$/)
    expect(cut.isWellFormed()).toBe(true)
  })

  it('ends lines at LF, CRLF and CR, not at U+2028', () => {
    expect(linesOf('a\nb\r\nc\rd\u2028e')).toEqual(['a', 'b', 'c', 'd\u2028e'])
  })
})
