import { readdirSync, readFileSync } from 'node:fs'
import { parseEnvelope } from '@firsthand/protocol'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../../accounts/settings.ts'
import { LIMITS } from '../../../event/limits.ts'
import type { Exception, Frame, NormalisedEvent } from '../../../event/event.ts'
import { normalise } from '../../../event/normalise/index.ts'
import { digestItem } from '../../../event/normalise/digest-item.fixture.ts'
import { scrub } from '../../../event/scrub/index.ts'
import { LIMITS as INGEST_LIMITS } from '../../../ingest/limits.ts'
import { Work } from '../../../lib/work.ts'
import { event, exception, frame, settings, thrown } from '../events.fixture.ts'
import { findGroupingVersion } from '../index.ts'
import { explain, group } from './index.ts'

const work = (): Work => new Work(LIMITS.RULE_STEPS_PER_EVENT)
const hashOf = (input: NormalisedEvent): string | undefined => group(input, settings(), work()).grouping.hashes[0]

/** `name place line` for each frame, the one that threw first, as browsers write a stack. Every frame of an SDK is in-app. */
const script = (...lines: string[]): Frame[] =>
  lines.toReversed().map((line) => {
    const [name = '', place = '', lineno] = line.split(' | ')
    return {
      function: name,
      filename: place,
      abs_path: place,
      in_app: true,
      ...(lineno === undefined ? {} : { lineno: Number(lineno), colno: 7 }),
    }
  })

const APP = 'https://shop.example/assets/app.js'
const PAGE = 'https://shop.example/basket'

const browser = (value: string, frames: Frame[], type = 'TypeError'): NormalisedEvent =>
  thrown([exception(frames, { type, value })])

const native = (frames: Frame[], images: Record<string, unknown>[], fields: Partial<Exception> = {}): NormalisedEvent =>
  thrown(
    [
      exception(
        frames.map((one) => ({ ...one, in_app: true })),
        { type: 'SIGSEGV', value: 'Segfault', ...fields },
      ),
    ],
    {
      platform: 'native',
      debug_meta: { images: images as never },
    },
  )

const dotnet = (module: string | undefined, name: string): NormalisedEvent =>
  thrown([exception([{ ...(module === undefined ? {} : { module }), function: name, in_app: true }])], {
    platform: 'csharp',
  })

const chain = (cause: Exception, outer: Exception): NormalisedEvent => thrown([cause, outer])

const SHOP = { code_file: '/opt/shop/libshop.so', image_addr: '0x10000', image_size: 0x8000 }
const PAY = { code_file: '/opt/shop/libpay.so', image_addr: '0x20000', image_size: 0x8000 }
const moved = (image: Record<string, unknown>): Record<string, unknown> => ({ ...image, image_addr: '0x7f0000010000' })

