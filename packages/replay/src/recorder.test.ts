import type { Client, Envelope, Event, TransportResponse } from '@firsthand/browser'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DomListener } from './dom/index.ts'
import { FULL_SNAPSHOT, INCREMENTAL, META, type RecordedEvent, SOURCE } from './events.ts'
import { type ReplayOptions, settingsOf } from './options.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import type { Rates } from './session.ts'

const MINUTE = 60_000

/** A page without a browser: tests say what happens on it. */
const openPage = (rates: Rates, options: ReplayOptions = {}) => {
  const dropped: string[] = []
  /** What a processor of the page does with an event that it is asked about. */
  let process = (event: Event): Event | null => event
  const sent: { at: number; event: Event; events: RecordedEvent[] }[] = []
  const answers: TransportResponse[] = []
  const kept = new Map<string, string>()
  let listener: DomListener | undefined
  let isRecorded = false
  let pictures = 0
  const picture = (): void => {
    pictures += 1
    for (const type of [META, FULL_SNAPSHOT]) listener?.onEvent({ type, timestamp: Date.now(), data: {} })
  }
  const sendEnvelope = ([, items]: Envelope): Promise<TransportResponse> => {
    const [[, event] = [], [, recording] = []] = items
    const text = new TextDecoder().decode(recording as Uint8Array)
    sent.push({
      at: Date.now(),
      event: event as Event,
      events: JSON.parse(text.slice(text.indexOf('\n') + 1)) as RecordedEvent[],
    })
    return Promise.resolve(answers.shift() ?? {})
  }
  const client = {
    getCurrentScope: () => ({ data: { propagationContext: { traceId: 'a'.repeat(32) } } }),
    _prepareEvent: (event: Event) => process({ ...event, breadcrumbs: [] }),
    sendEnvelope,
    recordDroppedEvent: (reason: string, category: string) => void dropped.push(`${reason} ${category}`),
  } as unknown as Client
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage
  const create = (): Recorder =>
    createRecorder({
      client,
      settings: settingsOf({ useCompression: false, ...options }),
      rates,
      store,
      options: {},
      onStop: () => undefined,
      recordDom: (_, given) => {
        listener = given
        isRecorded = true
        picture()
        return {
          rules: {} as never,
          maskedAttribute: (_name, value) => value,
          idOf: () => 1,
          snapshot: picture,
          stop: () => {
            isRecorded = false
          },
        }
      },
    })
  const tell = (source: number, more: object = {}): void => {
    if (isRecorded) listener?.onEvent({ type: INCREMENTAL, timestamp: Date.now(), data: { source, ...more } })
  }
  return {
    create,
    recorder: create(),
    sent,
    answers,
    dropped,
    process: (how: typeof process) => void (process = how),
    change: (more?: object) => tell(SOURCE.mutation, more),
    click: () => tell(SOURCE.mouse),
    isRecorded: () => isRecorded,
    pictures: () => pictures,
    numbers: () => sent.map(({ event }) => event['segment_id']),
    ids: () => sent.map(({ event }) => event['replay_id']),
  }
}

const EVERY: Rates = { session: 1, onError: 0 }
const ON_ERROR: Rates = { session: 0, onError: 1 }
const hasPage = (events: readonly RecordedEvent[]): boolean => events.some(({ type }) => type === FULL_SNAPSHOT)
const error = (letter: string): Event => ({ event_id: letter.repeat(32) })

