import { describe, expect, it } from 'vitest'
import type { Frame, NormalisedEvent } from '../../event/event.ts'
import { isRecurring, markRecurring } from '../../lib/recurring.ts'
import { LIMITS } from '../limits.ts'
import { readMethods } from './class-mapping.ts'
import { OpenMapping } from './open-mapping.ts'
import { preparedBytes, preparedMapping } from './prepared-mapping.fixture.ts'
import { MappingPreparer, PreparedMapping } from './prepared-mapping.ts'
import { mappingsWantedBy, retraceEvent, type FoundMapping } from './retrace-event.ts'

const ID = '5b65abfb23844e309bb38dc8f3bc1f2e'

const MAPPING = `# compiler: R8
# common_typos_disable
com.acme.shop.Basket -> a.a:
# {"id":"sourceFile","fileName":"Basket.kt"}
    java.util.List items -> a
    1:1:void com.acme.shop.Till.pay(int):40:40 -> a
    1:1:void checkout(int):21 -> a
    2:4:void checkout(int):22:24 -> a
    5:5:int total():10:10 -> b
    5:5:int com.acme.shop.Tax.of(int):7:7 -> c
    5:5:int lambda$sum$0(int):12:12 -> c
    # {"id":"com.android.tools.r8.synthesized"}
    5:5:int sum():13:13 -> c
    void <init>() -> <init>
    void open() -> d
    void shut(int) -> d
    1:3:void lines() -> e
    1:3:void pack():51:53 -> f
    4:4:void pack():60:60 -> f
    1:1:void fold():70:70 -> g
    2:2:void wrap():80:80 -> g
    void lay():90 -> h
    void lift():91 -> h
com.acme.shop.Till -> a.b:
# {"id":"sourceFile","fileName":"Tills.kt"}
    1:1:void nothing():3:3 -> a
    1:1:void java.util.Objects.requireNonNull(java.lang.Object):0:0 -> b
    1:1:void give():5:5 -> b
    # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
    4:4:void shared():11:11 -> c
    10:10:void shared():30:30 -> c
    # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5}}
com.acme.shop.EmptyBasket -> a.c:
com.acme.Outline -> a.d:
    1:2:int outline() -> a
    # {"id":"com.android.tools.r8.outline"}
`

const FOUND: ReadonlyMap<string, FoundMapping> = new Map([
  [ID, { kind: 'mapping', open: new OpenMapping(preparedMapping(MAPPING)), id: ID }],
])

const eventOf = (
  frames: readonly Frame[],
  { type = 'IllegalStateException', module = 'java.lang', release = 'com.acme.shop@1.0+7' } = {},
): NormalisedEvent =>
  ({
    platform: 'java',
    release,
    errors: [],
    debug_meta: { images: [{ type: 'proguard', uuid: ID }] },
    exception: { values: [{ type, module, value: 'no', stacktrace: { frames } }] },
  }) as unknown as NormalisedEvent

const retracedOf = (frames: readonly Frame[], more = {}) => {
  const [exception] = retraceEvent(eventOf(frames, more), FOUND).exception?.values ?? []
  return exception
}

/** `class.method(file:line)`, outermost first. */
const written = (frames: readonly Frame[], more = {}): readonly string[] =>
  (retracedOf(frames, more)?.stacktrace?.frames ?? []).map(
    (frame) => `${frame.module}.${frame.function}(${frame.filename}:${frame.lineno ?? ''})`,
  )

const at = (module: string, name: string, lineno?: number, more: Partial<Frame> = {}): Frame => ({
  module,
  function: name,
  filename: 'SourceFile',
  ...(lineno === undefined ? {} : { lineno }),
  ...more,
})

