import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as Firsthand from './core.ts'
import type { BrowserOptions, Envelope, Event, EventHint } from './index.ts'

const DSN = 'https://abc@firsthand.example:8443/below/42'

const sent: Envelope[] = []
let answer: { statusCode?: number; headers?: Record<string, string> } = { statusCode: 200 }

const start = (options: BrowserOptions = {}) =>
  Firsthand.init({
    dsn: DSN,
    transport: (given) =>
      Firsthand.createTransport(given, async ({ body }) => {
        const [header = '', ...rest] = new TextDecoder().decode(body).split('\n')
        const items: Envelope[1] = []
        for (let at = 0; at + 1 < rest.length; at += 2) {
          items.push([JSON.parse(rest[at] ?? '') as { type: string }, JSON.parse(rest[at + 1] ?? '') as object])
        }
        sent.push([JSON.parse(header) as Record<string, unknown>, items])
        return answer
      }),
    ...options,
  })

const items = (type: string): Record<string, unknown>[] =>
  sent.flatMap(([, all]) =>
    all.filter(([header]) => header.type === type).map(([, payload]) => payload as Record<string, unknown>),
  )
const events = (): Event[] => items('event')
const discarded = async (): Promise<unknown> => {
  await Firsthand.flush(1000)
  return items('client_report').flatMap((report) => report['discarded_events'])
}

beforeEach(() => {
  sent.length = 0
  answer = { statusCode: 200 }
})
afterEach(async () => {
  await Firsthand.close(1000)
  for (const scope of [Firsthand.getCurrentScope(), Firsthand.getIsolationScope(), Firsthand.getGlobalScope()])
    scope.clear()
  vi.useRealTimers()
})

