import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTransport, makeFetchTransport, setHidden } from './transport.ts'
import type { Envelope, TransportOptions } from './types.ts'

const envelope = (bytes: number): Envelope => [{}, [[{ type: 'event' }, { text: 'x'.repeat(bytes) }]]]

const optionsOf = (lost: string[] = []): TransportOptions => ({
  url: 'https://firsthand.example/api/1/envelope/',
  recordDroppedEvent: (reason, category) => void lost.push(`${reason} ${category}`),
})

afterEach(() => {
  setHidden(false)
  vi.unstubAllGlobals()
})

/** A server whose answers wait until they are let go. */
const slowFetch = () => {
  const calls: RequestInit[] = []
  const free: (() => void)[] = []
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    calls.push(init)
    return new Promise<Response>((resolve) => free.push(() => resolve(new Response('{}'))))
  })
  return { calls, free }
}

describe('requests that outlive the page', () => {
  it('60 kB and 15 requests at once, more than that go without', async () => {
    const { calls, free } = slowFetch()
    const transport = makeFetchTransport(optionsOf())
    const sent = [transport.send(envelope(50_000)), transport.send(envelope(20_000))]
    expect(calls.map((call) => call.keepalive)).toEqual([true, false])
    free.forEach((answer) => answer())
    await Promise.all(sent)
    for (let count = 0; count < 20; count += 1) void transport.send(envelope(10))
    expect(calls.slice(2).filter((call) => call.keepalive)).toHaveLength(14)
    free.forEach((answer) => answer())
    expect(await transport.flush()).toBe(true)
  })

  it('the request begins at once, not a moment later', () => {
    const { calls } = slowFetch()
    void makeFetchTransport(optionsOf()).send(envelope(10))
    expect(calls).toHaveLength(1)
  })

  it('a page that goes away sends beacons; what they do not take goes by fetch', async () => {
    const { calls } = slowFetch()
    const beacons: number[] = []
    vi.stubGlobal('navigator', {
      sendBeacon: (_url: string, body: Uint8Array) => {
        beacons.push(body.length)
        return body.length < 1000
      },
    })
    const transport = makeFetchTransport(optionsOf())
    setHidden(true)
    void transport.send(envelope(10))
    void transport.send(envelope(5000))
    expect(beacons).toHaveLength(2)
    expect(calls).toHaveLength(1)
  })
})

it('from a page that goes away, the error goes without what would make it too large', () => {
  const { calls } = slowFetch()
  const beacons: string[] = []
  vi.stubGlobal('navigator', {
    sendBeacon: (_url: string, body: Uint8Array) => {
      if (body.length < 65_536) beacons.push(new TextDecoder().decode(body))
      return body.length < 65_536
    },
  })
  const event = {
    exception: { values: [{ value: 'late', stacktrace: 'f'.repeat(30_000) }] },
    breadcrumbs: Array.from({ length: 100 }, (_, index) => ({ message: `${index} ${'b'.repeat(1000)}` })),
  }
  const transport = makeFetchTransport(optionsOf())
  setHidden(true)
  void transport.send([{}, [[{ type: 'event' }, event]]])
  expect(calls).toEqual([])
  const sent = JSON.parse(beacons[0]?.split('\n')[2] ?? '{}') as Record<string, unknown>
  expect(Object.keys(sent)).toEqual(['exception'])
  setHidden(false)
  void transport.send([{}, [[{ type: 'event' }, event]]])
  expect(JSON.parse(new TextDecoder().decode(calls[0]?.body as Uint8Array).split('\n')[2] ?? '{}')).toEqual(event)
})

describe('what does not arrive', () => {
  it('is kept when somebody keeps it, else counted', async () => {
    const lost: string[] = []
    const kept: Envelope[] = []
    const fail = async (): Promise<never> => {
      throw new TypeError('Failed to fetch')
    }
    await createTransport({ ...optionsOf(lost), keep: (one) => kept.push(one) > 0 }, fail).send(envelope(1))
    expect([kept.length, lost.length]).toEqual([1, 0])
    await createTransport(optionsOf(lost), fail).send(envelope(1))
    expect(lost).toEqual(['network_error error'])
  })

  it('more than 40 at once are too many', async () => {
    const lost: string[] = []
    const transport = createTransport(optionsOf(lost), () => new Promise(() => undefined))
    for (let count = 0; count < 42; count += 1) void transport.send(envelope(1))
    expect(lost).toEqual(['queue_overflow error', 'queue_overflow error'])
  })

  it('a limit for one thing leaves the other one', async () => {
    const bodies: string[] = []
    const lost: string[] = []
    const transport = createTransport(optionsOf(lost), async ({ body }) => {
      bodies.push(new TextDecoder().decode(body))
      return { statusCode: 200, headers: { 'x-sentry-rate-limits': '60:attachment:key' } }
    })
    const both: Envelope = [
      {},
      [
        [{ type: 'event' }, {}],
        [{ type: 'attachment', filename: 'a.txt' }, 'lines\nof text'],
      ],
    ]
    await transport.send(both)
    await transport.send(both)
    expect(bodies[0]).toContain('{"type":"attachment","filename":"a.txt","length":13}\nlines\nof text')
    expect(bodies[1]).not.toContain('attachment')
    expect(lost).toEqual(['ratelimit_backoff attachment'])
  })
})
