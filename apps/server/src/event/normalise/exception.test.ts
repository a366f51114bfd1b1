import { describe, expect, it } from 'vitest'
import { normalised, tagOf } from './digest-item.fixture.ts'

describe('exceptions', () => {
  it('check 51: values, bare array and single object give the same event', () => {
    const exception = { type: 'TypeError', value: 'x is undefined' }
    const expected = normalised({ exception: { values: [exception] } })
    expect(expected.exception?.values).toEqual([exception])
    expect(normalised({ exception: [exception] })).toEqual(expected)
    expect(normalised({ exception })).toEqual(expected)
    expect(normalised({ 'sentry.interfaces.Exception': { values: [exception] } })).toEqual(expected)
    expect(normalised({ exception: {} }).exception).toBeUndefined()
  })

  it('check 52: keeps the order, outermost last', () => {
    const event = normalised({ exception: [{ type: 'Inner' }, { type: 'Outer' }] })
    expect(event.exception?.values.map(({ type }) => type)).toEqual(['Inner', 'Outer'])
  })

  it('check 53: a value that is no string becomes JSON', () => {
    const event = normalised({
      exception: [
        { type: 'E', value: { a: [1, null] } },
        { type: 'E', value: 42 },
      ],
    })
    expect(event.exception?.values.map(({ value }) => value)).toEqual(['{"a":[1,null]}', '42'])
  })

  it('check 54: an exception with neither type nor value goes, the event stays', () => {
    const event = normalised({ exception: { values: [{ mechanism: { type: 'x' } }, null, 'text', { type: 'E' }] } })
    expect(event.exception?.values).toEqual([{ type: 'E' }])
    expect(event.errors.map(({ name }) => name)).toEqual(['exception.values.0.type', 'exception.values.2'])
  })

  it('an exception with neither type nor value keeps its stack', () => {
    const stacktrace = { frames: [{ function: 'f' }] }
    const event = normalised({ exception: [{ stacktrace }, { raw_stacktrace: stacktrace }] })
    expect(event.exception?.values).toEqual([{ stacktrace }, { raw_stacktrace: stacktrace }])
    expect(event).toMatchObject({ type: 'error', errors: [] })
  })

  it('check 55: a message with a synthetic exception without type stays a message', () => {
    const event = normalised({
      message: 'hello',
      level: 'info',
      exception: { values: [{ value: 'hello', mechanism: { type: 'generic', handled: true, synthetic: true } }] },
    })
    expect(event).toMatchObject({ type: 'default', level: 'info', logentry: { formatted: 'hello' } })
    expect(event.exception?.values[0]).toEqual({
      value: 'hello',
      mechanism: { type: 'generic', handled: true, synthetic: true },
    })
  })

  it('moves a top-level stack trace to the sole exception', () => {
    const stacktrace = { frames: [{ function: 'f' }] }
    const moved = normalised({ exception: [{ type: 'E' }], 'sentry.interfaces.Stacktrace': stacktrace })
    expect(moved.exception?.values[0]?.stacktrace).toEqual(stacktrace)
    expect(moved.stacktrace).toBeUndefined()
    expect(normalised({ stacktrace }).stacktrace).toEqual(stacktrace)
  })

  it('is unhandled when one exception is', () => {
    const event = normalised({
      exception: [
        { type: 'A', mechanism: { type: 'chained', handled: false } },
        { type: 'B', mechanism: { type: 'onerror', handled: true } },
      ],
    })
    expect(tagOf(event, 'handled')).toBe('no')
    expect(tagOf(event, 'mechanism')).toBe('onerror')
  })
})

