import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../event/limits.ts'
import { Work } from '../../lib/work.ts'
import type { ProjectSettings } from '../../accounts/settings.ts'
import type { Exception, Frame, NormalisedEvent } from '../../event/event.ts'
import { event, exception, frame, settings, thrown } from './events.fixture.ts'
import { createGrouping, explain, explainStored, findGroupingVersion, group, type GroupingVersion } from './index.ts'

const hashes = (input: NormalisedEvent, rules: Partial<ProjectSettings['grouping']> = {}): readonly string[] =>
  group(input, settings(rules)).grouping.hashes
/** By version 1, which stays as it was shipped. */
const hashesBefore = (input: NormalisedEvent): readonly string[] => {
  const v1 = findGroupingVersion('firsthand:2026-11-20')
  if (v1 === undefined) throw new Error('version 1 is gone')
  return v1.group(input, settings(), new Work(LIMITS.RULE_STEPS_PER_EVENT)).grouping.hashes
}
const title = (input: NormalisedEvent): string => group(input, settings()).title.title

describe('titles', () => {
  it('check 52: the last exception is the title', () => {
    const input = thrown([
      { type: 'RangeError', value: 'cause' },
      { type: 'TypeError', value: 'outer\nsecond line' },
    ])
    expect(group(input, settings()).title).toMatchObject({
      title: 'TypeError: outer',
      metadata: { type: 'TypeError', value: 'outer\nsecond line' },
    })
  })

  it('check 55: a message of SDK 11 has its message as the title and groups with stack-less messages', () => {
    const withStack = thrown(
      [exception([frame()], { value: 'hello 12', mechanism: { type: 'generic', handled: true, synthetic: true } })],
      { type: 'default', level: 'info', logentry: { formatted: 'hello 12' } },
    )
    delete withStack.exception?.values[0]?.type
    const without = event({ type: 'default', level: 'info', logentry: { formatted: 'hello 34' } })
    expect(title(withStack)).toBe('hello 12')
    expect(group(withStack, settings()).title.metadata).toEqual({ title: 'hello 12' })
    expect(hashes(withStack)).toEqual(hashes(without))
    expect(hashes(withStack)).not.toEqual(hashes(event({ logentry: { formatted: 'goodbye' } })))
  })

  it.each([
    [event(), '<unlabeled event>'],
    [event({ logentry: { message: 'Hello %s', formatted: 'Hello Ann\nmore' } }), 'Hello Ann'],
    [thrown([{ value: 'only a value' }]), 'only a value'],
    [thrown([{ type: 'KeyError' }]), 'KeyError'],
    [thrown([{ type: 'E', value: 'v'.repeat(500) }]), `E: ${'v'.repeat(250)}...`],
    [
      thrown(
        [
          exception([frame({ function: 'Crash::now', package: '/app' })], {
            type: 'SIGSEGV',
            mechanism: { type: 'signal', synthetic: true },
          }),
        ],
        { platform: 'native' },
      ),
      'Crash::now',
    ],
    [
      event({ type: 'csp', csp: { effective_directive: 'script-src-elem', blocked_uri: 'https://evil.example/x.js' } }),
      "Blocked 'script' from 'evil.example'",
    ],
    [
      event({ type: 'csp', csp: { effective_directive: 'style-src', blocked_uri: 'inline' } }),
      "Blocked inline 'style'",
    ],
  ])('%#', (input, expected) => {
    expect(title(input)).toBe(expected.length > 256 ? `${expected.slice(0, 253)}...` : expected)
  })

  it('names the culprit by transaction, else by the in-app frame', () => {
    const own = thrown([exception([frame(), frame({ filename: '/x/node_modules/y.js', function: 'lib' })])])
    expect(group(own, settings()).title.culprit).toBe('addToCart(https://shop.example/assets/cart.js)')
    expect(group({ ...own, transaction: '/cart' }, settings()).title.culprit).toBe('/cart')
  })
})