describe('what is sent', () => {
  it('the release that the build was given, unless the page says another', async () => {
    vi.stubGlobal('SENTRY_RELEASE', { id: 'built@1' })
    start()
    Firsthand.captureException(new Error('broken'))
    start({ release: 'said@1' })
    Firsthand.captureException(new Error('broken'))
    // As of a variable of the build that is not set.
    start({ release: undefined })
    Firsthand.captureException(new Error('broken'))
    await Firsthand.flush(1000)
    vi.unstubAllGlobals()
    expect(events().map(({ release }) => release)).toEqual(['built@1', 'said@1', 'built@1'])
  })

  it('an error: header with trace, item, sdk, platform, level', async () => {
    start({ release: 'a@1', dist: '7', environment: 'test' })
    const id = Firsthand.captureException(new Error('broken'))
    await Firsthand.flush(1000)
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(Firsthand.lastEventId()).toBe(id)
    expect(sent[0]?.[0]).toMatchObject({
      event_id: id,
      sdk: { name: 'firsthand.javascript.browser' },
      trace: { public_key: 'abc', trace_id: expect.stringMatching(/^[0-9a-f]{32}$/), release: 'a@1' },
    })
    expect(sent[0]?.[0]['dsn']).toBeUndefined()
    expect(events()[0]).toMatchObject({
      event_id: id,
      platform: 'javascript',
      level: 'error',
      release: 'a@1',
      dist: '7',
      environment: 'test',
      sdk: { name: 'firsthand.javascript.browser', settings: { infer_ip: 'auto' } },
      exception: { values: [{ type: 'Error', value: 'broken', mechanism: { type: 'generic', handled: true } }] },
    })
  })

  it('a message has where it was said, without our own functions', async () => {
    start()
    function somewhere(): void {
      Firsthand.captureMessage('hello', 'warning')
    }
    somewhere()
    await Firsthand.flush(1000)
    expect(events()[0]).toMatchObject({ message: 'hello', level: 'warning' })
    const frames = events()[0]?.exception?.values?.[0]?.stacktrace?.frames
    expect(frames?.at(-1)?.function).toBe('somewhere')
  })

  it('through a tunnel the header says where to', async () => {
    let url = ''
    start({
      tunnel: '/t',
      transport: (given) => {
        url = given.url
        return Firsthand.createTransport(given, async ({ body }) => {
          sent.push([JSON.parse(new TextDecoder().decode(body).split('\n')[0] ?? '') as Record<string, unknown>, []])
          return {}
        })
      },
    })
    Firsthand.captureMessage('x')
    await Firsthand.flush(1000)
    expect(url).toBe('/t')
    expect(sent[0]?.[0]['dsn']).toBe(DSN)
  })

  it('scopes: what is particular stands above what is general; what is set inside stays inside', async () => {
    start({ initialScope: { tags: { from: 'start' } } })
    Firsthand.setUser({ id: 1 })
    Firsthand.setTags({ a: 'isolation', b: 'isolation' })
    Firsthand.addBreadcrumb({ message: 'step' })
    Firsthand.withScope((scope) => {
      scope.setTag('b', 'current').setLevel('fatal').setFingerprint(['one'])
      Firsthand.captureException(new Error('inside'), {
        tags: { c: 'hint' },
        contexts: { react: { componentStack: 'App' } },
      })
    })
    Firsthand.captureException(new Error('outside'))
    await Firsthand.flush(1000)
    const [inside, outside] = events()
    expect(inside).toMatchObject({
      level: 'fatal',
      fingerprint: ['one'],
      user: { id: 1 },
      tags: { from: 'start', a: 'isolation', b: 'current', c: 'hint' },
      contexts: { react: { componentStack: 'App' } },
      breadcrumbs: [{ message: 'step' }],
    })
    expect(outside?.tags).toEqual({ from: 'start', a: 'isolation', b: 'isolation' })
    expect(outside?.level).toBe('error')
  })

  it('withScope gives back what the function gives back, and passes on what it throws', async () => {
    start()
    expect(Firsthand.withScope(() => 5)).toBe(5)
    const before = Firsthand.getCurrentScope()
    expect(() =>
      Firsthand.withScope(() => {
        throw new Error('theirs')
      }),
    ).toThrow('theirs')
    await Firsthand.withScope(() => Promise.resolve())
    expect(Firsthand.getCurrentScope()).toBe(before)
  })

  it('integrations, processors, beforeSend may change it; a processor that fails costs nothing', async () => {
    start({
      integrations: [
        { name: 'Mine', processEvent: (event) => ({ ...event, tags: { ...event.tags, mine: 1 } }) },
        {
          name: 'Bad',
          processEvent: () => {
            throw new Error('bad')
          },
        },
      ],
      beforeSend: async (event: Event, hint: EventHint) => ({
        ...event,
        extra: { was: hint.originalException instanceof Error },
      }),
    })
    Firsthand.captureException(new Error('x'))
    await Firsthand.flush(1000)
    expect(events()[0]).toMatchObject({ tags: { mine: 1 }, extra: { was: true } })
  })

  it('an event that is too large loses what explains it, not itself', async () => {
    start()
    Firsthand.setContext('large', Object.fromEntries(Array.from({ length: 40 }, (_, at) => [at, 'x'.repeat(60_000)])))
    Firsthand.captureException(new Error('large'))
    await Firsthand.flush(1000)
    expect(events()[0]?.exception?.values?.[0]?.value).toBe('large')
    expect(JSON.stringify(events()[0]).length).toBeLessThan(1_000_000)
  })
})

