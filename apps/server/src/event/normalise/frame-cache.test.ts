import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvelope } from '@firsthand/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../../accounts/settings.ts'
import { isRecurring } from '../../lib/recurring.ts'
import { LIMITS } from '../limits.ts'
import { LIMITS as INGEST_LIMITS } from '../../ingest/limits.ts'
import type { Frame } from '../event.ts'
import { explain, group } from '../../issues/grouping/index.ts'
import { scrub } from '../scrub/index.ts'
import { digestItem, dropReason, normalised } from './digest-item.fixture.ts'
import { normalise } from './index.ts'

const FIXTURES = join(import.meta.dirname, '../../../../../fixtures/envelopes')

/** Frames that no other test has, long enough to be worth it. */
const framesOf = (name: string, fields: object = {}): Frame[] =>
  Array.from({ length: 12 }, (_, index) => ({
    filename: `https://shop.example/assets/${name}.js`,
    function: `${name}Step${index}`,
    lineno: index + 1,
    colno: 7,
    context_line: `  return ${name}[${index}](cart, { "quoted": "}]" })`,
    ...fields,
  }))

const errorWith = (frames: unknown, rest: object = {}): string =>
  JSON.stringify({
    exception: { values: [{ type: 'TypeError', value: 'x', stacktrace: { frames } }] },
    platform: 'javascript',
    ...rest,
  })

const framesIn = (payload: unknown): readonly Frame[] | undefined =>
  normalised(payload).exception?.values[0]?.stacktrace?.frames

/** The same bytes three times: as new, as seen once, and as known. */
const threeTimes = <Value>(read: () => Value): [Value, Value, Value] => [read(), read(), read()]

const rules = (stackTraceRules: string): ProjectSettings => ({
  ...DEFAULT_PROJECT_SETTINGS,
  grouping: { ...DEFAULT_PROJECT_SETTINGS.grouping, stackTraceRules },
})