describe('titles of native programs, as Sentry has them', () => {
  const crash = (platform: string, frames: Frame[], fields: Partial<Exception> = {}): NormalisedEvent =>
    thrown([exception(frames, fields)], { platform })
  const synthetic = { mechanism: { type: 'signal', synthetic: true } }

  it.each(['native', 'cocoa', 'objc'])('%s: the culprit is the function alone', (platform) => {
    const frames = [{ function: '-[Basket add:]', filename: 'Basket.m', package: '/app/Shop', in_app: true }]
    const { title: name, culprit } = group(crash(platform, frames), settings()).title
    expect([name, culprit]).toEqual(['TypeError: x is undefined', '-[Basket add:]'])
    const address = [{ instruction_addr: '0x1234', package: '/app/Shop', in_app: true }]
    expect(group(crash(platform, address), settings()).title.culprit).toBe('?')
  })

  it('what the SDK made up is called by the function, without its arguments, and has no culprit', () => {
    const frames = [
      { function: 'main', in_app: true },
      { function: 'void shop::Basket<int>::add(long) const', in_app: true },
      { function: '<redacted>', in_app: true },
    ]
    expect(group(crash('native', frames, synthetic), settings()).title).toMatchObject({
      title: 'shop::Basket<T>::add',
      culprit: '',
      metadata: { type: 'TypeError', value: 'x is undefined' },
    })
    const nameless = [{ function: '<redacted>', in_app: true }]
    expect(title(crash('cocoa', nameless, synthetic))).toBe('TypeError: x is undefined')
    const message = { mechanism: { type: 'generic', synthetic: true } }
    expect(group(crash('javascript', [frame()], message), settings()).title).toMatchObject({
      title: 'TypeError: x is undefined',
      culprit: '',
    })
    const onPage = { ...crash('javascript', [frame()], message), transaction: '/basket' }
    expect(group(onPage, settings()).title.culprit).toBe('/basket')
  })

  it.each([
    ['(anonymous namespace)::crash(int)', '(anonymous namespace)::crash'],
    ['ns::operator<(A, B)', 'ns::operator<'],
    ['ns::operator()(int)', 'ns::operator()'],
    ['<shop::Basket as core::fmt::Debug>::fmt', '<shop::Basket as core::fmt::Debug>::fmt'],
    ['std::vector<std::pair<int, long>>::push_back(int&&)', 'std::vector<T>::push_back'],
    ['Basket.add(item: Item) -> ()', 'Basket.add'],
    ['+[Basket shared]', '+[Basket shared]'],
    ['f(', 'f'],
    ['(', '('],
  ])('%s is %s', (name, short) => {
    expect(title(crash('native', [{ function: name, in_app: true }], synthetic))).toBe(short)
  })

  it('an error without type and value is an error', () => {
    expect(title(thrown([{ stacktrace: { frames: [frame()] } }]))).toBe('Error')
  })
})

