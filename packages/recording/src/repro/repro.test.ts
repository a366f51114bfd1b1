import fc from 'fast-check'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { EventType, Interaction, Source, type RecordedEvent } from '../events.ts'
import { change, element, meta, mutation, NOW, snapshot, text } from '../page.fixture.ts'
import { StepReader, writeTest, type ReplayFacts, type ReplayTest, type Scrubbing } from './index.ts'

type Node = Record<string, unknown>

const FACTS: ReplayFacts = {
  replayId: 'd3cb139afef148c784d56d5ce20952f4',
  startedAt: NOW,
  browser: 'Chrome 141 on Windows 11',
  error: { title: 'TypeError: reading price', at: NOW + 9000 },
  notes: [],
}
const ALL: Scrubbing = { url: (url) => url, text: (value) => value }

const testOf = (events: readonly RecordedEvent[], facts: Partial<ReplayFacts> = {}, scrubbing = ALL): ReplayTest => {
  const reader = new StepReader(facts.error?.at ?? NOW + 9000)
  for (const event of events) reader.add(event, 0)
  const test = writeTest({ ...FACTS, ...facts }, reader, scrubbing)
  if (test === null) throw new Error('no test')
  const lines = test.source.split('\n')
  for (const { code, line } of test.steps) expect(lines[line - 1]?.startsWith(`${code} // `)).toBe(true)
  return test
}

const made = (...args: Parameters<typeof testOf>): string => testOf(...args).source

/** What the test does, line by line, without remarks. */
const steps = (source: string): string[] =>
  source
    .slice(source.indexOf('page.clock'), source.indexOf('\n  await test.step'))
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/ \/\/ \d+:\d\d.*$/, '').trim())

const click = (at: number, id: number, more: Node = {}): RecordedEvent =>
  change(at, Source.MouseInteraction, { type: Interaction.Click, id, x: 10, y: 20, ...more })
const focus = (at: number, id: number): RecordedEvent =>
  change(at, Source.MouseInteraction, { type: Interaction.Focus, id })
const input = (at: number, id: number, value: string, more: Node = {}): RecordedEvent =>
  change(at, Source.Input, { id, text: value, isChecked: false, ...more })
const note = (at: number, tag: string, payload: Node): RecordedEvent => ({
  type: EventType.Custom,
  timestamp: at,
  data: { tag, payload },
})
const request = (at: number, url: string, more: Node = {}, method = 'GET'): RecordedEvent =>
  note(at, 'performanceSpan', {
    op: 'resource.fetch',
    description: url,
    startTimestamp: at / 1000,
    endTimestamp: (at + 50) / 1000,
    data: { method, statusCode: 200, ...more },
  })

/** How the element with id 50 is found on a page. */
const foundBy = (...body: Node[]): string => {
  const [, line = ''] = steps(made([meta(NOW), snapshot(NOW, ...body), click(NOW + 1000, 50)]))
  return line.replace(/^await page\./, '').replace(/\.click\(\)$/, '')
}

