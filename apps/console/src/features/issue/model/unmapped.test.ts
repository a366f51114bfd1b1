import { describe, expect, it } from 'vitest'
import { event, exception, frame } from './testing.ts'
import { retracedBy, unmappedOf } from './unmapped.ts'

const place = { server: 'https://first.example', organization: 'acme' }
const stackOf = (fields: Partial<ReturnType<typeof frame>>) => ({
  frames: [frame({ index: 0, ...fields })],
  omitted: 0,
  registers: [],
})

describe('what frames were retraced by', () => {
  const id = '49a7189b-5778-4863-871c-159569500ceb'
  const jvm = stackOf({ className: 'com.acme.Till' })
  const read = exception({ stack: jvm, rawStack: jvm })

  it('is the mapping that the app names, once', () => {
    expect(retracedBy(event({ exceptions: [read], mappings: [id, id.toUpperCase().replaceAll('-', '')] }))).toEqual([
      id,
    ])
  })

  it('is none where nothing was read, where scripts were, and where it is missing', () => {
    expect(retracedBy(event({ exceptions: [exception({ stack: jvm })], mappings: [id] }))).toEqual([])
    const script = exception({ stack: stackOf({}), rawStack: stackOf({}) })
    expect(retracedBy(event({ exceptions: [script], mappings: [id] }))).toEqual([])
    const field = id.replaceAll('-', '')
    const notes = [{ type: 'proguard_missing_mapping', field, reason: '', value: undefined }]
    expect(retracedBy(event({ exceptions: [read], mappings: [id], notes }))).toEqual([])
  })
})

describe('why frames are shown as a bundler wrote them', () => {
  it('L63, L64: is what the server says of each file, with what to type', () => {
    const seen = unmappedOf(
      event({
        release: 'shop@1.5.0',
        notes: [
          {
            type: 'js_no_source',
            field: 'https://shop.test/app.js',
            reason: 'Nothing was uploaded.',
            value: undefined,
          },
          { type: 'value_too_long', field: 'extra', reason: '', value: undefined },
        ],
      }),
      place,
    )
    expect(seen).toEqual({
      kind: 'maps',
      reasons: [{ file: 'https://shop.test/app.js', reason: 'Nothing was uploaded.' }],
      command:
        'npx @sentry/cli sourcemaps inject ./dist\nnpx @sentry/cli --url https://first.example sourcemaps upload --org acme --project shop-web --release shop@1.5.0 ./dist',
    })
  })

  it('L55: says of a source that was mapped why its lines are not there', () => {
    const reason = 'Its source map names src/cart.ts and has no text of it.'
    const note = { type: 'js_missing_sources_content', field: 'https://shop.test/app.js', reason, value: undefined }
    const stack = stackOf({ line: 3, column: 9 })
    const seen = unmappedOf(event({ exceptions: [exception({ stack, rawStack: stack })], notes: [note] }), place)
    expect(seen?.reasons).toEqual([{ file: 'https://shop.test/app.js', reason }])
  })

  it('is said of long lines without a source when nothing was ever uploaded', () => {
    const minified = event({ exceptions: [exception({ stack: stackOf({ line: 1, column: 4711 }) })] })
    expect(unmappedOf(minified, place)?.reasons).toEqual([])
    for (const fields of [
      { line: 1, column: 12 },
      { line: 1, column: 4711, source: [{ line: 1, text: 'pour()' }] },
    ]) {
      expect(unmappedOf(event({ exceptions: [exception({ stack: stackOf(fields) })] }), place)).toBeNull()
    }
    expect(unmappedOf({ ...minified, platform: 'python' }, place)).toBeNull()
  })

  it('is said wherever a minifier broke its lines: esbuild keeps those of templates', () => {
    const minified = event({ exceptions: [exception({ stack: stackOf({ line: 17, column: 31_146 }) })] })
    expect(unmappedOf(minified, place)).not.toBeNull()
  })

  it('is said of a script with a debug id, however short its lines are', () => {
    const file = 'https://shop.test/assets/app.js'
    const built = event({
      builtFiles: [file],
      exceptions: [exception({ stack: stackOf({ line: 17, column: 40, path: file }) })],
    })
    expect(unmappedOf(built, place)).not.toBeNull()
    expect(unmappedOf({ ...built, builtFiles: ['https://shop.test/other.js'] }, place)).toBeNull()
  })

  it('is said of a stack in which every function has the name of a minifier', () => {
    const named = (...names: readonly string[]) =>
      event({
        exceptions: [
          exception({
            stack: {
              frames: names.map((functionName, index) => frame({ index, functionName, line: 17, column: 40 })),
              omitted: 0,
              registers: [],
            },
          }),
        ],
      })
    expect(unmappedOf(named('fa', 'Er', '<anonymous>'), place)).not.toBeNull()
    expect(unmappedOf(named('fa', 'pourCoffee'), place)).toBeNull()
    expect(unmappedOf(named('go', '<anonymous>'), place)).toBeNull()
  })

  it('is not said of an error whose stack was mapped', () => {
    const stack = stackOf({ line: 17, column: 31_146 })
    expect(unmappedOf(event({ exceptions: [exception({ stack, rawStack: stack })] }), place)).toBeNull()
  })

  it('quotes a release that a shell would read as something else', () => {
    const seen = unmappedOf(
      event({ release: "it's $(1)", notes: [{ type: 'js_no_source', field: 'a.js', reason: 'x', value: undefined }] }),
      place,
    )
    expect(seen?.command).toContain(String.raw`--release 'it'\''s $(1)' ./dist`)
  })

  it('L105: is what is missing of a mapping, with what to type for this very build', () => {
    const id = '5b65abfb23844e309bb38dc8f3bc1f2e'
    const reason = 'No mapping was uploaded.'
    const notes = [{ type: 'proguard_missing_mapping', field: id, reason, value: undefined }]
    expect(unmappedOf(event({ platform: 'java', notes }), place)).toEqual({
      kind: 'mapping',
      reasons: [{ file: id, reason }],
      command:
        'npx @sentry/cli --url https://first.example upload-proguard --org acme --project shop-web --uuid 5b65abfb-2384-4e30-9bb3-8dc8f3bc1f2e app/build/outputs/mapping/release/mapping.txt',
    })
  })

  it('L107: is the debug id that is missing of native code, with nothing to type that would not help', () => {
    const reason = 'Missing: debug id 1.'
    const notes = [{ type: 'native_missing_dsym', field: 'shop', reason, value: undefined }]
    expect(unmappedOf(event({ platform: 'native', notes }), place)).toEqual({
      kind: 'native',
      reasons: [{ file: 'shop', reason }],
      command: null,
    })
  })
})