describe('stack traces', () => {
  it('check 92: line numbers, ids in the message and build hashes do not matter', () => {
    const a = thrown([
      exception([frame({ filename: 'https://x.example/assets/cart-DXk3Bq9_.js' })], { value: 'order 12' }),
    ])
    const b = thrown([
      exception([frame({ filename: 'https://x.example/v2/cart-B-x3kD9f.js', lineno: 99, colno: 1 })], {
        value: 'order 34',
      }),
    ])
    expect(hashes(a)).toEqual(hashes(b))
  })

  it('check 93: two in-app functions are two issues; node_modules frames do not matter', () => {
    const library = (name: string): Frame =>
      frame({ filename: `https://x.example/node_modules/lib/${name}.js`, function: name })
    const one = thrown([exception([frame({ function: 'one' }), library('a')])])
    expect(hashes(one)).not.toEqual(hashes(thrown([exception([frame({ function: 'two' }), library('a')])])))
    expect(hashes(one)).toEqual(hashes(thrown([exception([frame({ function: 'one' }), library('b'), library('c')])])))
  })

  it('uses all frames when none is in-app', () => {
    const of = (name: string): NormalisedEvent => thrown([exception([frame({ in_app: false, function: name })])])
    expect(hashes(of('a'))).not.toEqual(hashes(of('b')))
    expect(explain(of('a'), settings()).find((variant) => variant.hash !== null)?.key).toBe('system')
  })

  it('collapses recursion', () => {
    const deep = (times: number): NormalisedEvent => thrown([exception(Array.from({ length: times }, () => frame()))])
    expect(hashes(deep(1))).toEqual(hashes(deep(40)))
  })

  it('version 1 tells errors of a minified bundle apart by their messages, when the frame that threw has no name', () => {
    const of = (value: string, name: string): NormalisedEvent =>
      thrown([exception([frame({ function: 'n' }), frame({ function: name })], { value })])
    expect(hashesBefore(of('reading x', '?'))).not.toEqual(hashesBefore(of('uncaught', '?')))
    expect(hashesBefore(of('order 1', '?'))).toEqual(hashesBefore(of('order 2', '?')))
    expect(hashesBefore(of('reading x', 'add'))).toEqual(hashesBefore(of('uncaught', 'add')))
  })

  it('ignores the page of inline scripts', () => {
    const on = (page: string): NormalisedEvent => thrown([exception([frame({ filename: page }), frame()])])
    expect(hashes(on('https://x.example/'))).toEqual(hashes(on('https://x.example/products/7.html?x=1')))
  })

  it('ignores SDK frames and run-time wrappers, also without any in-app frame', () => {
    const base = [frame({ in_app: false })]
    const wrapped = [
      frame({ function: 'sentryWrapped', in_app: false }),
      ...base,
      frame({ filename: 'node:internal/process/task_queues', function: 'processTicksAndRejections', in_app: false }),
      frame({ filename: '/x/node_modules/@sentry/core/build/esm/exports.js', function: 'captureException' }),
    ]
    expect(hashes(thrown([exception(base)]))).toEqual(hashes(thrown([exception(wrapped)])))
  })

  it.each([
    [
      'javascript',
      { filename: 'https://x.example/main.3f2a8b1c.chunk.js', function: 'Object.run' },
      { filename: 'https://x.example/main.99aa77cc.chunk.js', function: 'run' },
    ],
    [
      'javascript',
      { filename: 'https://x.example/12-0a1b2c3d4e5f6789.js', function: 'run' },
      { filename: 'https://x.example/977-ffeeddcc00112233.js', function: 'run' },
    ],
    [
      'javascript',
      { filename: 'https://x.example/a.js', function: 'f', context_line: '  a( )' },
      { filename: 'https://x.example/a.js', function: 'g', context_line: 'a( ) ' },
    ],
    [
      'node',
      { filename: '/srv/a/app.mjs', module: 'app', function: 'async run' },
      { filename: '/opt/b/app.mjs', module: 'app', function: 'run' },
    ],
    [
      'python',
      { filename: '/a/views.py', module: 'shop.views', function: 'get' },
      { filename: '/b/views.py', module: 'shop.views', function: 'get' },
    ],
    [
      'java',
      { module: 'shop.Cart$$EnhancerBySpringCGLIB$$ab12cd', function: 'add' },
      { module: 'shop.Cart$$EnhancerBySpringCGLIB$$99ff00', function: 'add' },
    ],
    [
      'java',
      { module: 'shop.Cart$$Lambda$14/0x000000080011', function: 'run' },
      { module: 'shop.Cart$$Lambda$99/0x0000000800ff', function: 'run' },
    ],
    [
      'ruby',
      { filename: 'app/cart.rb', function: 'block (2 levels) in add' },
      { filename: 'app/cart.rb', function: 'add' },
    ],
    [
      'ruby',
      { filename: 'app/x.erb', function: '_app_views_x_erb__123_456' },
      { filename: 'app/x.erb', function: '_app_views_x_erb__99_88' },
    ],
    [
      'php',
      { filename: '/a/Cart.php', function: 'class@anonymous\0/a/Cart.php:3$0::run' },
      { filename: '/b/Cart.php', function: 'class@anonymous\0/b/Cart.php:9$1::run' },
    ],
    [
      'native',
      { function: 'shop::add(int)', package: '/app/shop' },
      { function: 'shop::add(long)', package: '/opt/shop' },
    ],
    [
      'go',
      { module: 'shop/cart', function: 'Add', filename: '/a/cart.go' },
      { module: 'shop/cart', function: 'Add', filename: '/b/cart.go' },
    ],
    ['csharp', { module: 'Shop.Cart', function: 'Add>b__0_1' }, { module: 'Shop.Cart', function: 'Add>b__4_2' }],
  ] satisfies [string, Frame, Frame][])('%s: same issue %#', (platform, a, b) => {
    const of = (one: Frame): NormalisedEvent => thrown([exception([{ ...one, in_app: true }])], { platform })
    expect(hashes(of(a))).toEqual(hashes(of(b)))
  })

  it.each([
    [
      'javascript',
      { filename: 'https://x.example/user-settings.js', function: 'run' },
      { filename: 'https://x.example/user-profile.js', function: 'run' },
    ],
    [
      'javascript',
      { filename: 'https://x.example/UserSettings.js', function: 'run' },
      { filename: 'https://x.example/UserProfile.js', function: 'run' },
    ],
    ['native', { function: 'ns::operator<' }, { function: 'ns::operator()' }],
    [
      'rust',
      { function: '<shop::Cart as core::fmt::Debug>::fmt' },
      { function: '<shop::User as core::fmt::Debug>::fmt' },
    ],
    ['python', { module: 'shop.views', function: 'get' }, { module: 'shop.views', function: 'post' }],
  ] satisfies [string, Frame, Frame][])('%s: two issues %#', (platform, a, b) => {
    const of = (one: Frame): NormalisedEvent => thrown([exception([{ ...one, in_app: true }])], { platform })
    expect(hashes(of(a))).not.toEqual(hashes(of(b)))
  })

  it('writes in_app onto the frames and keeps what the SDK said', () => {
    const input = thrown([
      exception([frame(), frame({ filename: '/a/node_modules/x.js' }), { filename: 'https://x.example/b.js' }]),
    ])
    const frames = group(input, settings()).event.exception?.values[0]?.stacktrace?.frames
    expect(frames?.map((one) => one.in_app)).toEqual([true, false, false])
    expect(frames?.[1]?.data).toEqual({ client_in_app: true })
    expect(input.exception?.values[0]?.stacktrace?.frames[1]?.in_app).toBe(true)
  })

  it('includes the message when the project says so', () => {
    const of = (value: string): NormalisedEvent => thrown([exception([frame()], { value })])
    expect(hashes(of('no such user 1'))).toEqual(hashes(of('no such cart 1')))
    expect(hashes(of('no such user 1'), { includeMessage: true })).not.toEqual(
      hashes(of('no such cart 1'), { includeMessage: true }),
    )
    expect(hashes(of('no such user 1'), { includeMessage: true })).toEqual(
      hashes(of('no such user 2'), { includeMessage: true }),
    )
  })
})