describe('R108 an element is found', () => {
  const button = (id: number, words: string, attributes: Node = {}): Node =>
    element(id, 'button', attributes, text(id + 100, words))

  it.each<[string, string, Node[]]>([
    ['by its test id', "getByTestId('pay')", [button(50, 'Pay', { 'data-testid': 'pay' }), button(4, 'Pay')]],
    ['by role and name', "getByRole('button', { name: 'Pay' })", [button(50, 'Pay'), button(4, 'Back')]],
    [
      'by the exact name where another holds it',
      "getByRole('button', { name: 'Pay', exact: true })",
      [button(50, 'Pay'), button(4, 'Pay later')],
    ],
    [
      'by a name in parts',
      "getByRole('button', { name: new RegExp('One\\\\s*more\\\\?') })",
      [element(50, 'button', {}, element(5, 'b', {}, text(6, 'One')), element(7, 'i', {}, text(8, 'more?')))],
    ],
    [
      'by what names it',
      "getByRole('button', { name: 'Close' })",
      [
        element(50, 'button', { 'aria-labelledby': 'word' }, text(5, 'x')),
        element(6, 'span', { id: 'word' }, text(7, 'Close')),
      ],
    ],
    [
      'by the label of a field',
      "getByRole('textbox', { name: 'Voucher' })",
      [
        element(4, 'label', { for: 'v1' }, text(5, 'Voucher')),
        element(50, 'input', { id: 'v1', type: 'text' }),
        element(6, 'input', {}),
      ],
    ],
    [
      'by the label around a field',
      "getByRole('checkbox', { name: 'I agree' })",
      [element(4, 'label', {}, element(50, 'input', { type: 'checkbox' }), text(5, ' I agree'))],
    ],
    [
      'by its placeholder',
      "getByRole('textbox', { name: 'Search here' })",
      [element(50, 'input', { placeholder: 'Search here' })],
    ],
    [
      'by its text',
      "getByText('Kiln', { exact: true })",
      [element(50, 'div', {}, text(5, ' Kiln ')), element(6, 'div', {}, text(7, 'Kiln and more'))],
    ],
    ['by its id', "locator('#pay')", [button(50, '***', { id: 'pay' }), button(4, '****')]],
    ['by its role alone', "getByRole('button')", [button(50, '***', { id: 'r1f' })]],
    [
      'by its place in the nearest ancestor that is known',
      "getByTestId('line').locator('button').nth(1)",
      [element(4, 'div', { 'data-testid': 'line' }, button(5, '+'), button(50, '+')), button(7, '+')],
    ],
    [
      'by its path where nothing else tells it',
      "locator('html > div > button:nth-of-type(2)')",
      [element(4, 'div', {}, button(5, '**', { id: ':r1:' }), button(50, '**', { id: ':r2:' }))],
    ],
    [
      'not as a link where only an SVG of old calls it one',
      "getByText('Cart', { exact: true })",
      [element(50, 'a', { 'xlink:href': '/cart' }, text(5, 'Cart'))],
    ],
    [
      'not by one that is hidden',
      "getByRole('button', { name: 'Pay' })",
      [element(4, 'div', { 'aria-hidden': 'true' }, button(5, 'Pay')), button(50, 'Pay')],
    ],
  ])('%s', (_, expected, body) => {
    expect(foundBy(...body)).toBe(expected)
  })

  it('by the control that the click was in, also through a shadow root', () => {
    const inner = { ...button(50, 'Buy'), isShadow: true }
    expect(foundBy(element(4, 'shop-card', {}, inner))).toBe("getByRole('button', { name: 'Buy' })")
    const events = [
      meta(NOW),
      snapshot(NOW, element(4, 'a', { href: '/cart' }, element(5, 'svg', {}), text(6, 'Cart'))),
      click(NOW + 10, 5),
    ]
    expect(steps(made(events))[1]).toBe("await page.getByRole('link', { name: 'Cart' }).click()")
  })

  it('in a frame', () => {
    const inner = { type: 0, id: 6, childNodes: [element(7, 'html', {}, button(50, 'Pay'))] }
    const events = [
      meta(NOW),
      snapshot(NOW, element(4, 'iframe', { id: 'bank' }), button(8, 'Pay')),
      mutation(NOW + 1, { adds: [{ parentId: 4, nextId: null, node: inner }], isAttachIframe: true }),
      click(NOW + 10, 50),
    ]
    expect(steps(made(events))[1]).toBe(
      "await page.locator('#bank').contentFrame().getByRole('button', { name: 'Pay' }).click()",
    )
  })

  it('on the page as it was just before', () => {
    const events = [
      meta(NOW),
      snapshot(NOW, button(50, 'Pay')),
      click(NOW + 10, 50),
      mutation(NOW + 20, { texts: [{ id: 150, value: 'Paid' }] }),
      click(NOW + 3000, 50),
    ]
    expect(steps(made(events)).slice(1)).toEqual([
      "await page.getByRole('button', { name: 'Pay' }).click()",
      "await page.getByRole('button', { name: 'Paid' }).click()",
    ])
  })
})

