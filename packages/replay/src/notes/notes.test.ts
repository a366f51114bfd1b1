import { describe, expect, it } from 'vitest'
import { breadcrumb, type RecordedEvent } from '../events.ts'
import { settingsOf } from '../options.ts'
import { createBodies, MAX_BODY, readRequestBody, readResponse } from './bodies.ts'
import { createNotes } from './sink.ts'
import { createVitals, type Measured } from './vitals.ts'

const categories = (events: readonly RecordedEvent[]) =>
  events.map(({ data }) => (data as { payload: { category: string } }).payload.category)

describe('what is noted beside the picture', () => {
  it('300 notes in five seconds are kept, and that there were more is told once', () => {
    let now = 10_000
    const kept: RecordedEvent[] = []
    const note = createNotes(
      (event) => kept.push(event),
      { beforeAddRecordingEvent: undefined },
      () => now,
    )
    for (let count = 0; count < 1000; count += 1) note(breadcrumb('console', {}, now))
    expect(kept.length).toBe(301)
    expect(categories(kept).at(-1)).toBe('replay.throttled')
    now += 5000
    note(breadcrumb('console', {}, now))
    expect(kept.length).toBe(302)
  })

  it('the page has the last look, and what it cannot look at is dropped', () => {
    const kept: RecordedEvent[] = []
    const note = createNotes((event) => kept.push(event), {
      beforeAddRecordingEvent: (event) => {
        const [category] = categories([event])
        if (category === 'broken') throw new Error('not this one')
        return category === 'console' ? null : event
      },
    })
    for (const category of ['console', 'navigation', 'broken']) note(breadcrumb(category, {}, 1))
    expect(categories(kept)).toEqual(['navigation'])
  })

  it('R97 Credentials and cookies are no headers that anybody can allow', () => {
    const names = ['X-Request-Id', 'Authorization', 'cookie', 'Set-Cookie', 'Proxy-Authorization', 'ACCEPT']
    const { requestHeaders, responseHeaders } = settingsOf({
      networkRequestHeaders: names,
      networkResponseHeaders: names,
    })
    expect(requestHeaders).toEqual(['content-length', 'content-type', 'accept', 'x-request-id'])
    expect(responseHeaders).toEqual(requestHeaders)
  })

  it('bodies are text of 150,000 characters at most, and of a million in one segment', () => {
    const bodies = createBodies()
    expect(bodies.keep({ text: '{"tea":1}' })).toEqual({ body: { tea: 1 }, warnings: [] })
    expect(bodies.keep({ text: '{tea}' })).toEqual({ body: '{tea}', warnings: [] })
    expect(bodies.keep({ warning: 'BODY_PARSE_ERROR' })).toEqual({ warnings: ['BODY_PARSE_ERROR'] })
    const long = 'x'.repeat(MAX_BODY + 1)
    expect(bodies.keep({ text: long })).toEqual({ body: `${long.slice(1)}…`, warnings: ['TEXT_TRUNCATED'] })
    expect(bodies.keep({ text: `[${long}]` }).warnings).toEqual(['MAYBE_JSON_TRUNCATED'])
    let kept = 0
    for (let count = 0; count < 20; count += 1) kept += String(bodies.keep({ text: long }).body).length - 1
    expect(kept).toBeLessThanOrEqual(1_000_000)
    bodies.renew()
    expect(bodies.keep({ text: 'tea' }).body).toBe('tea')
  })

  it('of a request only text is read, and of an answer no more than is kept', async () => {
    const form = new FormData()
    form.set('name', 'Ann')
    form.set('file', new Blob(['secret']))
    const read = [undefined, 'tea', new URLSearchParams({ a: '1' }), form, new Blob(['tea'])].map(readRequestBody)
    expect(read).toEqual([
      {},
      { text: 'tea' },
      { text: 'a=1' },
      { text: 'name=Ann' },
      { warning: 'UNPARSEABLE_BODY_TYPE' },
    ])
    expect(await readResponse(new Response('tea'))).toEqual({ text: 'tea' })
    const image = new Response('tea', { headers: { 'content-type': 'image/png' } })
    expect(await readResponse(image)).toEqual({ warning: 'UNPARSEABLE_BODY_TYPE' })
    const broken = new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('cut off')) }))
    expect(await readResponse(broken)).toEqual({ warning: 'BODY_PARSE_ERROR' })
    let pulled = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new TextEncoder().encode('x'.repeat(50_000)))
      },
    })
    const { text = '' } = await readResponse(new Response(endless))
    expect(text.length).toBeGreaterThan(MAX_BODY)
    expect(pulled).toBeLessThan(10)
    // One that never says anything is not waited for.
    expect(await readResponse(new Response(new ReadableStream()))).toEqual({ warning: 'BODY_PARSE_TIMEOUT' })
  })

  it('web vitals are the last paint, the worst window of shifts and the slowest interaction, each told when it changes', () => {
    const vitals = createVitals()
    const take = (entryType: string, startTime: number, more: Partial<Measured> = {}): void =>
      vitals.take({ entryType, startTime, duration: 0, ...more })
    expect(vitals.changed()).toEqual([])
    take('largest-contentful-paint', 900)
    take('largest-contentful-paint', 3000)
    take('layout-shift', 100, { value: 0.05 })
    take('layout-shift', 900, { value: 0.06 })
    take('layout-shift', 1000, { value: 9, hadRecentInput: true })
    take('layout-shift', 2500, { value: 0.02 })
    take('event', 4000, { duration: 80, interactionId: 7 })
    take('event', 4000, { duration: 240, interactionId: 7 })
    take('event', 5000, { duration: 60, interactionId: 14 })
    take('event', 5000, { duration: 900, interactionId: 0 })
    const told = () => vitals.changed().map(({ name, value, rating }) => [name, value, rating])
    expect(told()).toEqual([
      ['largest-contentful-paint', 3000, 'needs-improvement'],
      ['cumulative-layout-shift', 0.11, 'needs-improvement'],
      ['interaction-to-next-paint', 240, 'needs-improvement'],
    ])
    expect(told()).toEqual([])
    // A session of shifts ends after a second without any, and after five in all.
    for (let at = 10_000; at < 20_000; at += 900) take('layout-shift', at, { value: 0.02 })
    expect(told().map(([, value]) => Number(value).toFixed(2))).toEqual(['0.12'])
    // Of fifty interactions one may be slow.
    for (let id = 21; id < 21 + 50; id += 1) take('event', 6000, { duration: 50, interactionId: id })
    expect(told()).toEqual([['interaction-to-next-paint', 60, 'good']])
  })
})