describe('chains, groups and threads', () => {
  it('version 1 hashes the whole chain', () => {
    const outer = exception([frame()])
    const a = thrown([exception([frame({ function: 'causeA' })]), outer])
    const b = thrown([exception([frame({ function: 'causeB' })]), outer])
    expect(hashesBefore(a)).not.toEqual(hashesBefore(b))
  })

  it('looks through an exception group whose members are alike', () => {
    const member = (id: number): Exception =>
      exception([frame({ function: 'member' })], {
        type: 'ValueError',
        mechanism: { type: 'chained', exception_id: id, parent_id: 0 },
      })
    const root = exception([frame({ function: 'root' })], {
      type: 'ExceptionGroup',
      mechanism: { type: 'generic', exception_id: 0, is_exception_group: true },
    })
    const two = group(thrown([member(2), member(1), root]), settings())
    const three = group(thrown([member(3), member(2), member(1), root]), settings())
    expect(two.grouping.hashes).toEqual(three.grouping.hashes)
    expect(two.title.title).toBe('ValueError: x is undefined')
    const other = exception([frame({ function: 'other' })], {
      mechanism: { type: 'chained', exception_id: 3, parent_id: 0 },
    })
    const mixed = group(thrown([other, member(1), root]), settings())
    expect(mixed.grouping.hashes).not.toEqual(two.grouping.hashes)
    expect(mixed.title.title).toBe('ExceptionGroup: x is undefined')
  })

  it('survives cyclic groups', () => {
    const cyclic = (id: number, parent: number): Exception =>
      exception([frame()], { mechanism: { type: 'x', exception_id: id, parent_id: parent, is_exception_group: true } })
    expect(hashes(thrown([cyclic(1, 2), cyclic(2, 1)]))).toHaveLength(1)
    const root = exception([frame()], { mechanism: { type: 'x', exception_id: 0, is_exception_group: true } })
    expect(hashes(thrown([cyclic(1, 1), cyclic(2, 0), root]))).toHaveLength(1)
  })

  it('takes the only crashed thread', () => {
    const threads = (name: string): NormalisedEvent =>
      event({
        threads: {
          values: [
            { id: '1', crashed: true, stacktrace: { frames: [frame({ function: name })] } },
            { id: '2', current: true, stacktrace: { frames: [frame({ function: 'idle' })] } },
          ],
        },
      })
    expect(hashes(threads('a'))).not.toEqual(hashes(threads('b')))
  })
})