describe('what was done', () => {
  const FORM = [
    element(4, 'label', { for: 'name' }, text(5, 'Name')),
    element(6, 'input', { id: 'name', type: 'text' }),
    element(7, 'input', { type: 'email', placeholder: 'E-mail', maxlength: '30' }),
    element(8, 'label', {}, element(9, 'input', { type: 'checkbox' }), text(10, 'News')),
    element(11, 'select', { 'aria-label': 'Size' }, element(12, 'option', { value: 's' }, text(13, 'Small'))),
    element(14, 'button', {}, text(15, 'Send')),
  ]
  const done = (...events: RecordedEvent[]): string[] => steps(made([meta(NOW), snapshot(NOW, ...FORM), ...events]))

  it('is typed once, chosen and checked, and what scripts set is not', () => {
    expect(
      done(
        focus(NOW + 1, 6),
        click(NOW + 2, 6),
        input(NOW + 3, 6, 'A'),
        input(NOW + 4, 6, 'Ada'),
        input(NOW + 5, 7, 'set by a script'),
        focus(NOW + 6, 9),
        click(NOW + 7, 8),
        click(NOW + 8, 9),
        input(NOW + 9, 9, 'on', { isChecked: true }),
        focus(NOW + 10, 11),
        input(NOW + 11, 11, 's'),
        click(NOW + 12, 14),
      ),
    ).toEqual([
      "await page.goto('/')",
      "await page.getByRole('textbox', { name: 'Name' }).fill('Ada')",
      "await page.getByRole('checkbox', { name: 'News' }).check()",
      "await page.getByRole('combobox', { name: 'Size' }).selectOption('s')",
      "await page.getByRole('button', { name: 'Send' }).click()",
    ])
  })

  it('is a key rather than the click that browsers make of it', () => {
    const enter = { category: 'ui.keyDown', data: { nodeId: 6, key: 'Enter' } }
    expect(done(input(NOW + 1, 6, 'Ada'), note(NOW + 500, 'breadcrumb', enter), click(NOW + 503, 14)).slice(1)).toEqual(
      [
        "await page.getByRole('textbox', { name: 'Name' }).fill('Ada')",
        "await page.getByRole('textbox', { name: 'Name' }).press('Enter')",
      ],
    )
  })

  it('is one double click', () => {
    const twice = change(NOW + 300, Source.MouseInteraction, { type: Interaction.DoubleClick, id: 14 })
    expect(done(click(NOW + 100, 14), click(NOW + 280, 14), twice).slice(1)).toEqual([
      "await page.getByRole('button', { name: 'Send' }).dblclick()",
    ])
  })

  it('leads to other pages: by a click, by an address, by reloading; snapshots on the way are none', () => {
    const load = (at: number, href: string): RecordedEvent[] => [meta(at, href), snapshot(at, ...FORM)]
    const push = note(NOW + 200, 'breadcrumb', { category: 'navigation', data: { from: '/', to: '/cart?x=1' } })
    const checkout = snapshot(NOW + 30_000, ...FORM) as { data: { node: { id: number } } } & RecordedEvent
    checkout.data.node.id = 400
    const events = [
      ...load(NOW, 'https://shop.example/'),
      click(NOW + 100, 14),
      push,
      click(NOW + 1000, 14),
      ...load(NOW + 2000, 'https://shop.example/pay'),
      ...load(NOW + 20_000, 'https://shop.example/pay'),
      meta(NOW + 30_000, 'https://shop.example/pay'),
      checkout,
    ]
    expect(steps(made(events, { error: { title: 'E: x', at: NOW + 90_000 } }))).toEqual([
      "await page.goto('/')",
      "await page.getByRole('button', { name: 'Send' }).click()",
      "await expect(page).toHaveURL((url) => url.pathname === '/cart')",
      "await page.getByRole('button', { name: 'Send' }).click()",
      "await expect(page).toHaveURL((url) => url.pathname === '/pay')",
      'await page.reload()',
    ])
  })

  it('stays on the site where it began, whatever the recording says, and goes back to it by an address', () => {
    const load = (at: number, href: string): RecordedEvent[] => [meta(at, href), snapshot(at, ...FORM)]
    const source = made(
      [
        ...load(NOW, 'https://shop.example/'),
        ...load(NOW + 20_000, 'http://192.168.0.1/reboot?now=1'),
        click(NOW + 21_000, 14),
        ...load(NOW + 22_000, 'http://192.168.0.1/again'),
        ...load(NOW + 40_000, 'http://evil.example/exploit'),
        meta(NOW + 41_000, 'about:blank'),
        click(NOW + 42_000, 14),
        ...load(NOW + 43_000, 'https://shop.example/paid'),
        ...load(NOW + 60_000, 'https://shop.example//evil.example/x'),
        ...load(NOW + 80_000, 'https://shop.example/\\\\evil.example/y'),
      ],
      { error: { title: 'E: x', at: NOW + 90_000 } },
    )
    expect(steps(source)).toEqual([
      "await page.goto('/')",
      "await page.goto('/paid')",
      "await page.goto('/.//evil.example/x')",
      "await page.goto('/.///evil.example/y')",
    ])
    const top = source.slice(0, source.indexOf('import'))
    expect(top).toContain('- 0:20 pages of http://192.168.0.1: another site is not visited')
    expect(top).toContain('- 0:40 pages of http://evil.example: another site is not visited')
    expect(top.split('another site').length).toBe(3)
    expect(new URL('/.//evil.example/x', 'http://localhost:3000').href).toBe('http://localhost:3000//evil.example/x')
  })

  it('R109 waits for what the page asked for, and sleeps nowhere', () => {
    const source = made([
      meta(NOW),
      snapshot(NOW, ...FORM),
      request(NOW + 10, '/api/cart', { response: { body: { lines: [] }, headers: {} } }),
      click(NOW + 1000, 14),
      request(NOW + 1010, '/api/cart', { response: { body: { lines: [1] }, headers: {} } }),
      request(NOW + 1800, '/api/slow', {}),
      click(NOW + 1900, 14),
      request(NOW + 5000, '/api/late', {}),
      click(NOW + 8000, 14),
    ])
    expect(steps(source)).toEqual([
      "await page.goto('/')",
      "await replay.asked('GET /api/cart', 1)",
      "await page.getByRole('button', { name: 'Send' }).click()",
      "await replay.asked('GET /api/cart', 2)",
      "await replay.asked('GET /api/slow', 1)",
      "await page.getByRole('button', { name: 'Send' }).click()",
      "await page.getByRole('button', { name: 'Send' }).click()",
    ])
    expect(source).not.toMatch(/waitForTimeout|[^.]setTimeout|sleep/)
  })

  it('R111 tells its lines and answers as data, without its surroundings and remarks', () => {
    const said = "test('not', async ({ page }) => {"
    const { answers, lines, source } = testOf([
      meta(NOW),
      snapshot(NOW, ...FORM),
      request(NOW + 10, 'https://shop.example/api/cart'),
      request(NOW + 20, 'https://shop.example/api/cart', { response: { body: '{}' } }),
      input(NOW + 1000, 6, `${said}\n})`),
      input(NOW + 2000, 7, '******'),
    ])
    expect(answers).toEqual([{ request: 'GET /api/cart', times: 2, withoutBody: 1 }])
    const first = source.split('\n').indexOf(lines[0]?.text ?? '')
    expect(first).toBeGreaterThan(0)
    const written = source.split('\n').slice(first, first + lines.length)
    for (const [index, { text: line }] of lines.entries()) expect(written[index]?.startsWith(line)).toBe(true)
    expect(lines.at(-1)).toEqual({ text: '})', at: null, kind: 'plain' })
    const timed = lines.filter(({ at, kind }) => at !== null || kind === 'error')
    expect(timed.map(({ at, kind }) => [at === null ? null : at - NOW, kind])).toEqual([
      [0, 'plain'],
      [1000, 'plain'],
      [2000, 'masked'],
      [9000, 'error'],
      [null, 'error'],
      [null, 'error'],
    ])
  })

  it('is a flow for Chrome’s Recorder as well, in which nothing is code that was recorded', () => {
    const { flow } = testOf([
      meta(NOW, 'https://shop.example/cart?a=1'),
      snapshot(NOW, ...FORM),
      input(NOW + 1000, 6, 'Ada "A" Byron'),
      input(NOW + 2000, 7, '******'),
      click(NOW + 3000, 14),
      note(NOW + 3500, 'breadcrumb', { category: 'navigation', data: { to: "/pay/'+evil()+'" } }),
      note(NOW + 4000, 'breadcrumb', { category: 'ui.keyDown', data: { key: 'k', ctrlKey: true } }),
    ])
    expect(flow).toEqual({
      title: 'TypeError: reading price',
      timeout: 10_000,
      steps: [
        {
          type: 'setViewport',
          width: 1280,
          height: 720,
          deviceScaleFactor: 1,
          isMobile: false,
          hasTouch: false,
          isLandscape: true,
        },
        { type: 'navigate', url: 'https://shop.example/cart?a=1' },
        { type: 'change', selectors: [['aria/Name[role="textbox"]'], ['aria/Name']], value: 'Ada "A" Byron' },
        {
          type: 'change',
          selectors: [['aria/E-mail[role="textbox"]'], ['[placeholder="E-mail"]']],
          value: expect.any(String),
        },
        { type: 'click', selectors: [['aria/Send[role="button"]'], ['text/Send']], offsetX: 4, offsetY: 4 },
        { type: 'waitForExpression', expression: 'location.pathname === "/pay/\'+evil()+\'"' },
        { type: 'keyDown', key: 'Control' },
        { type: 'keyDown', key: 'k' },
        { type: 'keyUp', key: 'k' },
        { type: 'keyUp', key: 'Control' },
      ],
    })
    expect(JSON.stringify(flow)).not.toContain('****')
  })

  it('R111 says at its top what was masked, what is missing and what cannot be done again', () => {
    const source = made(
      [
        meta(NOW),
        snapshot(NOW, ...FORM),
        request(NOW + 10, 'https://shop.example/api/cart'),
        input(NOW + 2000, 7, '******'),
        change(NOW + 3000, Source.Drag, { positions: [] }),
        click(NOW + 61_000, 77),
      ],
      { error: { title: 'E: x', at: NOW + 90_000 }, notes: ['2 segments of the replay never came.'] },
    )
    const top = source.slice(0, source.indexOf('import'))
    expect(top).toContain(`from replay ${FACTS.replayId}`)
    expect(top).toContain("- 0:02 what was typed or chosen: it is masked, and 'someone@example.com' stands in\n")
    expect(top).toContain('- 0:00 GET /api/cart: what it answered was not recorded, so it is {}\n')
    expect(top).toContain('- 0:03 something was dragged\n')
    expect(top).toContain('- 1:01 a click: the recording does not say on what\n')
    expect(top).toContain('- 2 segments of the replay never came.\n')
    expect(source).toContain(".fill('someone@example.com') // 0:02, masked: put in a real value")
  })

  it('says no address, body or value that the project keeps for itself', () => {
    const scrubbing = {
      url: (url: string) => url.replace(/hush/g, '[Filtered]'),
      text: (value: string) => value.replace(/hush/g, '[Filtered]'),
    }
    const source = made(
      [
        meta(NOW, 'https://shop.example/?token=hush'),
        snapshot(NOW, ...FORM),
        request(NOW + 10, '/api/cart?token=hush', { response: { body: { token: 'hush' }, headers: {} } }),
        input(NOW + 20, 6, 'hush'),
      ],
      {},
      scrubbing,
    )
    expect(source).not.toContain('hush')
    expect(source).toContain("['GET /api/cart', [")
    expect(source).toContain(".fill('Stand-in')")
  })

  it('asks for nothing and types nothing that was taken out before it was kept', () => {
    const source = made([
      meta(NOW),
      snapshot(NOW, ...FORM, element(60, 'button', {}, text(61, 'Pay with [Filtered]'))),
      request(NOW + 10, '/api/cart?token=[Filtered]'),
      input(NOW + 20, 6, '[Filtered]'),
      click(NOW + 900, 60),
    ])
    expect(steps(source).slice(1)).toEqual([
      "await page.getByRole('textbox', { name: 'Name' }).fill('Stand-in')",
      "await replay.asked('GET /api/cart', 1)",
      "await page.locator('html > button:nth-of-type(2)').click()",
    ])
  })

  it('begins with a page of a site, or there is no test', () => {
    const reader = new StepReader(NOW + 10)
    for (const event of [meta(NOW, 'about:blank'), snapshot(NOW)]) reader.add(event, 0)
    expect(writeTest(FACTS, reader, ALL)).toBeNull()
    expect(writeTest(FACTS, new StepReader(NOW), ALL)).toBeNull()
  })

  it('keeps the page and the last steps of very many', () => {
    const clicks = Array.from({ length: 700 }, (_, index) => click(NOW + 1 + index, 14))
    const source = made([meta(NOW), snapshot(NOW, ...FORM), ...clicks])
    expect(steps(source)).toHaveLength(500)
    expect(steps(source)[0]).toBe("await page.goto('/')")
    expect(source).toContain('the first 201 steps: there are too many')
  })
})

