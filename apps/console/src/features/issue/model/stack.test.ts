import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { exceptionRows, handledLabel } from './exceptions.ts'
import {
  firstFrameToOpen,
  foldFrames,
  foldLabel,
  frameLocation,
  functionLabel,
  origin,
  packageOf,
  rawStack,
} from './frames.ts'
import { event, exception, frame, mechanism } from './testing.ts'
import { shownThreads, threadLabel } from './threads.ts'

describe('foldFrames', () => {
  const react = 'https://shop.test/node_modules/react-dom/cjs/react-dom.js'
  const frames = [
    frame({ index: 0, functionName: 'CartSummary' }),
    frame({ index: 1, functionName: 'renderHeader' }),
    ...[2, 3, 4].map((index) => frame({ index, inApp: false, path: react })),
    frame({ index: 5, functionName: 'navigate' }),
    frame({ index: 6, inApp: false, path: 'node:internal/timers' }),
  ]

  it('folds runs of frames that are not one’s own under the library’s name; a single one stays', () => {
    const rows = foldFrames(frames, 'app', new Set())
    expect(rows.map((row) => (row.kind === 'fold' ? row.label : row.frame.functionName))).toEqual([
      'CartSummary',
      'renderHeader',
      '3 frames of react-dom',
      'navigate',
      'run',
    ])
  })

  it('shows the frames of an opened fold below it', () => {
    expect(foldFrames(frames, 'app', new Set(['fold-2']))).toHaveLength(8)
  })

  it('keeps the frame that threw even when it is a library’s', () => {
    const thrown = [
      frame({ index: 0, inApp: false, functionName: 'parse' }),
      frame({ index: 1, inApp: false }),
      frame({ index: 2, inApp: false }),
      frame({ index: 3 }),
    ]
    const rows = foldFrames(thrown, 'app', new Set())
    expect(rows.map((row) => row.kind)).toEqual(['frame', 'fold', 'frame'])
  })

  it('shows a stack whole when no frame is one’s own', () => {
    const foreign = [0, 1, 2].map((index) => frame({ index, inApp: false }))
    expect(foldFrames(foreign, 'app', new Set())).toHaveLength(3)
  })

  it('never loses or repeats a frame, whatever is folded', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (own) => {
        const all = own.map((inApp, index) => frame({ index, inApp }))
        const shown = foldFrames(all, 'app', new Set()).flatMap((row) =>
          row.kind === 'fold' ? row.frames : [row.frame],
        )
        expect(shown.map((entry) => entry.index)).toEqual(all.map((entry) => entry.index))
      }),
    )
  })
})

describe('frames', () => {
  it.each([
    ['/srv/app/node_modules/@sentry/node/build/index.js', '@sentry/node'],
    ['/srv/node_modules/.pnpm/express@4.1.0/node_modules/express/lib/router.js', 'express'],
    ['/usr/lib/python3.12/site-packages/django/core/handlers.py', 'django'],
    ['/home/ann/go/pkg/mod/github.com/gin/context.go', 'github.com'],
    ['node:internal/process/task_queues', 'node'],
    ['https://cdn.example.net/tag.js', 'cdn.example.net'],
    ['/srv/shop/cart.js', ''],
  ])('says that %s is of %j', (path, name) => {
    expect(origin(frame({ index: 0, path }))).toBe(name)
  })

  it('names several libraries and counts the rest', () => {
    const paths = ['a', 'b', 'c', 'd'].map((name, index) => frame({ index, path: `/x/node_modules/${name}/i.js` }))
    expect(foldLabel(paths)).toBe('4 frames of a, b and 2 more')
    expect(foldLabel([frame({ index: 0 })])).toBe('1 frame outside your code')
  })

  it('shows a place without the page’s origin and without a query', () => {
    expect(
      frameLocation(frame({ index: 0, filename: 'https://shop.test/assets/app.js?v=2', line: 9, column: 12 })),
    ).toBe('/assets/app.js:9:12')
    expect(frameLocation(frame({ index: 0, filename: 'webpack:///./src/cart.ts', line: null }))).toBe('src/cart.ts')
  })

  it('calls a method of the JVM by its class, once', () => {
    const till = { index: 0, className: 'com.acme.shop.Till' }
    expect(functionLabel(frame({ ...till, functionName: 'close' }))).toBe('com.acme.shop.Till.close')
    expect(functionLabel(frame({ ...till, functionName: 'com.acme.shop.Till.close' }))).toBe('com.acme.shop.Till.close')
    expect(functionLabel(frame({ index: 0, functionName: 'close' }))).toBe('close')
    expect(packageOf(frame(till))).toBe('com.acme.shop.')
    expect(packageOf(frame({ index: 0, className: 'Till' }))).toBe('')
  })

  it('opens the newest frame of one’s own that has source', () => {
    const source = [{ line: 1, text: 'x' }]
    const frames = [frame({ index: 0, inApp: false, source }), frame({ index: 1 }), frame({ index: 2, source })]
    expect(firstFrameToOpen(frames)?.index).toBe(2)
  })

  it('prints stacks as the language’s own terminal does', () => {
    const frames = [
      frame({ index: 0, functionName: 'f', path: '/a.js', line: 2, column: 3 }),
      frame({ index: 1, functionName: '?', path: '/b.js' }),
    ]
    expect(rawStack('TypeError', 'boom', frames, 'node')).toBe('TypeError: boom\n    at f (/a.js:2:3)\n    at /b.js:1')
    const till = frame({ index: 0, functionName: 'close', className: 'com.acme.Till', filename: 'Till.kt', line: 40 })
    expect(rawStack('Refused', 'no', [till], 'java')).toBe('Refused: no\n    at com.acme.Till.close(Till.kt:40)')
    expect(rawStack('KeyError', "'x'", frames, 'python').split('\n')[1]).toBe('  File "/b.js", line 1, in <anonymous>')
  })
})