describe('an obfuscated frame', () => {
  it.each<[string, Frame, readonly string[]]>([
    [
      'is as many frames as methods were inlined, the outermost first, each with its class and file',
      at('a.a', 'a', 1),
      ['com.acme.shop.Basket.checkout(Basket.kt:21)', 'com.acme.shop.Till.pay(Tills.kt:40)'],
    ],
    ['has the line of its range', at('a.a', 'a', 3), ['com.acme.shop.Basket.checkout(Basket.kt:23)']],
    [
      'has its own line where the mapping names no other',
      at('a.a', 'e', 2),
      ['com.acme.shop.Basket.lines(Basket.kt:2)'],
    ],
    [
      'leaves out what the compiler made, and calls a file that no mapping names as its class',
      at('a.a', 'c', 5),
      ['com.acme.shop.Basket.sum(Basket.kt:13)', 'com.acme.shop.Tax.of(Tax.java:7)'],
    ],
    [
      'keeps its line where the mapping has none for the method',
      at('a.a', '<init>', 9),
      ['com.acme.shop.Basket.<init>(Basket.kt:9)'],
    ],
    ['that may be several methods names them', at('a.a', 'd', 9), ['com.acme.shop.Basket.open | shut(Basket.kt:9)']],
    [
      'that may be several methods with lines of their own has none',
      at('a.a', 'h', 9),
      ['com.acme.shop.Basket.lay | lift(Basket.kt:)'],
    ],
    [
      'beyond the lines of the one method of its name is called as that, and has no line',
      at('a.a', 'f', 27),
      ['com.acme.shop.Basket.pack(Basket.kt:)'],
    ],
    [
      'beyond the lines of the one method of its name has not the line of that',
      at('a.a', 'b', 27),
      ['com.acme.shop.Basket.total(Basket.kt:)'],
    ],
    [
      'beyond the lines of several methods of its name stays, and keeps its line',
      at('a.a', 'g', 27),
      ['com.acme.shop.Basket.g(Basket.kt:27)'],
    ],
    ['without a line is the method that was called', at('a.a', 'c'), ['com.acme.shop.Basket.sum(Basket.kt:13)']],
    [
      'of a method that is not there has its class, and keeps its line',
      at('a.a', 'zz', 1),
      ['com.acme.shop.Basket.zz(Basket.kt:1)'],
    ],
    ['of a class that is not there stays', at('java.lang.Thread', 'run', 9), ['java.lang.Thread.run(SourceFile:9)']],
  ])('L105 %s', (_, frame, places) => {
    expect(written([frame])).toEqual(places)
  })

  it('L105 loses what a compiler put in front of a check, for the exception of it alone', () => {
    const frames = [at('a.b', 'b', 1)]
    const inner = 'java.util.Objects.requireNonNull(Objects.java:)'
    expect(written(frames, { type: 'NullPointerException' })).toEqual(['com.acme.shop.Till.give(Tills.kt:5)'])
    expect(written(frames)).toEqual(['com.acme.shop.Till.give(Tills.kt:5)', inner])
    // Without a line nothing was inlined that could be left out.
    expect(written([at('a.b', 'b')], { type: 'NullPointerException' })).toEqual(['com.acme.shop.Till.give(Tills.kt:5)'])
  })

  it('L105 of code that several methods share is the place of its caller', () => {
    expect(written([at('a.b', 'c', 10), at('a.d', 'a', 1)])).toEqual(['com.acme.shop.Till.shared(Tills.kt:11)'])
  })

  it('is of the app when its class is of the package that the release names, and keeps what the SDK said else', () => {
    const inApp = (release: string) => retracedOf([at('a.a', 'b', 5)], { release })?.stacktrace?.frames[0]?.in_app
    expect(inApp('com.acme.shop@1.0+7')).toBe(true)
    expect(inApp('1.0')).toBeUndefined()
  })

  it('stays beside the one that was written, and is retraced once', () => {
    const frames = [at('a.a', 'b', 5)]
    const once = retraceEvent(eventOf(frames), FOUND)
    expect(once.exception?.values[0]?.raw_stacktrace?.frames).toEqual(frames)
    expect(retraceEvent(once, FOUND).exception).toEqual(once.exception)
  })

  it('that recurs is the same each time, as long as all that it follows from is', () => {
    const frames = markRecurring([at('a.b', 'b', 1)])
    const framesOf = (given: readonly Frame[], more = {}, found = FOUND) =>
      retraceEvent(eventOf(given, more), found).exception?.values[0]?.stacktrace?.frames ?? []
    const once = framesOf(frames)
    expect(isRecurring(once)).toBe(true)
    expect(framesOf(frames)).toBe(once)
    // The same read anew are the same frames, and not the same object.
    expect(framesOf([...frames])).toEqual(once)
    expect(isRecurring(framesOf([...frames]))).toBe(false)
    expect(framesOf(frames, { release: '1.0' })[0]?.in_app).toBeUndefined()
    expect(framesOf(frames, { type: 'NullPointerException' })).toHaveLength(1)
    const open = new OpenMapping(preparedMapping('com.acme.Other -> a.b:\n    void other() -> b\n'))
    const other = new Map([[ID, { kind: 'mapping' as const, open, id: ID }]])
    expect(framesOf(frames, {}, other)).toMatchObject([{ module: 'com.acme.Other', function: 'other' }])
  })

  it('of another platform is left alone', () => {
    expect(written([at('a.a', 'b', 5, { platform: 'javascript' })])).toEqual(['a.a.b(SourceFile:5)'])
  })
})

