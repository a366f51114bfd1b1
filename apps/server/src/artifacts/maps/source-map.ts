import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { functionMapOf, type FunctionMap } from './function-map.ts'
import { MappingsReader, type Mappings, type MappingsPlace } from './mappings.ts'

/** A source map (ECMA-426), flat and indexed alike, as far as it can be read. */
export interface SourceMap {
  readonly mappings: Mappings
  /** With `sourceRoot` in front, and not yet cleaned; '' where the map names none. */
  readonly sources: readonly string[]
  /** For each source; null where the map has none. */
  readonly contents: readonly (string | null)[]
  /** For each source: which function is where in it; null where the map does not say. */
  readonly functionMaps: readonly (FunctionMap | null)[]
  /** Sources that are somebody else's (`ignoreList`). */
  readonly ignored: ReadonlySet<number>
  readonly names: readonly string[]
  /** What is wrong with it and was left out, with how often; the first kinds of it. */
  readonly faults: ReadonlyMap<string, number>
  /** Of its field `debug_id` or `debugId`, as it stands there. */
  readonly debugId: string | null
}

/** Why a file is no source map, as a sentence. */
export type NoSourceMap = string

/** Lines that servers put before JSON, so that no script can include it. */
const JSON_GUARD = /^\)\]\}[^\n]*\n/

/** Reads the text of a map. Bounded by its length; a thread of its own reads large ones. */
export const readSourceMap = (text: string): Result<SourceMap, NoSourceMap> => {
  const bare = text.replace(/^\uFEFF/, '').replace(JSON_GUARD, '')
  if (/^\s*</.test(bare))
    return err('This is HTML, not a source map: what was uploaded may be the page of a log-in or of an error.')
  let json: unknown
  try {
    json = JSON.parse(bare)
  } catch {
    return err('This is no source map: it is not JSON, or it was cut off.')
  }
  if (!isObject(json)) return err('This is no source map: it is no JSON object.')
  if (json['version'] !== 3) {
    return err('Only version 3 of source maps can be read. Build again with a tool that writes it.')
  }
  const parts = 'sections' in json ? sectionsOf(json) : ok([{ map: json, line: 0, column: 0 }])
  return parts.ok ? ok(new Collected().read(parts.value, debugIdOf(json))) : parts
}

type Json = Readonly<Record<string, unknown>>

interface Section {
  readonly map: Json
  readonly line: number
  readonly column: number
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Own fields only: a map may have a `__proto__`. */
const listOf = (json: Json, name: string): readonly unknown[] => {
  const value = Object.hasOwn(json, name) ? json[name] : undefined
  return Array.isArray(value) ? value : []
}

/** When both are there and differ, the older field was written last. */
const debugIdOf = (json: Json): string | null => {
  const id = json['debug_id'] ?? json['debugId']
  return typeof id === 'string' ? id.slice(0, 64) : null
}

const sectionsOf = (json: Json): Result<readonly Section[], NoSourceMap> => {
  const listed = json['sections']
  if (!Array.isArray(listed)) return err('The sections of this source map are no list.')
  if ('mappings' in json) return err('This source map has both mappings and sections.')
  if (listed.length > LIMITS.SOURCE_MAP_SECTIONS) {
    return err(`This source map has ${listed.length} sections; ${LIMITS.SOURCE_MAP_SECTIONS} are read.`)
  }
  const sections: Section[] = []
  let [lastLine, lastColumn] = [0, 0]
  for (const [index, section] of (listed as unknown[]).entries()) {
    const wrong = (what: string): Result<never, NoSourceMap> => err(`Section ${index + 1} of this source map ${what}.`)
    if (!isObject(section) || !isObject(section['map'])) return wrong('has no map')
    if ('sections' in section['map']) return wrong('has sections itself')
    const offset = section['offset']
    if (!isObject(offset) || !isPlace(offset['line']) || !isPlace(offset['column']))
      return wrong('says not where it begins')
    const { line, column } = offset
    if (line < lastLine || (line === lastLine && column < lastColumn))
      return wrong('begins before the one in front of it')
    sections.push({ map: section['map'], line, column })
    ;[lastLine, lastColumn] = [line, column]
  }
  return ok(sections)
}

const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** What the sections of a map say, in the lists of the whole. */
class Collected {
  private readonly sources: string[] = []
  private readonly contents: (string | null)[] = []
  private readonly functionMaps: (FunctionMap | null)[] = []
  private readonly ignored = new Set<number>()
  private readonly names: string[] = []
  private readonly faults = new Map<string, number>()
  private readonly mappings = new MappingsReader((fault) => this.note(fault))

  read(sections: readonly Section[], debugId: string | null): SourceMap {
    for (const { map, line, column } of sections) {
      const place = { line, column, ...this.addSources(map), ...this.addNames(map) }
      this.addMappings(map, place)
    }
    const { sources, contents, functionMaps, ignored, names, faults } = this
    return { mappings: this.mappings.all(), sources, contents, functionMaps, ignored, names, faults, debugId }
  }

  private note(fault: string): void {
    const times = this.faults.get(fault)
    if (times !== undefined || this.faults.size < LIMITS.SOURCE_MAP_FAULTS) this.faults.set(fault, (times ?? 0) + 1)
  }

  private addSources(map: Json): Pick<MappingsPlace, 'firstSource' | 'sourceCount'> {
    const firstSource = this.sources.length
    const root = typeof map['sourceRoot'] === 'string' ? map['sourceRoot'] : ''
    const listed = this.within(
      listOf(map, 'sources'),
      LIMITS.SOURCE_MAP_SOURCES - firstSource,
      'more sources than are read',
    )
    const contents = listOf(map, 'sourcesContent')
    const functionMaps = listOf(map, 'x_facebook_sources')
    for (const [index, source] of listed.entries()) {
      if (source !== null && typeof source !== 'string') this.note('a source whose name is no text')
      const content = contents[index]
      this.sources.push(typeof source === 'string' ? joined(root, source).slice(0, LIMITS.SOURCE_NAME_CHARACTERS) : '')
      this.contents.push(typeof content === 'string' ? content : null)
      this.functionMaps.push(functionMapOf(functionMaps[index]))
    }
    const ignored = [...listOf(map, 'ignoreList'), ...listOf(map, 'x_google_ignoreList')]
    for (const index of ignored) {
      if (isPlace(index) && index < listed.length) this.ignored.add(firstSource + index)
      else this.note('an entry of the ignore list that is no source')
    }
    return { firstSource, sourceCount: listed.length }
  }

  private addNames(map: Json): Pick<MappingsPlace, 'firstName' | 'nameCount'> {
    const firstName = this.names.length
    const listed = this.within(listOf(map, 'names'), LIMITS.SOURCE_MAP_NAMES - firstName, 'more names than are read')
    for (const name of listed) {
      if (typeof name !== 'string') this.note('a name that is no text')
      this.names.push(typeof name === 'string' ? name.slice(0, LIMITS.SOURCE_NAME_CHARACTERS) : '')
    }
    return { firstName, nameCount: listed.length }
  }

  private addMappings(map: Json, place: MappingsPlace): void {
    if (typeof map['mappings'] === 'string') this.mappings.read(map['mappings'], place)
    else this.note('mappings that are no text')
  }

  private within(list: readonly unknown[], room: number, fault: string): readonly unknown[] {
    if (list.length <= room) return list
    this.note(fault)
    return list.slice(0, room)
  }
}

/** By one slash, as tools mean it; a source that is an address or an absolute path stays alone. */
const joined = (root: string, source: string): string => {
  if (root === '' || /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(source)) return source
  return `${root.replace(/\/$/, '')}/${source}`
}