describe('frames that were seen before', () => {
  it('are the same object from the second time on, and frozen', () => {
    const [first, second, third] = threeTimes(() => framesIn(errorWith(framesOf('same'))))
    expect(second).toEqual(first)
    expect(third).toBe(second)
    expect(isRecurring(third ?? [])).toBe(true)
    expect(Object.isFrozen(third?.[3])).toBe(true)
  })

  it('change nothing about any recorded event: fields, notes, groups and reasons', () => {
    const settings = [DEFAULT_PROJECT_SETTINGS, rules('stack.function:*Step1* -app\nerror.type:TypeError max-frames=2')]
    let events = 0
    for (const name of readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.envelope')) continue
      const envelope = parseEnvelope(readFileSync(join(FIXTURES, name)))
      for (const item of envelope.ok ? envelope.value.items : []) {
        if (item.header.type !== 'event') continue
        events += 1
        for (const own of settings) {
          const read = () => {
            const event = normalise({ item: digestItem(item.payload) }, own)
            if (!event.ok) return event
            const grouped = group(scrub(event.value, own), own)
            return { grouped, reasons: explain(grouped.event, own) }
          }
          const [first, second, third] = threeTimes(() => JSON.stringify(read()))
          expect(second, name).toBe(first)
          expect(third, name).toBe(first)
        }
      }
    }
    expect(events).toBeGreaterThan(20)
  })

  it('judges them anew for other rules and another platform', () => {
    const frames = framesOf('judged')
    const inApp = (own: ProjectSettings, platform: string) => {
      const event = normalised(errorWith(frames, { platform }))
      return group(event, own).event.exception?.values[0]?.stacktrace?.frames.map((frame) => frame.in_app)
    }
    const none = rules('stack.function:judged* -app')
    for (let time = 0; time < 3; time++) {
      expect(inApp(DEFAULT_PROJECT_SETTINGS, 'javascript')).toEqual(frames.map(() => true))
      expect(inApp(none, 'javascript')).toEqual(frames.map(() => false))
      expect(inApp(rules('error.type:TypeError stack.function:judged* -app'), 'python')).toEqual(
        frames.map(() => false),
      )
    }
  })

  it('reads variables each time: they differ, and are scrubbed by the project', () => {
    const payload = errorWith(framesOf('variables', { vars: { password: 'secret', total: 4 } }))
    const read = () => scrub(normalised(payload), DEFAULT_PROJECT_SETTINGS).exception?.values[0]?.stacktrace?.frames
    const [first, second, third] = threeTimes(read)
    expect(first?.[0]?.vars).toEqual({ password: '[Filtered]', total: 4 })
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(isRecurring(third ?? [])).toBe(false)
  })

  it('notes what is wrong with them each time', () => {
    const payload = errorWith(framesOf('noted', { lineno: -4 }))
    const [first, second, third] = threeTimes(() => normalised(payload).errors)
    expect(first.length).toBeGreaterThan(0)
    expect(second).toEqual(first)
    expect(third).toEqual(first)
  })

  it('keeps digits that a double cannot hold, beside them', () => {
    const payload = errorWith(framesOf('digits')).replace('{', '{"user":{"id":9007199254740993},')
    for (const id of threeTimes(() => normalised(payload).user?.id)) expect(id).toBe('9007199254740993')
  })

  it('check 103: counts the nesting around them', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const payload = (depth: number) =>
      errorWith([...framesOf(`deep${depth}`), { function: 'deep', data: { a: '@' } }]).replace('"@"', nested(depth))
    // Event, exception, values, one of them, stack trace, frames, frame, data.
    const room = INGEST_LIMITS.JSON_DEPTH - 8
    for (const reason of threeTimes(() => dropReason(payload(room)))) expect(reason).toBeUndefined()
    for (const reason of threeTimes(() => dropReason(payload(room + 1)))) expect(reason).toBe('json_too_deep')
  })

  it.each([
    ['in extra', (frames: unknown) => JSON.stringify({ extra: { a: [{ stacktrace: { frames } }] }, message: 'x' })],
    ['in a thread', (frames: unknown) => JSON.stringify({ threads: { values: [{ id: 1, stacktrace: { frames } }] } })],
    [
      'in an exception and in extra',
      (frames: unknown) => errorWith(frames, { extra: { stacktrace: { frames: framesOf('elsewhere') } } }),
    ],
    [
      'in a text',
      (frames: unknown) => errorWith(framesOf('text'), { message: `"stacktrace":{"frames":${String(frames)}` }),
    ],
    ['cut off', (frames: unknown) => errorWith(frames).slice(0, 900)],
    ['with a wrong end', (frames: unknown) => errorWith(frames).replace(/\}\]\}\}\]/, '}}]}]')],
    ['twice under one key', (frames: unknown) => errorWith(frames).replace('}]}', '}]},"exception":{"values":[]}')],
    ['with a bad literal', (frames: unknown) => errorWith(frames).replace('"lineno":1,', '"lineno":tru,')],
    ['with NaN', (frames: unknown) => errorWith(frames).replace('"colno":7', '"colno":NaN')],
    ['with __proto__', (frames: unknown) => errorWith(frames).replace('"colno":7', '"__proto__":{"lineno":3}')],
  ])('reads them as any value where they stand %s', (name, payload) => {
    const bytes = payload(framesOf(`place${name.replaceAll(/\W/g, '')}`))
    const read = () => JSON.stringify(normalise({ item: digestItem(bytes) }, DEFAULT_PROJECT_SETTINGS))
    const [first, second, third] = threeTimes(read)
    expect(second).toBe(first)
    expect(third).toBe(first)
  })

  it('whatever the event: reading it again gives the same', () => {
    const frame = fc.record(
      {
        filename: fc.string({ maxLength: 40 }),
        function: fc.string({ unit: 'binary', maxLength: 40 }),
        lineno: fc.oneof(fc.nat(), fc.jsonValue({ maxDepth: 1 })),
        in_app: fc.boolean(),
        pre_context: fc.array(fc.string({ maxLength: 60 }), { maxLength: 5 }),
        vars: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
      },
      { requiredKeys: ['function'] },
    )
    const stack = fc.record({ frames: fc.array(frame, { minLength: 15, maxLength: 30 }) })
    const exception = fc.record({ type: fc.string(), stacktrace: stack }, { requiredKeys: ['type'] })
    fc.assert(
      fc.property(
        fc.array(exception, { minLength: 1, maxLength: 4 }),
        fc.jsonValue({ maxDepth: 3 }),
        (values, extra) => {
          const payload = JSON.stringify({ exception: { values }, extra: { extra, again: values[0] } })
          const read = () => JSON.stringify(normalised(payload))
          const [first, second, third] = threeTimes(read)
          expect(second).toBe(first)
          expect(third).toBe(first)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('are forgotten when there are too many', () => {
    // Much text in few frames, so that what is remembered is full after few events.
    const lines = Array.from({ length: 5 }, () => 'x'.repeat(500))
    const payloads = Array.from({ length: Math.ceil(LIMITS.SEEN_FRAMES_BYTES / (12 * 5 * 500)) }, (_, index) =>
      errorWith(framesOf(`many${index}`, { pre_context: lines })),
    )
    const [first = ''] = payloads
    const [, known] = threeTimes(() => framesIn(first))
    expect(framesIn(first)).toBe(known)
    for (const payload of payloads) threeTimes(() => framesIn(payload))
    const again = framesIn(first)
    expect(again).toEqual(known)
    expect(again).not.toBe(known)
  })
})