describe('an obfuscated exception', () => {
  it('L105 is called as it was written', () => {
    expect(retracedOf([], { module: 'a', type: 'c' })).toMatchObject({ module: 'com.acme.shop', type: 'EmptyBasket' })
    expect(retracedOf([], { module: 'a', type: 'zz' })).toMatchObject({ module: 'a', type: 'zz' })
  })

  it('is called so once, also where its own name is what another class is called in the app', () => {
    const once = retraceEvent(eventOf([at('a.a', 'b', 5)], { module: 'a', type: 'c' }), FOUND)
    const [exception] = once.exception?.values ?? []
    expect(exception).toMatchObject({ module: 'com.acme.shop', type: 'EmptyBasket' })
    const renamed = { ...once, exception: { values: [{ ...exception, module: 'a', type: 'b' }] } }
    expect(retraceEvent(renamed, FOUND).exception?.values[0]).toMatchObject({ module: 'a', type: 'b' })
  })

  it('is called so once, also where none of its frames changed', () => {
    const [once] = retraceEvent(eventOf([], { module: 'a', type: 'c' }), FOUND).exception?.values ?? []
    const open = new OpenMapping(preparedMapping('com.acme.Other -> com.acme.shop.EmptyBasket:\n    void a() -> a\n'))
    const later = new Map([[ID, { kind: 'mapping' as const, open, id: ID }]])
    const event = { ...eventOf([]), exception: { values: [once ?? {}] } }
    expect(retraceEvent(event, later).exception?.values[0]).toMatchObject({
      module: 'com.acme.shop',
      type: 'EmptyBasket',
      raw_module: 'a',
      raw_type: 'c',
    })
  })

  it('without its mapping says so', () => {
    const reason = 'It was not uploaded.'
    const event = eventOf([at('a.a', 'b', 5)])
    const found = new Map([[ID, { kind: 'none' as const, type: 'proguard_missing_mapping', reason }]])
    expect(retraceEvent(event, found)).toEqual({
      ...event,
      errors: [{ type: 'proguard_missing_mapping', name: ID, reason }],
    })
  })
})

describe('the ids of mappings', () => {
  it('are read from images of their kind, in any form, a few of an event', () => {
    const ids = Array.from({ length: 9 }, (_, index) => ({ type: 'proguard', uuid: `${index}${ID.slice(1)}` }))
    const images = [
      { type: 'proguard', uuid: '5B65ABFB-2384-4E30-9BB3-8DC8F3BC1F2E' },
      { type: 'sourcemap', debug_id: ID },
      null,
      { type: 'proguard', uuid: 7 },
      ...ids,
    ]
    const wanted = mappingsWantedBy({ debug_meta: { images } } as unknown as NormalisedEvent)
    expect(wanted[0]).toBe(ID)
    expect(wanted).toHaveLength(LIMITS.PROGUARD_PER_EVENT)
  })
})

