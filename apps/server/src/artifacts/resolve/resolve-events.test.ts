import { describe, expect, it } from 'vitest'
import type { Frame, NormalisedEvent } from '../../event/event.ts'
import { isRecurring, markRecurring } from '../../lib/recurring.ts'
import type { FoundFile } from '../ledger/lookup.ts'
import { NO_FUNCTIONS } from '../maps/function-names.ts'
import { prepareMap } from '../maps/prepared-map.ts'
import { readSourceMap } from '../maps/source-map.ts'
import { createHeldMaps } from './held-maps.ts'
import { createFrameResolver, mapFrames } from './resolve-events.ts'

/** A map whose one source has this name. */
const preparedOf = (source: string): Uint8Array => {
  const text = JSON.stringify({
    version: 3,
    sources: [source],
    sourcesContent: ['pour(tea)\n'.repeat(40)],
    names: [],
    mappings: 'AAAA',
  })
  const read = readSourceMap(text)
  if (!read.ok) throw new Error(read.error)
  return prepareMap(read.value, NO_FUNCTIONS)
}

const DEBUG_ID = 'a'.repeat(32)

const fileOf = (key: string): FoundFile => ({
  id: 1,
  kind: 'source_map',
  url: '~/app.js.map',
  debug_id: DEBUG_ID,
  source_map: null,
  bundle_id: 1,
  blob_key: 'as it came',
  prepared_key: key,
  map_error: null,
})

const framesOf = (): readonly Frame[] => [{ abs_path: 'https://shop.example/app.js', lineno: 1, colno: 1 }]

const eventOf = (frames: readonly Frame[]): NormalisedEvent =>
  ({
    event_id: 'b'.repeat(32),
    platform: 'javascript',
    exception: { values: [{ type: 'Error', value: 'no tea', stacktrace: { frames } }] },
    debug_meta: {
      images: [{ type: 'sourcemap', code_file: 'https://shop.example/app.js', debug_id: DEBUG_ID }],
    },
    errors: [],
  }) as Partial<NormalisedEvent> as NormalisedEvent

/** Knows one file, whose map is under `current`; counts how often it is asked. */
const createPlace = () => {
  const place = { current: 'first', questions: 0 }
  const blobs: Readonly<Record<string, Uint8Array>> = {
    first: preparedOf('src/first.ts'),
    second: preparedOf('src/second.ts'),
  }
  const frames = createFrameResolver({
    lookup: {
      projects: () => Promise.resolve(new Set([1])),
      mapsByDebugIds: () => {
        place.questions += 1
        return Promise.resolve([fileOf(place.current)])
      },
      byAddresses: () => Promise.resolve([]),
    },
    maps: createHeldMaps({ get: (key) => Promise.resolve(blobs[key] ?? null) }),
  })
  return { place, frames }
}

describe('frames of events', () => {
  it('that recur are mapped once, as long as their map is the same', async () => {
    const { frames, place } = createPlace()
    const recurring = markRecurring(framesOf())
    const mapped = async (given: readonly Frame[]) => {
      const event = eventOf(given)
      const found = await frames.find(1, event)
      return found === null ? null : (mapFrames(event, found).exception?.values[0]?.stacktrace?.frames ?? null)
    }
    const once = await mapped(recurring)
    expect(once?.[0]).toMatchObject({ filename: 'src/first.ts', lineno: 1, context_line: 'pour(tea)' })
    expect(once !== null && isRecurring(once)).toBe(true)
    expect(await mapped(recurring)).toBe(once)
    // The same bytes read anew are the same frames, and not the same object.
    expect(await mapped(framesOf())).toEqual(once)
    place.current = 'second'
    expect((await mapped(recurring))?.[0]).toMatchObject({ filename: 'src/second.ts' })
  })

  it('that are read together ask once for the same files', async () => {
    const { frames, place } = createPlace()
    const asked = await frames.ask([])
    for (let index = 0; index < 50; index += 1) await frames.find(1, eventOf(framesOf()), asked)
    expect(place.questions).toBe(1)
    await frames.find(2, eventOf(framesOf()), asked)
    expect(place.questions).toBe(2)
  })

  it('that are read together ask once for their mappings, of all projects', async () => {
    const questions: (readonly unknown[])[] = []
    const frames = createFrameResolver({
      lookup: {
        projects: () => Promise.resolve(new Set()),
        mapsByDebugIds: () => Promise.resolve([]),
        byAddresses: () => Promise.resolve([]),
      },
      maps: { open: () => Promise.resolve(null) },
      debugFiles: {
        lookup: {
          projects: () => Promise.resolve(new Set()),
          known: () => Promise.resolve(new Set()),
          mappings: (wanted) => {
            questions.push(wanted)
            return Promise.resolve([])
          },
        },
        held: { open: () => Promise.resolve(null) },
      },
    })
    const events = Array.from({ length: 50 }, (_, index) => ({
      projectId: 1 + (index % 2),
      event: {
        ...eventOf([]),
        debug_meta: { images: [{ type: 'proguard', uuid: String(1 + (index % 8)).repeat(32) }] },
      } as NormalisedEvent,
    }))
    const asked = await frames.ask(events)
    for (const { event, projectId } of events) {
      const found = await frames.find(projectId, event, asked)
      expect([...(found?.mappings.values() ?? [])]).toMatchObject([{ kind: 'none' }])
    }
    // Each of the ids is of one of the projects.
    expect(questions.map(({ length }) => length)).toEqual([8])
  })
})

