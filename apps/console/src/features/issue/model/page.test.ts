import type { ApiEvent, ApiGroupingVariant } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'

import { shortVersion } from '../../../lib/short-version.ts'
import { activityLine } from './activity.ts'
import { eventFacts, userLabel } from './contexts.ts'
import { functionLabel } from './frames.ts'
import { graphBars, graphMarks } from './graph.ts'
import { placeInStream, readIssueUrl } from './page-search.ts'
import { readEvent } from './read-event.ts'
import { event } from './testing.ts'
import { decidesOtherwise, groupingLines, groupingSentence, isAsStored } from './why-grouped.ts'

const apiEvent = (fields: Partial<ApiEvent>): ApiEvent =>
  ({
    id: 'a',
    eventID: 'a'.repeat(32),
    projectSlug: 'shop',
    type: 'error',
    title: 'TypeError: boom',
    message: '',
    culprit: 'cart',
    level: 'error',
    platform: 'node',
    dateCreated: '2026-11-20T22:00:00.000Z',
    dateReceived: '2026-11-20T22:00:01.000Z',
    entries: [],
    tags: [],
    user: null,
    contexts: {},
    context: {},
    packages: {},
    sdk: null,
    errors: [],
    release: null,
    ...fields,
  }) as ApiEvent

describe('readEvent', () => {
  it('turns the stack round: the frame that threw comes first', () => {
    const frame = (name: string, inApp: boolean) => ({
      filename: 'a.ts',
      absPath: null,
      module: null,
      package: null,
      platform: null,
      instructionAddr: null,
      symbolAddr: null,
      function: name,
      rawFunction: null,
      context: [[1, 'x'] as [number, string | null], [2, null] as [number, string | null]],
      lineNo: 1,
      colNo: null,
      inApp,
      vars: { cart: null },
      sourceLink: null,
    })
    const view = readEvent(
      apiEvent({
        entries: [
          {
            type: 'exception',
            data: {
              hasSystemFrames: true,
              excOmitted: null,
              values: [
                {
                  type: 'TypeError',
                  value: 'boom',
                  module: null,
                  threadId: null,
                  mechanism: { type: 'onerror', handled: false },
                  stacktrace: {
                    frames: [frame('main', false), frame('thrower', true)],
                    framesOmitted: [3, 8],
                    registers: null,
                    hasSystemFrames: true,
                  },
                  rawStacktrace: null,
                },
              ],
            },
          },
        ],
      }),
    )
    const stack = view.exceptions[0]?.stack
    expect(stack?.frames.map((entry) => [entry.index, entry.functionName])).toEqual([
      [0, 'thrower'],
      [1, 'main'],
    ])
    expect(stack?.omitted).toBe(5)
    expect(stack?.frames[0]?.source[1]).toEqual({ line: 2, text: '' })
    expect(stack?.frames[0]?.variables).toEqual([['cart', null]])
  })

  it('says of native code without names in which library it is, and how far in it', () => {
    const native = {
      filename: null,
      absPath: null,
      module: null,
      package: 'till.exe',
      platform: null,
      instructionAddr: '0x140002a3d',
      symbolAddr: null,
      function: null,
      rawFunction: null,
      context: [],
      lineNo: null,
      colNo: null,
      inApp: true,
      vars: null,
      sourceLink: null,
    }
    const images = [
      { code_file: 'C:\\shop\\till.exe', image_addr: '0x140000000', image_size: 65_536, debug_id: 'abc-1' },
      { code_file: '/lib/libc.so.6', image_addr: '0x7f0000000000', image_size: 100 },
      { image_addr: 'nowhere' },
      { type: 'sourcemap', code_file: 'https://shop.test/app.js', debug_id: '5a3e7d10-1f0c-4a57-9e35-1c8f0b1e2d3c' },
    ]
    const stacktrace = {
      frames: [{ ...native, instructionAddr: '0x5' }, native],
      framesOmitted: null,
      registers: { rip: '0x140002a3d' },
      hasSystemFrames: false,
    }
    const view = readEvent(
      apiEvent({
        entries: [
          { type: 'stacktrace', data: stacktrace },
          { type: 'debugmeta', data: { images } },
        ],
      }),
    )
    expect(view.stack?.frames.map(functionLabel)).toEqual(['till.exe+0x2a3d', '<anonymous>'])
    const java = readEvent(
      apiEvent({
        platform: 'java',
        entries: [
          {
            type: 'stacktrace',
            data: {
              ...stacktrace,
              frames: [
                { ...native, module: 'com.acme.Till', function: 'close' },
                { ...native, module: 'app', function: 'open', platform: 'javascript' },
              ],
            },
          },
          { type: 'debugmeta', data: { images: [...images, { type: 'proguard', uuid: 'abc' }] } },
        ],
      }),
    )
    expect(java.stack?.frames.map(functionLabel)).toEqual(['open', 'com.acme.Till.close'])
    expect([view.mappings, java.mappings]).toEqual([[], ['abc']])
    expect(view.stack?.registers).toEqual([['rip', '0x140002a3d']])
    expect(view.builtFiles).toEqual(['https://shop.test/app.js'])
    expect(view.images).toEqual([
      ['C:\\shop\\till.exe', 'abc-1'],
      ['/lib/libc.so.6', ''],
    ])
  })

  it('gives flags a place of their own and leaves empty contexts out', () => {
    const view = readEvent(
      apiEvent({
        contexts: {
          flags: { values: [{ flag: 'new-cart', result: true }, 'rubbish'] },
          os: { type: 'os' },
          browser: { name: 'Chrome', version: '156.0.0.0', type: 'browser' },
        },
      }),
    )
    expect(view.flags).toEqual([['new-cart', 'true']])
    expect(view.contexts.map((context) => context.name)).toEqual(['browser'])
    expect(eventFacts(view)).toEqual(['Chrome 156'])
  })

  it('says what was dropped while reading, and why', () => {
    const view = readEvent(
      apiEvent({
        errors: [
          {
            type: 'invalid_data',
            message: 'Discarded invalid value',
            data: { name: 'user.id', reason: 'expected a text', value: [1] },
          },
        ],
      }),
    )
    expect(view.notes).toEqual([{ type: 'invalid_data', field: 'user.id', reason: 'expected a text', value: [1] }])
  })

  it('names a user by id and address, else by the best that is known', () => {
    const user = { id: 'u7', email: 'ann@shop.test', username: '', name: '', ipAddress: '10.0.0.1', geo: [], data: [] }
    expect(userLabel(event({ user }))).toBe('ann@shop.test (u7)')
    expect(userLabel(event({ user: { ...user, id: '', email: '' } }))).toBe('10.0.0.1')
  })
})