describe('a prepared mapping', () => {
  it.each([1, 2, 7, 100, 1_000_000])('is the same whether the text comes in pieces of %i bytes or whole', (bytes) => {
    expect(preparedBytes(MAPPING, bytes)).toEqual(preparedBytes(MAPPING))
  })

  it('finds a class by either name, among many and with CRLF and a mark of byte order', () => {
    const classes = Array.from(
      { length: 20_000 },
      (_, index) => `com.acme.C${index} -> a.c${index}:\r\n    int f -> a\r\n`,
    )
    const mapping = preparedMapping(`\uFEFF${classes.join('')}`)
    for (const index of [0, 1, 9999, 19_999]) {
      expect(mapping.partOf(`a.c${index}`, 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).text).toContain(
        `com.acme.C${index} ->`,
      )
      expect(mapping.partOf(`com.acme.C${index}`, 'original', LIMITS.PROGUARD_CLASS_BYTES).text).toContain(
        `-> a.c${index}:`,
      )
      expect(mapping.partOf(`com.acme.C${index}`, 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).text).toBeNull()
    }
    expect(mapping.partOf('a.c20000', 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).text).toBeNull()
  })

  it('reads the methods of one name alone, whatever other names begin or end with it', () => {
    const text =
      'A -> a:\r\n    1:1:void b():1:1 -> ab\r\n    1:1:void c():2:2 -> a\r\n    1:1:void d():3:3 -> aa\r\n    e f -> a'
    expect(readMethods(text, 'a').map(({ name }) => name)).toEqual(['c'])
    expect(readMethods(text, '')).toEqual([])
    expect(readMethods('A -> a:\n    void <init>() -> <init>\n', 'init>')).toEqual([])
  })

  it('takes a fraction of its text, and gives each class back wherever a block of it ends', () => {
    const part = (index: number): string => {
      const lines = Array.from(
        { length: 1 + (index % 97) },
        (_, line) => `    ${line}:${line + 2}:void pour${line}(java.lang.String):${line + 40}:${line + 42} -> a\n`,
      )
      return `com.acme.shop.feature${index % 7}.Tea${index} -> b.c${index}:\n${lines.join('')}`
    }
    const parts = Array.from({ length: 1000 }, (_, index) => part(index))
    const text = parts.join('')
    const mapping = preparedMapping(text)
    expect(mapping.bytes).toBeLessThan(text.length / 4)
    parts.forEach((one, index) =>
      expect(mapping.partOf(`b.c${index}`, 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).text).toBe(one),
    )
  })

  it('counts the places that names which share a hash are looked for in', () => {
    const same = preparedMapping('com.acme.A -> a.same:\n'.repeat(500))
    expect(same.partOf('a.same', 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).places).toBe(1)
    expect(same.partOf('a.other', 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).places).toBe(0)
  })

  it('of a text that names no class is none', () => {
    expect(preparedBytes('')).toBeNull()
    expect(preparedBytes('# only a comment\n    void a() -> b\nno arrow:\n')).toBeNull()
  })

  it('passes over lines that are too long, and goes on behind them', () => {
    const long = 'x'.repeat(LIMITS.PROGUARD_LINE_BYTES * 3)
    const mapping = preparedMapping(`${long} -> a.x:\n${MAPPING}`, 1000)
    expect(mapping.partOf('a.x', 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).text).toBeNull()
    expect(mapping.partOf('a.b', 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).text).toContain('com.acme.shop.Till')
  })

  it('is refused when the mapping has too many classes', () => {
    const preparer = new MappingPreparer(() => undefined)
    const piece = Buffer.from('a.b -> c:\n'.repeat(10_000))
    let isTaken = true
    for (let count = 0; count <= LIMITS.PROGUARD_CLASSES && isTaken; count += 10_000) isTaken = preparer.push(piece)
    expect(isTaken).toBe(false)
  })

  it('in another form, or damaged, is none', () => {
    const bytes = preparedBytes(MAPPING)
    if (bytes === null) throw new Error('no mapping')
    expect(PreparedMapping.of(bytes)).not.toBeNull()
    expect(PreparedMapping.of(bytes.subarray(0, -4))).toBeNull()
    expect(PreparedMapping.of(bytes.subarray(8))).toBeNull()
    expect(PreparedMapping.of(Buffer.alloc(3))).toBeNull()
    expect(PreparedMapping.of(Buffer.from(MAPPING))).toBeNull()
  })

  it('looks at some classes whose hash is the same, and no more', () => {
    // The same name again and again: all keys have one hash, and only the first is the one that is asked for.
    const same = 'com.acme.A -> a.same:\n'.repeat(500)
    expect(preparedMapping(same).partOf('a.same', 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES).text).toBe(
      'com.acme.A -> a.same:\n',
    )
  })
})