describe('what is not sent, and counted', () => {
  it.each<[string, BrowserOptions, unknown, string | null]>([
    ['the browser’s noise', {}, new Error('ResizeObserver loop limit exceeded'), 'event_processor'],
    ['scripts of other origins', {}, 'Script error.', 'event_processor'],
    ['ignoreErrors, part', { ignoreErrors: ['not this'] }, new Error('no, not this one'), 'event_processor'],
    [
      'ignoreErrors, pattern with a memory',
      { ignoreErrors: [/^TypeError: x/g] },
      new TypeError('x'),
      'event_processor',
    ],
    ['allowUrls', { allowUrls: ['https://mine.example'] }, new Error('elsewhere'), 'event_processor'],
    ['denyUrls', { denyUrls: [/client\.test/] }, new Error('here'), 'event_processor'],
    ['sampleRate 0', { sampleRate: 0 }, new Error('unlucky'), 'sample_rate'],
    ['beforeSend null', { beforeSend: () => null }, new Error('dropped'), 'before_send'],
    [
      'beforeSend that fails',
      {
        beforeSend: () => {
          throw new Error('bad')
        },
      },
      new Error('private'),
      'before_send',
    ],
    ['disabled', { enabled: false }, new Error('off'), null],
    ['no DSN', { dsn: '' }, new Error('nowhere'), null],
    ['a bad DSN', { dsn: 'https://example.com/x' }, new Error('nowhere'), null],
  ])('%s', async (_, options, thrown, reason) => {
    start(options)
    Firsthand.captureException(thrown)
    const counted = await discarded()
    expect(events()).toEqual([])
    expect(counted).toEqual(reason === null ? [] : [{ reason, category: 'error', quantity: 1 }])
  })

  it.each([true, false])('what beforeSend reports itself, each time something else (async: %s)', async (isAsync) => {
    let asked = 0
    start({
      beforeSend: (event: Event) => {
        asked += 1
        Firsthand.captureException(new Error(`in the judge ${asked}`))
        return isAsync ? Promise.resolve(event) : event
      },
    })
    Firsthand.captureException(new Error('outside'))
    Firsthand.captureException(new Error('another'))
    expect(await discarded()).toEqual([{ reason: 'before_send', category: 'error', quantity: 2 }])
    expect(events().map((event) => event.exception?.values?.[0]?.value)).toEqual(['outside', 'another'])
    expect(asked).toBe(2)
  })

  it('client reports can be turned off', async () => {
    start({ sampleRate: 0, sendClientReports: false })
    Firsthand.captureException(new Error('x'))
    expect(await discarded()).toEqual([])
  })

  it('the same error object is sent once; the same error again within seconds is a loop', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    start()
    const error = new Error('same')
    Firsthand.captureException(error)
    Firsthand.captureException(error)
    await Firsthand.flush(1000)
    expect(events()).toHaveLength(1)
    const make = (): Error =>
      Object.assign(new Error('loop'), { stack: 'Error: loop\n    at f (https://a.example/a.js:1:1)' })
    for (let time = 0; time < 2; time += 1) Firsthand.captureException(make())
    expect(await discarded()).toEqual([{ reason: 'event_processor', category: 'error', quantity: 1 }])
    vi.setSystemTime(Date.now() + 10_000)
    Firsthand.captureException(make())
    await Firsthand.flush(1000)
    expect(events()).toHaveLength(3)
  })

  it('rate limits: by category, by Retry-After, by a bare 429', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    start()
    const capture = async (): Promise<number> => {
      Firsthand.captureMessage(`m${Math.random()}`)
      await Firsthand.flush(1000)
      return events().length
    }
    answer = { statusCode: 200, headers: { 'x-sentry-rate-limits': '10:transaction;replay:key, 20:feedback:key' } }
    expect([await capture(), await capture()]).toEqual([1, 2])
    answer = { statusCode: 200, headers: { 'x-sentry-rate-limits': ' 30:error:key:quota , nonsense' } }
    expect([await capture(), await capture()]).toEqual([3, 3])
    answer = { statusCode: 429, headers: { 'retry-after': '5' } }
    vi.setSystemTime(Date.now() + 61_000)
    expect([await capture(), await capture()]).toEqual([4, 4])
    vi.setSystemTime(Date.now() + 5001)
    answer = { statusCode: 429 }
    expect([await capture(), await capture()]).toEqual([5, 5])
    vi.setSystemTime(Date.now() + 60_001)
    answer = { statusCode: 200 }
    expect(await capture()).toBe(6)
  })

  it.each<[string, number]>([
    [' 30 ', 30],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:20 GMT', 20],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 60],
    ['soon', 60],
    ['', 60],
  ])('Retry-After: %s is %i seconds', async (said, seconds) => {
    const startMs = Date.UTC(2026, 0, 1)
    vi.useFakeTimers({ toFake: ['Date'], now: startMs })
    start()
    answer = { statusCode: 429, headers: { 'retry-after': said } }
    Firsthand.captureMessage('first')
    await Firsthand.flush(1000)
    answer = { statusCode: 200 }
    vi.setSystemTime(startMs + seconds * 1000 - 1)
    Firsthand.captureMessage('too early')
    await Firsthand.flush(1000)
    vi.setSystemTime(startMs + seconds * 1000)
    Firsthand.captureMessage('in time')
    await Firsthand.flush(1000)
    expect(events().map(({ message }) => message)).toEqual(['first', 'in time'])
  })

  it('what the server refuses or nobody answers is counted, but a 429 the server counts itself', async () => {
    start()
    answer = { statusCode: 413 }
    Firsthand.captureException(new Error('a'))
    expect(await discarded()).toEqual([{ reason: 'send_error', category: 'error', quantity: 1 }])
    sent.length = 0
    answer = { statusCode: 429 }
    Firsthand.captureException(new Error('b'))
    expect(await discarded()).toEqual([])
  })

  it('after close() nothing', async () => {
    start()
    await Firsthand.close(1000)
    Firsthand.captureException(new Error('late'))
    await Firsthand.flush(100)
    expect(events()).toEqual([])
  })
})

