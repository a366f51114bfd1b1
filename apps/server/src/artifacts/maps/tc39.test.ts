import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NO_FUNCTIONS } from './function-names.ts'
import { prepareMap, PreparedMap } from './prepared-map.ts'
import { readSourceMap } from './source-map.ts'

/** The cases of those who write the standard: fixtures/README.md says where they are from. */

interface Place {
  readonly source: string | null
  readonly line: number | null
  readonly column: number | null
  readonly name: string | null
}

type Action =
  | { readonly actionType: 'checkIgnoreList'; readonly present: readonly string[] }
  | {
      readonly actionType: 'checkMapping' | 'checkMappingTransitive'
      readonly generatedLine: number
      readonly generatedColumn: number
      readonly originalSource: string | null
      readonly originalLine: number | null
      readonly originalColumn: number | null
      readonly mappedName: string | null
      /** Maps of what the first one leads to, in turn. */
      readonly intermediateMaps?: readonly string[]
    }

interface Cases {
  readonly tests: readonly {
    readonly name: string
    readonly sourceMapFile: string
    readonly sourceMapIsValid: boolean
    readonly testActions?: readonly Action[]
  }[]
  readonly maps: Readonly<Record<string, string>>
}

const FIXTURES = new URL('../../../../../fixtures/source-maps/tc39.json', import.meta.url)
const { maps, tests } = JSON.parse(readFileSync(FIXTURES, 'utf8')) as Cases

const opened = (file: string): { readonly map: PreparedMap | null; readonly faults: readonly string[] } => {
  const read = readSourceMap(maps[file] ?? '')
  if (!read.ok) return { map: null, faults: [read.error] }
  return { map: PreparedMap.of(prepareMap(read.value, NO_FUNCTIONS)), faults: [...read.value.faults.keys()] }
}

const NOWHERE: Place = { source: null, line: null, column: null, name: null }

const placeIn = (map: PreparedMap | null, line: number, column: number): Place => {
  const found = map?.find(line, column) ?? null
  if (map === null || found === null) return NOWHERE
  // A source without a name is '' with us.
  const source = map.sourceName(found.source)
  return { source: source === '' ? null : source, line: found.line, column: found.column, name: found.name }
}

/** Through one map after the other. */
const placeThrough = (files: readonly string[], line: number, column: number): Place => {
  let place: Place = { ...NOWHERE, line, column }
  for (const file of files) place = placeIn(opened(file).map, place.line ?? -1, place.column ?? -1)
  return place
}

describe('the cases of tc39/source-map-tests', () => {
  it('are all there', () => {
    expect([tests.length, tests.filter((test) => test.sourceMapIsValid).length]).toEqual([99, 32])
  })

  it.each(tests.filter((test) => test.sourceMapIsValid))(
    'L56: $name resolves as its checks say',
    ({ sourceMapFile, testActions = [] }) => {
      const { faults, map } = opened(sourceMapFile)
      expect([map === null, faults]).toEqual([false, []])
      for (const action of testActions) {
        if (action.actionType === 'checkIgnoreList') {
          const ignored = action.present.map((_, index) => map?.isIgnored(index) === true && map.sourceName(index))
          expect(ignored).toEqual(action.present)
          continue
        }
        const { generatedLine, generatedColumn, intermediateMaps = [] } = action
        const found = placeThrough([sourceMapFile, ...intermediateMaps], generatedLine, generatedColumn)
        expect(found).toEqual({
          source: action.originalSource,
          line: action.originalLine,
          column: action.originalColumn,
          name: action.mappedName,
        })
      }
    },
  )

  it.each(tests.filter((test) => !test.sourceMapIsValid))(
    'L56: $name is refused in a sentence, or no place of it leads before the beginning',
    ({ sourceMapFile }) => {
      const { faults, map } = opened(sourceMapFile)
      const lines = Array.from({ length: (map?.lineCount ?? -1) + 1 }, (_, line) => line)
      const columns = Array.from({ length: 100 }, (_, column) => column)
      const found = lines.flatMap((line) => columns.flatMap((column) => map?.find(line, column) ?? []))
      expect(found.filter((place) => place.source < 0 || place.line < 0 || place.column < 0)).toEqual([])
      expect(map !== null || faults[0]?.endsWith('.')).toBe(true)
    },
  )
})