/** Names in the code of a program, and everything it calls. */
const namesIn = (source: string): string[] => {
  const { errors, program } = parseSync('replay.spec.ts', source)
  expect(errors).toEqual([])
  const names = new Set<string>()
  const open: unknown[] = [program]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const { type, name } = value as { type?: string; name?: string }
    if (type === 'Identifier' && name !== undefined) names.add(name)
    if (type === 'TemplateElement') names.add(JSON.stringify((value as { value?: unknown }).value))
    open.push(...Object.values(value).filter((one) => typeof one === 'object' && one !== null))
  }
  return [...names].toSorted()
}

/** Names that some tests need and others do not. */
const EMITTED =
  'RegExp button check contentFrame dblclick exact fill getByLabel getByPlaceholder getByRole getByTestId getByText goto hash index keyboard locator mouse name nth pathname press reload selectOption toHaveURL uncheck url'

describe('R110 hostile text', () => {
  const SIGNS = [
    "'",
    '"',
    '`',
    '\\',
    '${evil()}',
    '\n',
    '\r',
    '\u2028',
    '\u2029',
    '*/',
    '//',
    '\0',
    '\ud800',
    '\u202e',
    '</script>',
    ']',
    ')',
    ';evil();',
  ]
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...SIGNS), fc.string({ maxLength: 4 })), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(''))

  /** A recording in which one text stands in every place that a test says. */
  const recording = (said: string): RecordedEvent[] => {
    const attributes = { id: said, placeholder: said, 'aria-label': said, href: said, name: said, title: said }
    const path = `/p?${encodeURIComponent(said.toWellFormed())}`
    return [
      meta(NOW, `https://shop.example${path}`),
      snapshot(
        NOW,
        element(4, 'a', { href: '/', 'data-testid': said }, text(5, said)),
        element(6, 'button', { 'data-cy': said }, text(7, said)),
        element(8, 'input', attributes),
        element(9, 'div', {}, text(10, said)),
        element(11, 'input', { type: 'text', value: said }),
        element(12, said, {}, text(13, said)),
        element(14, 'iframe', { id: said }),
      ),
      request(NOW + 1, said, { response: { body: said, headers: { 'content-type': said } } }),
      request(NOW + 2, `/a${said}`, { response: { body: { [said]: said } } }, said),
      ...[4, 6, 8, 9, 11, 12, 14].flatMap((id) => [click(NOW + id * 100, id), input(NOW + id * 100 + 5, id, said)]),
      note(NOW + 5000, 'breadcrumb', { category: 'navigation', data: { to: said } }),
      note(NOW + 5001, 'breadcrumb', { category: 'ui.keyDown', data: { nodeId: 8, key: said } }),
      meta(NOW + 6000, `https://shop.example/${said}`),
      snapshot(NOW + 6000),
    ]
  }

  it('stays in its string, its pattern and its remark: no name is in the code that is not in every test', () => {
    const harmless = new Set(['tame', 'Tame words', '**'].flatMap((said) => namesIn(made(recording(said)))))
    for (const more of EMITTED.split(' ')) harmless.add(more)
    fc.assert(
      fc.property(hostile, (said) => {
        const source = made(recording(said), {
          browser: said,
          error: { title: said, at: NOW + 9000 },
          notes: [said],
          replayId: said,
        })
        expect(namesIn(source).filter((name) => !harmless.has(name))).toEqual([])
        expect(source).not.toMatch(/[\u2028\u2029\u202e]/)
      }),
      { numRuns: 200 },
    )
  })
})