describe('never throws into the page', () => {
  const hostile = (): unknown[] => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw new Error('get')
        },
        has: () => {
          throw new Error('has')
        },
        ownKeys: () => {
          throw new Error('keys')
        },
      },
    )
    const round: Record<string, unknown> = {}
    round['round'] = round
    return [
      undefined,
      null,
      0,
      NaN,
      '',
      'x'.repeat(2_000_000),
      Symbol('s'),
      1n,
      [],
      () => undefined,
      round,
      proxy,
      throwing,
      Object.create(null),
    ]
  }

  it.each(hostile().map((value, index) => [index, value]))('value %i in every place', async (_, value) => {
    const given = value as never
    expect(() => Firsthand.init(given)).not.toThrow()
    const keys = [
      'integrations',
      'defaultIntegrations',
      'beforeSend',
      'beforeBreadcrumb',
      'ignoreErrors',
      'denyUrls',
      'allowUrls',
      'initialScope',
      'release',
      'environment',
      'sampleRate',
      'maxBreadcrumbs',
      'normalizeDepth',
      'transport',
      'tunnel',
      'dsn',
    ]
    for (const key of keys) {
      expect(() => start({ [key]: given })).not.toThrow()
      expect(() => Firsthand.captureException(new Error(key))).not.toThrow()
      expect(() => Firsthand.addBreadcrumb({ message: key })).not.toThrow()
    }
    start()
    const calls: (() => unknown)[] = [
      () => Firsthand.setUser(given),
      () => Firsthand.setTag(given, given),
      () => Firsthand.setTags(given),
      () => Firsthand.setContext(given, given),
      () => Firsthand.setContext('c', { given }),
      () => Firsthand.setExtra('e', given),
      () => Firsthand.setExtras(given),
      () => Firsthand.addBreadcrumb(given),
      () => Firsthand.addBreadcrumb({ message: given, data: { given } }),
      () => Firsthand.captureException(given, given),
      () => Firsthand.captureMessage(given, given),
      () => Firsthand.captureEvent(given, given),
      () => Firsthand.addIntegration(given),
    ]
    for (const call of calls) expect(call).not.toThrow()
    sent.length = 0
    Firsthand.captureException(new Error('still works'))
    await Firsthand.flush(1000)
    expect(events().at(-1)?.exception?.values?.[0]?.value).toBe('still works')
  })
})