/** Errors that are one, each as its variants wrote it. */
const ONE: Record<string, readonly NormalisedEvent[]> = {
  'a property of undefined inside forEach, in three engines': [
    browser(
      "Cannot read properties of undefined (reading 'price')",
      script(
        `addPrice | ${APP} | 10`,
        'Array.forEach | <anonymous>',
        `Basket.total | ${APP} | 20`,
        `HTMLButtonElement.onclick | ${PAGE} | 3`,
      ),
    ),
    browser(
      'can\'t access property "price", item is undefined',
      script(`addPrice | ${APP} | 10`, `total | ${APP} | 20`, `onclick | ${PAGE} | 3`),
    ),
    browser(
      "undefined is not an object (evaluating 'item.price')",
      script(`addPrice | ${APP} | 10`, 'forEach | [native code]', `total | ${APP} | 20`, `onclick | ${PAGE} | 3`),
    ),
  ],
  'thrown by code of the engine': [
    browser('Unexpected token < in JSON', script('JSON.parse | <anonymous>', `load | ${APP} | 4`), 'SyntaxError'),
    browser('JSON.parse: unexpected character at line 1', script(`load | ${APP} | 4`), 'SyntaxError'),
    browser(
      'JSON Parse error: Unrecognized token',
      script('parse | [native code]', `load | ${APP} | 4`),
      'SyntaxError',
    ),
  ],
  'inside eval': [
    browser('x is not defined', script(`eval | ${APP} | 10`, `run | ${APP} | 10`), 'ReferenceError'),
    browser("Can't find variable: x", script('eval code | [native code]', `run | ${APP} | 10`), 'ReferenceError'),
    browser('x is not defined', script('eval | [native code]', `run | ${APP} | 10`), 'ReferenceError'),
  ],
  'behind await': [
    browser('Failed to fetch', script(`load | ${APP} | 5`, 'async Promise.all | index 0', `async start | ${APP} | 9`)),
    browser('NetworkError when attempting to fetch resource.', script(`load | ${APP} | 5`)),
    browser('Load failed', script(`load | ${APP} | 5`, `async start | ${APP} | 9`)),
    browser('Load failed', script(`load | ${APP} | 5`, `async*start | ${APP} | 9`)),
  ],
  'at the top of a script': [
    browser("Cannot read properties of null (reading 'focus')", script(`? | ${APP} | 1`)),
    browser('can\'t access property "focus", document.activeElement is null', script(`? | ${APP} | 1`)),
    browser("null is not an object (evaluating 'document.activeElement.focus')", script(`global code | ${APP} | 1`)),
    browser("null is not an object (evaluating 'a.focus')", script(`module code | ${APP} | 1`)),
  ],
  'without a stack': [
    thrown([{ type: 'ReferenceError', value: 'basket is not defined' }]),
    thrown([{ type: 'ReferenceError', value: "Can't find variable: basket" }]),
  ],
  'recursion without end': [
    browser('Maximum call stack size exceeded', script(`deep | ${APP} | 1`), 'RangeError'),
    browser('too much recursion', script(`deep | ${APP} | 1`), 'InternalError'),
    browser('Maximum call stack size exceeded.', script(`deep | ${APP} | 1`), 'RangeError'),
    browser('Maximum call stack size exceeded.', script(`deep | ${APP} | 1`, `deep | ${APP} | 2`), 'RangeError'),
  ],
  'getters, constructors, nested functions': [
    browser('x', script(`get total [as total] | ${APP} | 1`, `new Basket | ${APP} | 2`, `Shop.open | ${APP} | 3`)),
    browser('x', script(`get total | ${APP} | 1`, `Basket | ${APP} | 2`, `start/this.open | ${APP} | 3`)),
    browser('x', script(`total | ${APP} | 1`, `Basket | ${APP} | 2`, `setTimeout handler*open | ${APP} | 3`)),
  ],
  'a nameless throwing frame, with data of users in the message': [
    browser('no basket for Ann', script(`? | ${APP} | 1`, `open | ${APP} | 2`), 'Error'),
    browser('no basket for Bob', script(`? | ${APP} | 1`, `open | ${APP} | 2`), 'Error'),
  ],
  'a nameless throwing frame, in three engines': [
    browser("Cannot read properties of undefined (reading 'price')", script(`? | ${APP} | 1`, `open | ${APP} | 2`)),
    browser('can\'t access property "price", e is undefined', script(`? | ${APP} | 1`, `open | ${APP} | 2`)),
    browser("undefined is not an object (evaluating 'e.price')", script(`? | ${APP} | 1`, `open | ${APP} | 2`)),
  ],
  'functions without a name, inside and as those that were called by the page': [
    browser(
      'teas.forEach is not a function',
      script(
        `? | ${APP} | 4`,
        'Array.forEach | <anonymous>',
        `pourAll | ${APP} | 3`,
        `HTMLButtonElement.<anonymous> | ${APP} | 2`,
      ),
    ),
    browser(
      'teas.forEach is not a function',
      script(`pourAll/< | ${APP} | 4`, `pourAll | ${APP} | 3`, `start/pour< | ${APP} | 2`),
    ),
    browser(
      "teas.forEach is not a function. (In 'teas.forEach(pour)', 'teas.forEach' is undefined)",
      script(`? | ${APP} | 4`, 'forEach | [native code]', `pourAll | ${APP} | 3`, `? | ${APP} | 2`),
    ),
  ],
  'modules of webpack': [
    browser('x', script('Module../src/basket.js | webpack-internal:///./src/basket.js | 1')),
    browser('x', script('./src/basket.js | webpack-internal:///./src/basket.js | 1')),
  ],
  'an async method of .NET, from build to build and SDK to SDK': [
    dotnet('Shop.Basket+<AddAsync>d__5', 'MoveNext'),
    dotnet('Shop.Basket+<AddAsync>d__17', 'MoveNext'),
    dotnet('Shop.Basket+<AddAsync>d__5`1[System.String]', 'MoveNext()'),
    dotnet(undefined, 'Shop.Basket.<AddAsync>d__5.MoveNext()'),
    dotnet('Shop.Basket', '<AddAsync>d__5'),
    dotnet('Shop.Basket', 'AddAsync'),
  ],
  'a lambda of .NET': [
    dotnet('Shop.Basket+<>c__DisplayClass4_0', '<Add>b__0'),
    dotnet('Shop.Basket+<>c', '<Add>b__12_1'),
    dotnet('Shop.Basket+<>c__DisplayClass4_0+<<Add>b__0>d', 'MoveNext'),
    dotnet('Shop.Basket', 'Add { <lambda> }'),
  ],
  'a local function of .NET': [dotnet('Shop.Basket', '<Add>g__Check|4_0'), dotnet('Shop.Basket', '<Add>g__Check|9_1')],
  'native frames without a name, loaded elsewhere': [
    native([{ instruction_addr: '0x10123' }, { instruction_addr: '0x20456' }], [SHOP, PAY]),
    native([{ instruction_addr: '0x7f0000010123' }, { instruction_addr: '0x20456' }], [PAY, moved(SHOP)]),
    native(
      [
        { instruction_addr: '0x55123', image_addr: '0x55000', package: '/opt/other/LibShop.so' },
        { instruction_addr: '0x456', addr_mode: 'rel:0' },
      ],
      [PAY],
    ),
    native([{ instruction_addr: '0x10123', function: '<redacted>' }, { instruction_addr: '0x20456' }], [SHOP, PAY]),
    native([{ instruction_addr: '0x10123', function: '0x10123' }, { instruction_addr: '0x20456' }], [SHOP, PAY]),
  ],
  'a native library that nobody located': [
    native([{ instruction_addr: '0x10123', package: 'libshop.so' }], []),
    native([{ instruction_addr: '0x99999', package: 'libshop.so' }], []),
  ],
  'a block of Objective-C': [
    thrown([exception([{ function: '__16-[Basket add:]_block_invoke', in_app: true }])], { platform: 'cocoa' }),
    thrown([exception([{ function: '__99-[Basket add:]_block_invoke_2', in_app: true }])], { platform: 'cocoa' }),
  ],
  'an error with another cause each time': [
    chain(exception([frame({ function: 'disk' })], { type: 'DiskError' }), exception([frame()])),
    chain(exception([frame({ function: 'net' })], { type: 'NetError' }), exception([frame()])),
    thrown([exception([frame()])]),
  ],
  'recursion with a frame of the engine between': [
    browser('x', script(`walk | ${APP} | 3`, 'Array.map | <anonymous>', `walk | ${APP} | 3`)),
    browser('x', script(`walk | ${APP} | 3`)),
  ],
}