describe('threads', () => {
  const stack = { frames: [frame({ index: 0 })], omitted: 0, registers: [] }
  const thread = { id: '1', name: '', crashed: false, current: false, state: '', stack }
  const drawing = { ...thread, id: '7', name: 'RenderThread', state: 'WAITING' }
  const main = { ...thread, name: 'main', crashed: true, current: true }

  it('begin with the one that crashed, though its stack is that of the error', () => {
    const crashed = { ...main, stack: null }
    const shown = shownThreads(event({ threads: [drawing, crashed], exceptions: [exception({ stack })] }))
    expect(shown.map(threadLabel)).toEqual(['main, crashed, current', 'RenderThread, WAITING'])
    const running = { ...thread, id: '3', current: true }
    expect(shownThreads(event({ threads: [drawing, running, main] })).map(({ id }) => id)).toEqual(['1', '3', '7'])
  })

  it('are not shown when there is nothing to show of them', () => {
    const crashed = { ...main, stack: null }
    expect(shownThreads(event({ threads: [crashed], exceptions: [exception({ stack })] }))).toEqual([])
    expect(shownThreads(event({ threads: [drawing, crashed] })).map(({ id }) => id)).toEqual(['7'])
  })
})

describe('exceptionRows', () => {
  it('puts what was caught first and its cause below', () => {
    const rows = exceptionRows([exception({ type: 'TypeError' }), exception({ type: 'Error' })])
    expect(rows.map((row) => [row.exception.type, row.link])).toEqual([
      ['Error', ''],
      ['TypeError', 'cause'],
    ])
  })

  it('draws an exception group as a tree in the order of its ids', () => {
    const rows = exceptionRows([
      exception({ type: 'RangeError', mechanism: mechanism({ id: 2, parentId: 0, source: 'errors[1]' }) }),
      exception({ type: 'Inner', mechanism: mechanism({ id: 3, parentId: 1, source: 'cause' }) }),
      exception({ type: 'Error', mechanism: mechanism({ id: 1, parentId: 0, source: 'errors[0]' }) }),
      exception({ type: 'AggregateError', mechanism: mechanism({ id: 0, isGroup: true }) }),
    ])
    expect(rows.map((row) => [row.exception.type, row.depth, row.link])).toEqual([
      ['AggregateError', 0, ''],
      ['Error', 1, 'errors[0]'],
      ['Inner', 2, 'cause'],
      ['RangeError', 1, 'errors[1]'],
    ])
    expect(rows[0]?.isGroup).toBe(true)
  })

  it('keeps a plain chain of causes at the edge', () => {
    const rows = exceptionRows([
      exception({ type: 'Inner', mechanism: mechanism({ id: 2, parentId: 1, source: 'cause' }) }),
      exception({ type: 'Middle', mechanism: mechanism({ id: 1, parentId: 0, source: 'cause' }) }),
      exception({ type: 'Outer', mechanism: mechanism({ id: 0 }) }),
    ])
    expect(rows.map((row) => [row.exception.type, row.depth])).toEqual([
      ['Outer', 0],
      ['Middle', 0],
      ['Inner', 0],
    ])
  })

  it('shows every exception once, whatever nonsense the ids are', () => {
    const id = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null })
    fc.assert(
      fc.property(fc.array(fc.tuple(id, id), { maxLength: 12 }), (ids) => {
        const list = ids.map(([own, parentId], index) =>
          exception({ type: `E${index}`, mechanism: mechanism({ id: own, parentId }) }),
        )
        const types = exceptionRows(list).map((row) => row.exception.type)
        expect(types.toSorted()).toEqual(list.map((entry) => entry.type).toSorted())
      }),
    )
  })

  it('says handled only when the SDK did', () => {
    expect(handledLabel(exception({ mechanism: mechanism({ handled: false }) }))).toBe('unhandled')
    expect(handledLabel(exception({}))).toBe('')
  })
})