describe('why grouped', () => {
  const variant = (fields: Partial<ApiGroupingVariant>): ApiGroupingVariant => ({
    key: 'app',
    type: 'component',
    hash: 'h',
    description: 'in-app exception stack-trace',
    contributes: true,
    hint: null,
    hashMismatch: false,
    component: null,
    ...fields,
  })
  const part = (
    id: string,
    values: ApiGroupingVariant['component'] extends infer T ? (T extends { values: infer V } ? V : never) : never,
    contributes = true,
  ) => ({ id, name: null, contributes, hint: null, values })

  it('names type and functions in a sentence', () => {
    const component = part('exception', [
      part('type', ['TypeError']),
      part('stacktrace', [
        part('frame', [part('function', ['CartSummary'])]),
        part('frame', [part('function', ['hidden'])], false),
      ]),
    ])
    expect(groupingSentence({ app: variant({ component }) })).toBe('Same type and in-app frames: CartSummary.')
    expect(groupingLines(component).map((line) => [line.depth, line.name, line.value])).toContainEqual([
      3,
      'function',
      'CartSummary',
    ])
  })

  it('names the library where a frame has nothing else', () => {
    const frames = part('stacktrace', [part('frame', [part('package', ['till.exe+0x2a3d'])])])
    const component = part('app', [part('exception', [part('type', ['SIGSEGV']), frames])])
    expect(groupingSentence({ app: variant({ component }) })).toBe('Same type and in-app frames: till.exe+0x2a3d.')
  })

  it('counts nothing inside a part that was left out', () => {
    const lines = groupingLines(part('stacktrace', [part('frame', [part('function', ['hidden'])], false)]))
    expect(lines.map((line) => line.contributes)).toEqual([true, false, false])
  })

  it('says so when the application decided by a fingerprint', () => {
    const component = part('fingerprint', ['checkout'])
    expect(groupingSentence({ custom: variant({ key: 'custom-fingerprint', component }) })).toContain(
      'Same fingerprint (checkout)',
    )
    expect(groupingSentence({})).toContain('Nothing in the event')
  })

  it('knows whether it was decided when the event was stored, and whether today’s rules would decide otherwise', () => {
    const decided = (which: 'stored' | 'today', hash: string | null) =>
      variant({ hash, contributes: hash !== null, config: { id: 'firsthand:2026-11-20', decided: which } })
    const stored = { app: decided('stored', 'a'), system: decided('stored', null) }
    expect(isAsStored(stored)).toBe(true)
    expect(isAsStored({ app: decided('today', 'a') })).toBe(false)
    expect(decidesOtherwise({ app: decided('today', 'a') }, stored)).toBe(false)
    expect(decidesOtherwise({ app: decided('today', null), 'custom-fingerprint': decided('today', 'b') }, stored)).toBe(
      true,
    )
  })
})