/** Errors that look alike and are not one. */
const APART: Record<string, readonly NormalisedEvent[]> = {
  'messages of the engine behind a nameless frame': [
    browser("Cannot read properties of undefined (reading 'price')", script(`? | ${APP} | 1`, `open | ${APP} | 2`)),
    browser("Cannot read properties of undefined (reading 'name')", script(`? | ${APP} | 1`, `open | ${APP} | 2`)),
    browser("Cannot read properties of null (reading 'price')", script(`? | ${APP} | 1`, `open | ${APP} | 2`)),
    browser('e.price is not a function', script(`? | ${APP} | 1`, `open | ${APP} | 2`)),
  ],
  'the same address in two libraries': [
    native([{ instruction_addr: '0x123', addr_mode: 'rel:0' }], [SHOP, PAY]),
    native([{ instruction_addr: '0x123', addr_mode: 'rel:1' }], [SHOP, PAY]),
    native([{ instruction_addr: '0x10123', package: 'libshop.so' }], []),
    native([{ instruction_addr: '0x10123', package: 'libpay.so' }], []),
    native([{ instruction_addr: '0x10124' }], [SHOP]),
  ],
  'an address outside of all libraries says nothing, and the signal is all there is': [
    native([{ instruction_addr: '0x999999' }], [SHOP]),
    native([{ instruction_addr: '0x999999' }], [SHOP], { type: 'SIGABRT' }),
  ],
  'methods of .NET': [
    dotnet('Shop.Basket+<AddAsync>d__5', 'MoveNext'),
    dotnet('Shop.Basket+<RemoveAsync>d__5', 'MoveNext'),
    dotnet('Shop.Wishlist+<AddAsync>d__5', 'MoveNext'),
  ],
  'classes of Objective-C with a method of one name': [
    thrown([exception([{ function: '-[Basket add:]', in_app: true }])], { platform: 'cocoa' }),
    thrown([exception([{ function: '-[Wishlist add:]', in_app: true }])], { platform: 'cocoa' }),
  ],
  'causes of an error whose own frames say nothing': [
    chain(exception([frame({ function: 'disk' })]), exception([], { type: 'Error' })),
    chain(exception([frame({ function: 'net' })]), exception([], { type: 'Error' })),
    chain(
      exception([frame({ function: 'net' })]),
      exception([frame({ in_app: false, filename: '/x/node_modules/y.js' })]),
    ),
  ],
  'frames that have nothing but the name before it was demangled, a source line or a library': [
    thrown([{ stacktrace: { frames: [{ raw_function: 'pay', in_app: true }] } }], { platform: 'native' }),
    thrown([{ stacktrace: { frames: [{ raw_function: 'buy', in_app: true }] } }], { platform: 'native' }),
    thrown([{ stacktrace: { frames: [{ package: 'libshop.so', in_app: true }] } }], { platform: 'native' }),
    thrown([{ stacktrace: { frames: [{ context_line: 'pay()', in_app: true }] } }]),
  ],
  'functions on the way to a frame that counts': [
    browser('x', script(`add | ${APP} | 1`, `open | ${APP} | 2`)),
    browser('x', script(`add | ${APP} | 1`, `close | ${APP} | 2`)),
  ],
  'those who wait, where nobody else is named': [
    browser('x', script(`async load | ${APP} | 1`)),
    browser('x', script(`async save | ${APP} | 1`)),
  ],
}