describe('a mapping that is made to take long', () => {
  it('lets one frame stand for some, and a stack grow to its bound', () => {
    const inlined = Array.from(
      { length: 5000 },
      (_, index) => `    1:1:void m${index}():${index + 1}:${index + 1} -> a\n`,
    )
    const open = new OpenMapping(preparedMapping(`com.acme.Deep -> a.a:\n${inlined.join('')}`))
    const found = new Map([[ID, { kind: 'mapping' as const, open, id: ID }]])
    const framesOf = (count: number) =>
      retraceEvent(eventOf(Array.from({ length: count }, () => at('a.a', 'a', 1))), found).exception?.values[0]
        ?.stacktrace?.frames ?? []
    expect(framesOf(1)).toHaveLength(LIMITS.PROGUARD_INLINED)
    const many = framesOf(250)
    expect(many.length).toBeLessThanOrEqual(LIMITS.RETRACED_FRAMES + 250)
    // What was called is there in any case.
    expect(many.filter((frame) => frame.function === 'm4999')).toHaveLength(250)
  })

  it('takes no more steps for an event than one may take; the rest stays as it came, and a note says so', () => {
    // Reading each of the classes takes a little more than a tenth of the steps.
    const lines = '    1:1:void m():1:1 -> a\n'.repeat(LIMITS.RETRACE_STEPS_PER_EVENT / 10 / LIMITS.RETRACE_LINE_STEPS)
    const classes = Array.from({ length: 30 }, (_, index) => `com.acme.C${index} -> c.c${index}:\n${lines}`)
    const open = new OpenMapping(preparedMapping(classes.join('')))
    const found = new Map([[ID, { kind: 'mapping' as const, open, id: ID }]])
    const read = (count: number) => {
      const event = eventOf(Array.from({ length: count }, (_, index) => at(`c.c${index}`, 'a', 1)))
      const { errors, exception } = retraceEvent(event, found)
      const modules = exception?.values[0]?.stacktrace?.frames.map(({ module }) => module) ?? []
      return { isSkipped: errors.some(({ type }) => type === 'retrace_skipped'), modules }
    }
    expect(read(8)).toMatchObject({ isSkipped: false })
    const many = read(30)
    expect(many.isSkipped).toBe(true)
    expect(many.modules.filter((module) => module?.startsWith('c.c'))).toEqual(
      Array.from({ length: 21 }, (_, index) => `c.c${index}`),
    )
    // Whatever is held since, and however often.
    expect(read(30)).toEqual(many)
  })

  it('counts each frame that is made, and each method that is looked at', () => {
    const inlined = Array.from({ length: LIMITS.PROGUARD_INLINED }, (_, index) => `    1:1:void m${index}():1:1 -> a\n`)
    const other = '    2:2:void n():1:1 -> a\n'.repeat(10_000)
    const open = new OpenMapping(preparedMapping(`com.acme.Deep -> a.a:\n${inlined.join('')}${other}`))
    const found = new Map([[ID, { kind: 'mapping' as const, open, id: ID }]])
    const stack = { frames: Array.from({ length: 250 }, () => at('a.a', 'a', 1)) }
    const event = eventOf([])
    const values = Array.from({ length: 50 }, () => ({ type: 'E', stacktrace: stack }))
    const { errors, exception } = retraceEvent({ ...event, exception: { values } }, found)
    expect(errors).toMatchObject([{ type: 'retrace_skipped' }])
    expect(exception?.values.at(-1)?.stacktrace).toBe(stack)
  })

  it('says no more of a class than is read of it', () => {
    const huge = `com.acme.Huge -> a.a:\n${'    1:1:void m():1:1 -> a\n'.repeat(100_000)}`
    const { text } = preparedMapping(huge).partOf('a.a', 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES)
    expect(text?.length).toBe(LIMITS.PROGUARD_CLASS_BYTES)
  })
})