describe('stack traces', () => {
  const framesOf = (frame: unknown) => {
    const event = normalised({ exception: [{ type: 'E', stacktrace: { frames: [frame] } }] })
    return { frame: event.exception?.values[0]?.stacktrace?.frames[0], errors: event.errors }
  }

  it.each(['12', -1, 1e30, 1.5, true])('check 61: lineno %j is removed, the frame stays', (lineno) => {
    const { frame, errors } = framesOf({ function: 'f', lineno, colno: 3 })
    expect(frame).toEqual({ function: 'f', colno: 3 })
    expect(errors).toMatchObject([{ type: 'invalid_data', name: 'exception.values.0.stacktrace.frames.0.lineno' }])
  })

  it('takes line 0 as unknown, without a note', () => {
    expect(framesOf({ function: 'f', lineno: 0, colno: null })).toEqual({ frame: { function: 'f' }, errors: [] })
  })

  it('check 62: the last 250 of 1000 frames stay, and details only at the edges', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => ({
      function: `f${index}`,
      vars: { index },
      pre_context: ['a'],
      context_line: 'b',
      post_context: ['c'],
    }))
    const stacktrace = normalised({ exception: [{ type: 'E', stacktrace: { frames } }] }).exception?.values[0]
      ?.stacktrace
    expect(stacktrace?.frames).toHaveLength(250)
    expect(stacktrace?.frames_omitted).toEqual([0, 750])
    expect(stacktrace?.frames[0]?.function).toBe('f750')
    expect(stacktrace?.frames.at(-1)?.function).toBe('f999')
    const withVars = stacktrace?.frames.flatMap((frame, index) => (frame.vars === undefined ? [] : [index]))
    expect(withVars).toEqual([...Array(25).keys(), ...Array.from({ length: 25 }, (_, index) => 225 + index)])
    expect(stacktrace?.frames[100]).toEqual({ function: 'f850', context_line: 'b' })
  })

  it('check 63: vars as a list get index keys', () => {
    expect(framesOf({ function: 'f', vars: ['a', { b: 1 }] }).frame?.vars).toEqual({ 0: 'a', 1: { b: 1 } })
  })

  it('keeps the whole URL as abs_path and shows its path', () => {
    expect(framesOf({ filename: 'https://cdn.example.com/a/b.js?v=1' }).frame).toEqual({
      filename: '/a/b.js',
      abs_path: 'https://cdn.example.com/a/b.js?v=1',
    })
    expect(framesOf({ filename: 'app/x.py', abs_path: '/srv/app/x.py' }).frame).toEqual({
      filename: 'app/x.py',
      abs_path: '/srv/app/x.py',
    })
    expect(framesOf({ filename: 'https://example.com/' }).frame?.filename).toBe('https://example.com/')
  })

  it('reads addresses as numbers and hex', () => {
    expect(
      framesOf({ instruction_addr: 4096, image_addr: '0xAB', symbol_addr: '16', addr_mode: 'rel:1' }).frame,
    ).toEqual({
      instruction_addr: '0x1000',
      image_addr: '0xab',
      symbol_addr: '0x10',
      addr_mode: 'rel:1',
    })
  })

  it.each([{ package: 'libshop.so' }, { context_line: 'pay()' }, { raw_function: '_ZN4shop3payEv' }])(
    'a frame with only %j stays',
    (frame) => {
      expect(framesOf(frame)).toEqual({ frame, errors: [] })
    },
  )

  it('a frame that says nothing goes', () => {
    expect(framesOf({ lineno: 3, in_app: true }).frame).toBeUndefined()
  })

  it('keeps what Java and .NET say of a frame, a thread and a stack', () => {
    const frame = {
      function: 'wait',
      lock: { type: 2, address: '0x0d3a2f0a', package_name: 'java.lang', class_name: 'Object', thread_id: 11 },
      native: true,
      function_id: '0x6000005',
      symbol: 'wait',
      trust: 'cfi',
      lang: 'java',
    }
    expect(framesOf(frame)).toEqual({ frame, errors: [] })
    const stacktrace = { frames: [frame], lang: 'java', instruction_addr_adjustment: 'none' }
    const thread = { id: '11', held_locks: { '0x0d3a2f0a': { type: 1 } }, stacktrace }
    expect(normalised({ threads: [thread] }).threads?.values).toEqual([thread])
  })
})

it('debug images of before 2018 have the words of today', () => {
  const images = [
    { type: 'symbolic', id: '494f3aea-88fa-4296-9644-fa8ef5d139b6-1234', name: '/opt/shop/libshop.so', image_size: 4 },
    { type: 'apple', uuid: '494f3aea-88fa-4296-9644-fa8ef5d139b6', name: 'Shop' },
    { type: 'symbolic', debug_id: 'own', id: 'old' },
    { type: 'elf', debug_id: 'x', code_file: 'libpay.so', name: 'kept' },
    null,
  ]
  expect(normalised({ debug_meta: { images } }).debug_meta).toEqual({
    images: [
      {
        type: 'symbolic',
        debug_id: '494f3aea-88fa-4296-9644-fa8ef5d139b6-1234',
        code_file: '/opt/shop/libshop.so',
        image_size: 4,
      },
      { type: 'macho', debug_id: '494f3aea-88fa-4296-9644-fa8ef5d139b6', code_file: 'Shop' },
      { type: 'symbolic', debug_id: 'own' },
      { type: 'elf', debug_id: 'x', code_file: 'libpay.so', name: 'kept' },
      null,
    ],
  })
})