const ENVELOPES = new URL('../../../../../../fixtures/envelopes/', import.meta.url)

/** Events of real SDKs, as they were recorded, by both versions. */
const recorded = (): Record<string, string> => {
  const found: Record<string, string> = {}
  const names = readdirSync(ENVELOPES, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?:^|\/)[^/]*event\.envelope$/.test(path) && !path.includes('replay_event'))
  for (const name of names.sort()) {
    const envelope = parseEnvelope(readFileSync(new URL(name, ENVELOPES)), {
      maxItems: INGEST_LIMITS.ITEMS_PER_ENVELOPE,
    })
    const item = envelope.ok ? envelope.value.items.find(({ header }) => header.type === 'event') : undefined
    if (item === undefined) throw new Error(`The fixture ${name} holds no event.`)
    const sent: unknown = JSON.parse(Buffer.from(item.payload).toString())
    const read = normalise({ item: digestItem(sent) }, DEFAULT_PROJECT_SETTINGS)
    if (!read.ok) throw new Error(`${name}: ${read.error.detail}`)
    const clean = scrub(read.value, DEFAULT_PROJECT_SETTINGS)
    for (const version of ['firsthand:2026-11-20', 'firsthand:2026-11-22']) {
      const hashes = findGroupingVersion(version)?.group(clean, DEFAULT_PROJECT_SETTINGS, work()).grouping.hashes
      found[`${name} by ${version}`] = hashes?.[0] ?? 'none'
    }
  }
  return found
}

describe('the second version', () => {
  it.each(Object.keys(ONE))('one issue: %s', (name) => {
    expect(new Set(ONE[name]?.map(hashOf)).size).toBe(1)
  })

  it.each(Object.keys(APART))('apart: %s', (name) => {
    expect(new Set(APART[name]?.map(hashOf)).size).toBe(APART[name]?.length)
  })

  it('says why a frame, a message or a cause does not count', () => {
    const [chrome] = ONE['a property of undefined inside forEach, in three engines'] ?? []
    const [waiting] = ONE['behind await'] ?? []
    const [nameless] = ONE['a nameless throwing frame, with data of users in the message'] ?? []
    const [caused] = ONE['an error with another cause each time'] ?? []
    const texts = [chrome, waiting, nameless, caused].map((input) =>
      JSON.stringify(explain(input ?? event(), settings(), work())),
    )
    expect(texts[0]).toContain('not in-app')
    expect(texts[1]).toContain('ignored because not every browser names those who wait')
    expect(texts[2]).toContain('it may hold what users entered')
    expect(texts[3]).toContain('ignored because the error it caused says where it was thrown')
    const [located] = ONE['native frames without a name, loaded elsewhere'] ?? []
    expect(JSON.stringify(explain(located ?? event(), settings(), work()))).toContain('libshop.so+0x123')
  })

  it('explains the hash that it gives', () => {
    for (const input of [...Object.values(ONE), ...Object.values(APART)].flat()) {
      const decisive = explain(input, settings(), work()).flatMap(({ hash }) => hash ?? [])
      expect(decisive).toEqual(group(input, settings(), work()).grouping.hashes)
    }
  })

  it('stays as it was shipped, and so does the first one for what real SDKs send', () => {
    const golden = JSON.parse(readFileSync(new URL('golden.json', import.meta.url), 'utf8')) as Record<string, string>
    const cases = [...Object.entries(ONE), ...Object.entries(APART)].flatMap(([name, inputs]) =>
      inputs.map((input, index) => [`${name} #${index}`, hashOf(input)]),
    )
    expect({ ...Object.fromEntries(cases), ...recorded() }).toEqual(golden)
  })
})