describe('messages and reports', () => {
  it('groups by template, else by parameterised text', () => {
    const log = (formatted: string, message?: string): NormalisedEvent =>
      event({ logentry: message === undefined ? { formatted } : { formatted, message } })
    expect(hashes(log('User 123 not found'))).toEqual(hashes(log('User 456 not found')))
    expect(hashes(log('Hello Ann', 'Hello %s'))).toEqual(hashes(log('Hello Bob', 'Hello %s')))
    expect(hashes(log('Hello Ann'))).not.toEqual(hashes(log('Hello Bob')))
    expect(hashes(log("Cannot read properties of undefined (reading 'x')"))).not.toEqual(
      hashes(log("Cannot read properties of undefined (reading 'y')")),
    )
  })

  it('check 87: a missing blocked URI is the page itself; inline groups by directive', () => {
    const csp = (fields: Record<string, string>): NormalisedEvent =>
      event({
        type: 'csp',
        csp: { document_uri: 'https://www.shop.example/a', effective_directive: 'script-src', ...fields },
      })
    expect(hashes(csp({}))).toEqual(hashes(csp({ blocked_uri: 'https://shop.example/x.js' })))
    expect(hashes(csp({ blocked_uri: 'inline' }))).toEqual(
      hashes(csp({ blocked_uri: "'inline'", document_uri: 'https://x.example' })),
    )
    expect(hashes(csp({ blocked_uri: 'inline' }))).not.toEqual(
      hashes(csp({ blocked_uri: 'inline', effective_directive: 'style-src' })),
    )
    expect(hashes(csp({ blocked_uri: 'https://evil.example:8443/a' }))).toEqual(
      hashes(csp({ blocked_uri: 'http://www.evil.example/b?c' })),
    )
  })
})