describe('the recorder', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_800_000_000_000 })
    vi.stubGlobal('location', { href: 'https://shop.example/' })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('sends what has come together after five seconds, numbered', async () => {
    const page = openPage(EVERY)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(4998)
    expect(page.sent).toEqual([])
    await vi.advanceTimersByTimeAsync(10)
    expect(page.numbers()).toEqual([0])
    expect(page.sent[0]?.event).toMatchObject({
      type: 'replay_event',
      replay_type: 'session',
      replay_start_timestamp: 1_800_000_000,
      urls: ['https://shop.example/'],
      trace_ids: ['a'.repeat(32)],
    })
    expect(page.sent[0]?.events.map(({ type }) => type)).toEqual([5, META, FULL_SNAPSHOT])
    page.change()
    await vi.advanceTimersByTimeAsync(4999)
    expect(page.numbers()).toEqual([0])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.numbers()).toEqual([0, 1])
    // Where nothing happens nothing is sent.
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(page.numbers()).toEqual([0, 1])
  })

  it('R81 After five minutes without the visitor nothing is recorded until there is a sign, with a new picture', async () => {
    const page = openPage(EVERY)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5 * MINUTE)
    page.change()
    expect(page.isRecorded()).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    page.change()
    expect(page.isRecorded()).toBe(false)
    await vi.advanceTimersByTimeAsync(0)
    const before = page.sent.length
    await vi.advanceTimersByTimeAsync(5 * MINUTE)
    expect(page.sent.length).toBe(before)
    page.recorder.touch()
    expect([page.isRecorded(), page.pictures()]).toEqual([true, 2])
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.sent.at(-1)?.events.map(({ type }) => type)).toEqual([META, FULL_SNAPSHOT])
    expect(new Set(page.ids()).size).toBe(1)
  })

  it.each([
    ['after fifteen minutes without the visitor', 0],
    ['after an hour in all', 4 * MINUTE],
  ])('R81 %s the next sign begins another replay that names the one before', async (_, everyMs) => {
    const page = openPage(EVERY)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    const first = page.recorder.replayId
    if (everyMs > 0) {
      for (let at = 0; at < 60 * MINUTE; at += everyMs) {
        await vi.advanceTimersByTimeAsync(everyMs)
        page.click()
      }
    } else await vi.advanceTimersByTimeAsync(15 * MINUTE + 1)
    page.recorder.touch()
    const second = page.recorder.replayId
    expect(second).not.toBe(first)
    await vi.advanceTimersByTimeAsync(6000)
    expect(page.sent.at(-1)?.event).toMatchObject({
      replay_id: second,
      segment_id: 0,
      contexts: { replay: { previous_replay_id: first } },
    })
    expect(page.sent.at(-1)?.events.some(({ type }) => type === FULL_SNAPSHOT)).toBe(true)
  })

  it('R81 A tab that loads another page goes on with its replay', async () => {
    const page = openPage(EVERY)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    const next = page.create()
    next.start()
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.numbers()).toEqual([0, 1])
    expect(new Set(page.ids()).size).toBe(1)
  })

  it('R82 Until something goes wrong nothing is sent; then the minute before it, and what follows', async () => {
    const page = openPage(ON_ERROR)
    page.recorder.start()
    for (let at = 0; at < 4 * MINUTE; at += 1000) {
      await vi.advanceTimersByTimeAsync(1000)
      page.change()
    }
    expect([page.sent.length, page.recorder.replayId]).toEqual([0, undefined])
    expect(page.recorder.onEvent(error('c'), () => false)).toBe(undefined)
    const id = page.recorder.onEvent(error('d'), () => true)
    const happened = Date.now()
    await vi.advanceTimersByTimeAsync(1)
    const [first] = page.sent
    expect(first?.event).toMatchObject({ replay_id: id, replay_type: 'buffer', error_ids: ['d'.repeat(32)] })
    expect(first?.events[0]?.type).toBe(META)
    const begin = first?.events[0]?.timestamp ?? 0
    expect(happened - begin).toBeLessThanOrEqual(MINUTE)
    expect(happened - begin).toBeGreaterThanOrEqual(30_000)
    expect(first?.event['replay_start_timestamp']).toBe(begin / 1000)
    page.change()
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.sent[1]?.event).toMatchObject({ segment_id: 1, replay_type: 'buffer' })
  })

  it('an error makes even a short replay one that is sent', async () => {
    const page = openPage(EVERY, { minReplayDuration: 30_000 })
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(6000)
    expect(page.sent.length).toBe(0)
    expect(page.recorder.onEvent(error('e'), () => false)).toBe(page.recorder.replayId)
    page.recorder.leave(true)
    expect(page.sent[0]?.event['error_ids']).toEqual(['e'.repeat(32)])
  })

  it('R88 A 429 for replays stops uploads until the time is over, and what was recorded is kept', async () => {
    const page = openPage(EVERY)
    page.answers.push({ statusCode: 429, headers: { 'x-sentry-rate-limits': '40:replay:key' } })
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.numbers()).toEqual([0])
    // Who is told to wait promises nothing meanwhile.
    expect(page.recorder.onEvent(error('f'), () => true)).toBe(undefined)
    page.change()
    page.recorder.leave(true)
    await vi.advanceTimersByTimeAsync(39_000)
    expect(page.numbers()).toEqual([0])
    await vi.advanceTimersByTimeAsync(1001)
    expect(page.numbers()).toEqual([0, 0])
    expect(page.sent[1]?.events.map(({ type }) => type)).toEqual([5, META, FULL_SNAPSHOT, INCREMENTAL])
  })

  it('R88 A long 429 keeps the last minute only, which begins with a picture', async () => {
    const page = openPage(EVERY)
    page.answers.push({ statusCode: 429, headers: { 'x-sentry-rate-limits': '280:replay:key' } })
    page.recorder.start()
    for (let at = 0; at < 290_000; at += 1000) {
      await vi.advanceTimersByTimeAsync(1000)
      page.click()
    }
    expect(page.numbers().slice(0, 2)).toEqual([0, 0])
    const [first] = page.sent[1]?.events ?? []
    expect(first?.type).toBe(META)
    expect((page.sent[1]?.at ?? 0) - (first?.timestamp ?? 0)).toBeLessThanOrEqual(MINUTE)
  })

  it('what nobody took is sent again three times, then given up, and the next begins with a picture', async () => {
    const page = openPage(EVERY)
    for (let attempt = 0; attempt < 4; attempt += 1) page.answers.push({ statusCode: 0 })
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.numbers()).toEqual([0])
    await vi.advanceTimersByTimeAsync(35_000)
    expect(page.numbers()).toEqual([0, 0, 0, 0])
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.numbers()).toEqual([0, 0, 0, 0, 1])
    expect(page.sent.at(-1)?.events.map(({ type }) => type)).toEqual([META, FULL_SNAPSHOT])
  })

  it('after a segment that is too large for the server there is a new page half a minute after the last, not at once', async () => {
    const page = openPage(EVERY)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    for (let segment = 0; segment < 30; segment += 1) page.answers.push({ statusCode: 413 })
    page.change()
    await vi.advanceTimersByTimeAsync(5000)
    expect([page.numbers(), page.dropped]).toEqual([[0, 1], ['network_error replay']])
    expect(page.pictures()).toBe(1)
    for (let at = 0; at < MINUTE; at += 1000) {
      await vi.advanceTimersByTimeAsync(1000)
      page.click()
    }
    expect(page.pictures()).toBe(3)
    expect(page.isRecorded()).toBe(true)
  })

  it('who refuses three pages in a row is sent nothing more', async () => {
    const page = openPage(EVERY)
    page.recorder.start()
    for (let at = 0; at < 5 * MINUTE; at += 1000) {
      const isPage = page.pictures() > page.sent.filter(({ events }) => hasPage(events)).length
      page.answers.splice(0, 1, { statusCode: isPage ? 413 : 200 })
      await vi.advanceTimersByTimeAsync(1000)
      page.click()
    }
    expect(page.pictures()).toBe(3)
    expect(page.sent.filter(({ events }) => hasPage(events))).toHaveLength(3)
    expect([page.isRecorded(), page.recorder.mode]).toEqual([false, undefined])
  })

  it('who is not allowed to send stops', async () => {
    const page = openPage(EVERY)
    page.answers.push({ statusCode: 403 })
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    expect([page.isRecorded(), page.recorder.mode]).toEqual([false, undefined])
  })

  it.each([
    ['at once', (): null => null],
    ['after a while', (): Event | null => Promise.resolve(null) as unknown as null],
  ])('what a processor of the page refuses %s is counted once, and never offered again', async (_, refuse) => {
    const page = openPage(EVERY)
    page.process(refuse)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    expect([page.sent.length, page.dropped]).toEqual([0, ['event_processor replay']])
    page.process((event) => event)
    page.recorder.leave(true)
    expect(page.sent).toEqual([])
    page.change()
    page.recorder.leave(true)
    expect(page.sent.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([INCREMENTAL])
    expect(page.dropped).toHaveLength(1)
  })

  it('what a processor refuses of a page that goes away is gone, too', async () => {
    const page = openPage(EVERY)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    page.change()
    page.process(() => null)
    page.recorder.leave(false)
    page.process((event) => event)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect([page.numbers(), page.dropped]).toEqual([[0], ['event_processor replay']])
  })

  it('after what a processor refused there is a picture to go on from, but not one for each that it refuses', async () => {
    const page = openPage(EVERY)
    page.process(() => null)
    page.recorder.start()
    for (let at = 0; at < MINUTE; at += 1000) {
      await vi.advanceTimersByTimeAsync(1000)
      page.click()
    }
    expect(page.dropped.length).toBeGreaterThan(8)
    expect(page.pictures()).toBe(2)
    page.process((event) => event)
    for (let at = 0; at < MINUTE; at += 1000) {
      await vi.advanceTimersByTimeAsync(1000)
      page.click()
    }
    expect(page.pictures()).toBe(3)
    expect(page.sent.flatMap(({ events }) => events).some(({ type }) => type === FULL_SNAPSHOT)).toBe(true)
  })

  it('R90 A page that goes away sends at once what fits into 60 kB, and keeps the rest in case it comes back', async () => {
    const page = openPage(EVERY)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(5000)
    for (let change = 0; change < 100; change += 1) page.change({ text: 'x'.repeat(1000) })
    page.recorder.leave(true)
    const left = page.sent[1]
    expect(JSON.stringify(left).length).toBeLessThanOrEqual(60_000)
    expect(left?.events.length).toBeGreaterThan(50)
    await vi.advanceTimersByTimeAsync(5000)
    expect((left?.events.length ?? 0) + (page.sent[2]?.events.length ?? 0)).toBe(100)
    expect(page.numbers()).toEqual([0, 1, 2])
  })

  it('a page that is closed before its replay is long enough sends nothing', async () => {
    const page = openPage(EVERY)
    page.recorder.start()
    await vi.advanceTimersByTimeAsync(4000)
    page.recorder.leave(true)
    expect(page.sent).toEqual([])
  })

  it('who is not drawn records nothing', () => {
    const page = openPage({ session: 0, onError: 0 })
    page.recorder.start()
    expect([page.isRecorded(), page.recorder.mode]).toEqual([false, undefined])
  })
})