describe('a function without a name', () => {
  /** Three pieces of one line: what calls, what is called, and a call without a name. */
  const text = JSON.stringify({
    version: 3,
    sources: ['src/cart.ts'],
    names: ['forEachArticle'],
    mappings: 'AAAAA,UACA,UACA',
  })

  const namesOf = async (frames: readonly Frame[]): Promise<readonly unknown[]> => {
    const read = readSourceMap(text)
    if (!read.ok) throw new Error(read.error)
    const bytes = prepareMap(read.value, NO_FUNCTIONS)
    const resolver = createFrameResolver({
      lookup: {
        projects: () => Promise.resolve(new Set([1])),
        mapsByDebugIds: () => Promise.resolve([fileOf('map')]),
        byAddresses: () => Promise.resolve([]),
      },
      maps: createHeldMaps({ get: () => Promise.resolve(bytes) }),
    })
    const event = eventOf(frames)
    const found = await resolver.find(1, event)
    const mapped = found === null ? event : mapFrames(event, found)
    return mapped.exception?.values[0]?.stacktrace?.frames.map((frame) => frame.function) ?? []
  }

  const at = (colno: number, name: string): Frame => ({
    abs_path: 'https://shop.example/app.js',
    lineno: 1,
    colno,
    function: name,
  })

  it('L49: is called by what its caller calls there; one with a name keeps it', async () => {
    expect(await namesOf([at(1, 'a'), at(11, '<anonymous>')])).toEqual(['a', 'forEachArticle'])
    expect(await namesOf([at(1, 'a'), at(11, '?')])).toEqual(['a', 'forEachArticle'])
    expect(await namesOf([at(1, 'a'), at(11, 'b')])).toEqual(['a', 'b'])
    // Where the caller's place has no name, or something else stands between, nothing is known.
    expect(await namesOf([at(11, 'a'), at(21, '<anonymous>')])).toEqual(['a', '<anonymous>'])
    const native: Frame = { abs_path: '<anonymous>', function: 'Array.forEach', lineno: 1 }
    expect(await namesOf([at(1, 'a'), native, at(11, '<anonymous>')])).toEqual(['a', 'Array.forEach', '<anonymous>'])
  })
})

it('L55: a frame whose source has no text says so, once, and not of a library', async () => {
  const notesOf = async (source: string): Promise<readonly unknown[]> => {
    const read = readSourceMap(JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA' }))
    if (!read.ok) throw new Error(read.error)
    const bytes = prepareMap(read.value, NO_FUNCTIONS)
    const resolver = createFrameResolver({
      lookup: {
        projects: () => Promise.resolve(new Set([1])),
        mapsByDebugIds: () => Promise.resolve([fileOf('map')]),
        byAddresses: () => Promise.resolve([]),
      },
      maps: createHeldMaps({ get: () => Promise.resolve(bytes) }),
    })
    const event = eventOf([...framesOf(), ...framesOf()])
    const found = await resolver.find(1, event)
    return found === null ? [] : mapFrames(event, found).errors.map(({ name, reason, type }) => [type, name, reason])
  }
  expect(await notesOf('src/cart.ts')).toEqual([
    ['js_missing_sources_content', 'https://shop.example/app.js', expect.stringContaining('src/cart.ts')],
  ])
  expect(await notesOf('node_modules/tea/index.js')).toEqual([])
})

describe('maps that are held', () => {
  it('L68: stay within their bytes while 200 are asked for in turn', async () => {
    const bytes = preparedOf('src/first.ts').byteLength
    let reads = 0
    const maps = createHeldMaps(
      {
        get: () => {
          reads += 1
          return Promise.resolve(preparedOf('src/first.ts'))
        },
      },
      bytes * 20,
    )
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 200; index += 1) {
        expect(await maps.open(String(index))).not.toBeNull()
        expect(maps.bytes()).toBeLessThanOrEqual(bytes * 20)
      }
    }
    expect(reads).toBe(400)
    await maps.open('199')
    await maps.open('180')
    expect(reads).toBe(400)
  })
})