describe('the page', () => {
  it('keeps the stream it came from in its URL and refuses odd event ids', () => {
    expect(readIssueUrl({ sort: 'freq', event: '../../x', tab: 'events', events: 'a:b' })).toEqual({
      sort: 'freq',
      tab: 'events',
      events: 'a:b',
    })
    expect(readIssueUrl({ event: 'oldest' })).toEqual({ event: 'oldest' })
  })

  it('knows its place in the stream, and the neighbours of the gap it left', () => {
    expect(placeInStream(['a', 'b', 'c'], 38, 'b', null)).toEqual({ position: 2, total: 38, previous: 'a', next: 'c' })
    expect(placeInStream(['a', 'c'], 37, 'b', 1)).toEqual({ position: null, total: 37, previous: 'a', next: 'c' })
    expect(placeInStream([], 0, 'b', null)).toEqual({ position: null, total: 0, previous: null, next: null })
  })

  it('marks a release where it begins and hides names that would overlap', () => {
    expect(
      graphMarks(
        [
          { label: '2.4.0', timeMs: 50 },
          { label: '2.4.1', timeMs: 51 },
          { label: 'old', timeMs: 500 },
        ],
        0,
        100,
      ),
    ).toEqual([{ label: '2.4.1', at: 0.51 }])
    expect(
      graphBars(
        [
          [1, 2],
          [2, 4],
        ],
        1,
      ).map((bar) => bar.height),
    ).toEqual([0.5, 1])
    expect(shortVersion('0123456789abcdef0123')).toBe('0123456')
  })

  it('tells the history in sentences', () => {
    const line = (type: string, data: Record<string, unknown>) =>
      activityLine({ id: '1', type, data, user: null, dateCreated: '2026-11-20T00:00:00.000Z' })
    expect(line('set_regression', { version: '2.4.0' }).text).toBe('Regressed in 2.4.0')
    expect(line('note', { text: 'only when cached' })).toEqual({ text: '', quote: 'only when cached' })
    expect(line('something_new', {}).text).toBe('Something new')
  })
})