describe('fingerprints', () => {
  const one = thrown([exception([frame()])])
  const two = thrown([exception([frame({ function: 'removeFromCart' })])])

  it('check 94: `{{ default }}` plus a value is not the default; a value alone groups unrelated errors', () => {
    const salted = hashes({ ...one, fingerprint: ['{{ default }}', 'x'] })
    expect(salted).not.toEqual(hashes(one))
    expect(salted).toEqual(hashes({ ...one, fingerprint: ['{{default}}', 'x'] }))
    expect(salted).not.toEqual(hashes({ ...two, fingerprint: ['{{ default }}', 'x'] }))
    expect(hashes({ ...one, fingerprint: ['x'] })).toEqual(hashes({ ...two, fingerprint: ['x'] }))
    expect(hashes({ ...one, fingerprint: ['{{ default }}'] })).toEqual(hashes(one))
    expect(hashes({ ...one, fingerprint: [] })).toEqual(hashes(one))
  })

  it('fills in variables', () => {
    const by = (region: string): NormalisedEvent => ({
      ...one,
      fingerprint: ['{{ tags.region }}'],
      tags: [['region', region]],
    })
    expect(hashes(by('eu'))).toEqual(hashes({ ...two, fingerprint: ['eu'] }))
    expect(hashes({ ...one, fingerprint: ['{{ transaction }}'] })).toEqual(
      hashes({ ...two, fingerprint: ['<no-transaction>'] }),
    )
    expect(hashes({ ...one, fingerprint: ['{{ what }}'] })).toEqual(
      hashes({ ...two, fingerprint: ['<unrecognized-variable-what>'] }),
    )
    expect(hashes({ ...one, fingerprint: ['{{ stack.function }}'] })).toEqual(
      hashes({ ...two, fingerprint: ['addToCart'] }),
    )
  })

  it('applies the first of the project rules, with its title', () => {
    const fingerprintRules = [
      '# a comment',
      'error.type:TypeError !stack.function:remove* -> add-{{ error.type }} title="Cart is broken in {{ transaction }}"',
      'error.type:* -> everything',
    ].join('\n')
    const first = group({ ...one, transaction: '/cart', fingerprint: ['mine'] }, settings({ fingerprintRules }))
    expect(first.title.title).toBe('Cart is broken in /cart')
    expect(first.grouping.hashes).toEqual(hashes({ ...two, fingerprint: ['add-TypeError'] }))
    expect(hashes(two, { fingerprintRules })).toEqual(hashes({ ...one, fingerprint: ['everything'] }))
  })

  it('puts chunk load errors into one issue, hydration errors into one per transaction', () => {
    const fails = (value: string, transaction = '/'): NormalisedEvent =>
      thrown([exception([frame()], { type: 'Error', value })], { transaction })
    expect(hashes(fails('Loading chunk 12 failed.\n(error: https://x/12.js)'))).toEqual(
      hashes({ ...fails('Failed to fetch dynamically imported module: https://x/a-1234.js', '/b'), platform: 'node' }),
    )
    expect(hashes(fails('Hydration failed because x', '/a'))).toEqual(
      hashes(fails('Minified React error #418; visit', '/a')),
    )
    expect(hashes(fails('Hydration failed because x', '/a'))).not.toEqual(
      hashes(fails('Hydration failed because x', '/b')),
    )
  })

  it('takes a checksum as it is, or hashes it', () => {
    expect(hashes({ ...one, checksum: 'D41D8CD98F00B204E9800998ECF8427E' })).toEqual([
      'd41d8cd98f00b204e9800998ecf8427e',
    ])
    expect(hashes({ ...one, checksum: 'short' })[0]).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('stack trace rules', () => {
  it('change what is in-app and what counts', () => {
    const legacy = frame({ filename: 'https://x.example/legacy/a.js', function: 'legacy' })
    const both = thrown([exception([legacy, frame()])])
    const own = thrown([exception([frame()])])
    expect(hashes(both)).not.toEqual(hashes(own))
    expect(hashes(both, { stackTraceRules: 'stack.abs_path:**/legacy/** -app' })).toEqual(hashes(own))
    expect(hashes(both, { stackTraceRules: 'function:addToCart v-group' })).toEqual(hashes(own))
    expect(hashes(both, { stackTraceRules: 'family:javascript max-frames=1' })).toEqual(hashes(own))
    expect(hashes(both, { stackTraceRules: 'error.type:RangeError function:legacy -app' })).toEqual(hashes(both))
  })
})

describe('explain', () => {
  it('names the hash that group computes, and says why parts do not count', () => {
    const input = thrown([exception([frame(), frame({ filename: '/x/node_modules/y.js' })])])
    const variants = explain(input, settings())
    expect(variants.filter((variant) => variant.hash !== null).map((variant) => variant.hash)).toEqual(hashes(input))
    expect(JSON.stringify(variants)).toContain('not in-app: library code')
  })

  it('is known by its version', () => {
    expect(findGroupingVersion(group(event(), settings()).grouping.version)).toBeDefined()
    expect(findGroupingVersion('newstyle:2023-01-11')).toBeUndefined()
  })
})

describe('what is kept with an event', () => {
  const storedOf = (input: NormalisedEvent, rules: Partial<ProjectSettings['grouping']> = {}) => {
    const { event: stored, grouping, decision } = group(input, settings(rules))
    return { stored, grouping: { ...decision, ...grouping } }
  }
  const rule = (name: string): Partial<ProjectSettings['grouping']> => ({
    fingerprintRules: `error.type:RangeError -> never\nerror.type:TypeError -> {{ default }}, ${name}`,
  })

  it('names the variant that decides, as explain does, and the rule that matched', () => {
    for (const [input, rules] of [
      [thrown([exception([frame()])]), {}],
      [thrown([exception([frame()])]), rule('a')],
      [thrown([exception([frame({ in_app: false, filename: '/x/node_modules/y.js' })])]), {}],
      [event({ fingerprint: ['own'] }), {}],
      [event({ checksum: 'abc' }), {}],
      [event({ logentry: { formatted: 'said' } }), {}],
      [event(), {}],
    ] as const) {
      const { grouping } = storedOf(input, rules)
      const decisive = explain(input, settings(rules)).filter((variant) => variant.hash !== null)
      expect(decisive.map(({ key, hash, description }) => [key, hash, description])).toEqual([
        [grouping.variant, grouping.hashes[0], grouping.description],
      ])
    }
    expect(storedOf(thrown([exception([frame()])]), rule('a')).grouping).toMatchObject({
      rule: 'error.type:TypeError -> {{ default }}, a',
      description: expect.stringContaining('error.type:TypeError -> {{ default }}, a'),
    })
    expect(storedOf(thrown([exception([frame()])])).grouping).not.toHaveProperty('rule')
  })

  it('is explained with all its parts after the rules have changed, and never by the rules of today', () => {
    const input = thrown([exception([frame()])])
    const { stored, grouping } = storedOf(input, rule('a'))
    expect(explainStored(stored, grouping, settings(rule('b')))).toEqual(explain(stored, settings(rule('a'))))
    expect(explainStored(stored, grouping, settings({ stackTraceRules: 'function:addToCart -group' }))).toEqual([
      { key: 'app', hash: grouping.hashes[0], description: grouping.description, component: null },
    ])
    expect(explainStored(stored, { ...grouping, version: 'gone' }, settings(rule('a')))).toEqual([
      { key: 'app', hash: grouping.hashes[0], description: grouping.description, component: null },
    ])
  })
})

describe('the step to a next version', () => {
  const v1 = findGroupingVersion('firsthand:2026-11-20')
  if (v1 === undefined) throw new Error('version 1 is gone')
  const v2: GroupingVersion = {
    version: 'v2',
    group: (input, rules, work) => ({
      ...v1.group(input, rules, work),
      grouping: { version: 'v2', hashes: [`v2 ${input.logger}`] },
    }),
    hashes: (input) => [`v2 ${input.logger}`],
    explain: v1.explain,
  }

  it('gives the hashes of both, the new ones as its own', () => {
    const input = thrown([exception([frame()])], { logger: 'shop' })
    const grouping = createGrouping(v2, v1)
    expect(grouping.version).toBe('v2')
    expect(grouping.group(input, settings()).grouping).toEqual({
      version: 'v2',
      hashes: ['v2 shop'],
      previous: { version: v1.version, hashes: hashesBefore(input) },
    })
    expect(createGrouping(v2).group(input, settings()).grouping).toEqual({ version: 'v2', hashes: ['v2 shop'] })
  })

  it('leaves the old version as much work as it had alone, and says so when the new one takes too much', () => {
    const greedy: GroupingVersion = {
      ...v2,
      group: (input, rules, work) => {
        work.spend(work.left + 1)
        return v2.group(input, rules, work)
      },
    }
    const rules = { fingerprintRules: 'error.type:TypeError -> of-the-rule' }
    const input = thrown([exception([frame()])])
    const grouped = createGrouping(greedy, v1).group(input, settings(rules))
    expect(grouped.grouping.previous?.hashes).toEqual(hashes(input, rules))
    expect(grouped.event.errors).toMatchObject([{ type: 'rules_skipped' }])
  })
})

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom('?', '<anonymous>', 'https://x.example/a.js', '__proto__', 'a::b<c>(d)'),
)
const optional = <Value>(of: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(of, { nil: undefined })
const anyFrame = fc.record(
  {
    filename: text,
    abs_path: text,
    function: text,
    module: text,
    package: text,
    context_line: text,
    in_app: fc.boolean(),
    lineno: fc.nat(),
  },
  { requiredKeys: [] },
)
const anyException = fc.record(
  {
    type: text,
    value: text,
    stacktrace: fc.record({ frames: fc.array(anyFrame, { maxLength: 5 }) }),
    mechanism: fc.record(
      {
        type: text,
        synthetic: fc.boolean(),
        exception_id: fc.nat(3),
        parent_id: fc.nat(3),
        is_exception_group: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
  },
  { requiredKeys: [] },
)
const anyEvent = fc
  .record({
    platform: fc.constantFrom(
      'javascript',
      'node',
      'python',
      'java',
      'ruby',
      'php',
      'native',
      'cocoa',
      'go',
      'csharp',
      'other',
    ),
    exceptions: fc.array(anyException, { maxLength: 4 }),
    message: optional(text),
    tags: fc.uniqueArray(fc.tuple(text, text), { maxLength: 5, selector: ([key]) => key }),
    fingerprint: optional(
      fc.array(fc.oneof(text, fc.constantFrom('{{ default }}', '{{ tags.a }}', '{{x}}')), { maxLength: 3 }),
    ),
  })
  .map(({ platform, exceptions, message, tags, fingerprint }) => ({
    ...event({ platform, tags, exception: { values: exceptions } }),
    ...(message === undefined ? {} : { logentry: { formatted: message } }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  }))

describe('for any event', () => {
  it('gives hashes of 32 hex characters, the same every time, whatever the order of the tags', () => {
    fc.assert(
      fc.property(anyEvent, (input) => {
        const first = group(input, settings())
        expect(first.grouping.hashes.length).toBeGreaterThan(0)
        for (const one of first.grouping.hashes) expect(one).toMatch(/^[0-9a-f]{32}$/)
        expect(first.title.title.length).toBeLessThanOrEqual(256)
        expect(hashes({ ...input, tags: [...input.tags].reverse() })).toEqual(first.grouping.hashes)
        // A stored event explains itself as it was grouped.
        expect(group(first.event, settings()).grouping.hashes).toEqual(first.grouping.hashes)
        expect(explain(first.event, settings()).flatMap((variant) => variant.hash ?? [])).toEqual(first.grouping.hashes)
      }),
      { numRuns: 300 },
    )
  })

  it('version 1 stays as it was shipped', () => {
    const golden = JSON.parse(readFileSync(new URL('./v1/golden.json', import.meta.url), 'utf8')) as Record<
      string,
      string
    >
    const cases: Record<string, NormalisedEvent> = {
      exception: thrown([exception([frame(), frame({ filename: '/x/node_modules/y.js', function: 'z' })])]),
      chain: thrown([exception([frame()], { type: 'Cause' }), exception([frame({ function: 'b' })])]),
      message: event({ logentry: { formatted: 'User 123 not found' } }),
      python: thrown(
        [exception([{ module: 'shop.views', function: 'get', context_line: 'return x[1]', in_app: true }])],
        { platform: 'python' },
      ),
      csp: event({ type: 'csp', csp: { effective_directive: 'img-src', blocked_uri: 'data' } }),
      fallback: event(),
    }
    expect(Object.fromEntries(Object.entries(cases).map(([name, input]) => [name, hashesBefore(input)[0]]))).toEqual(
      golden,
    )
  })
})
