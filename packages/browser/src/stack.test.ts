import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { debugImages, framesOf, parseStack } from './stack.ts'

const at = (stack: string): string[] =>
  parseStack(stack).map(({ function: name, filename, lineno, colno }) => `${name} ${filename} ${lineno}:${colno}`)

/** Stacks as the browsers wrote them. */
describe('stacks of Chrome and Edge', () => {
  it('functions, methods, constructors, async functions, code without a name', () => {
    const stack = `TypeError: Cannot read properties of null (reading 'items')
    at openBasket (https://shop.example/assets/app-3f.js:2:1337)
    at Basket.open [as onClick] (https://shop.example/assets/app-3f.js:2:1400)
    at new Basket (https://shop.example/assets/app-3f.js:2:1500)
    at async https://shop.example/assets/app-3f.js:2:1600
    at async Promise.all (index 0)
    at Array.map (<anonymous>)
    at https://shop.example/?a=1:12:5`
    expect(at(stack)).toEqual([
      '? https://shop.example/?a=1 12:5',
      'Array.map <anonymous> undefined:undefined',
      'Promise.all index 0 undefined:undefined',
      '? https://shop.example/assets/app-3f.js 2:1600',
      'new Basket https://shop.example/assets/app-3f.js 2:1500',
      'Basket.open [as onClick] https://shop.example/assets/app-3f.js 2:1400',
      'openBasket https://shop.example/assets/app-3f.js 2:1337',
    ])
  })

  it('eval is found where it is called', () => {
    const stack = `Error: in eval
    at eval (eval at run (https://shop.example/app.js:10:5), <anonymous>:1:7)
    at run (https://shop.example/app.js:10:5)
    at HTMLButtonElement.onclick (https://shop.example/:3:20)`
    expect(at(stack)).toEqual([
      'HTMLButtonElement.onclick https://shop.example/ 3:20',
      'run https://shop.example/app.js 10:5',
      'eval https://shop.example/app.js 10:5',
    ])
  })

  it('blobs, files, extensions, WebAssembly; code that is not the page’s is not in the app', () => {
    const stack = `Error: x
    at s (blob:http%3A//localhost%3A8080/d4eefe0f-361a-4682-b217-76587d9f712a:31:29146)
    at f (file:///C:/shop/app.js:4:2)
    at injected (chrome-extension://negengjfjfjmkcffiibnnkamhdhgbngo/content.js:1:2)
    at wasm-function[12] (wasm://wasm/0002b52a:wasm-function[12]:0x1a3)`
    expect(parseStack(stack).map((frame) => [frame.function, frame.in_app])).toEqual([
      ['wasm-function[12]', true],
      ['injected', false],
      ['f', true],
      ['s', true],
    ])
  })

  it('a message that looks like frames is not taken for them', () => {
    const error = new Error('first\n    at fake (https://evil.example/x.js:1:1)\n    at fake2 (y.js:2:2)')
    expect(framesOf(error).some((frame) => frame.function?.startsWith('fake'))).toBe(false)
    expect(framesOf(error).length).toBeGreaterThan(0)
  })
})

describe('stacks of Firefox', () => {
  it('functions, nested ones, code without a name, addresses with @', () => {
    const stack = `openBasket@https://shop.example/app.js:12:9
onBasket/<@https://shop.example/app.js:20:3
@https://shop.example/app.js:30:1
EventListener.handleEvent*@https://shop.example/app.js:31:1
async*load@https://cdn.example/lib@1.2.3/dist/lib.js:1:5000
baz@moz-extension://0b9d1c/content.js:3:4
`
    expect(at(stack)).toEqual([
      'baz moz-extension://0b9d1c/content.js 3:4',
      'async*load https://cdn.example/lib@1.2.3/dist/lib.js 1:5000',
      'EventListener.handleEvent* https://shop.example/app.js 31:1',
      '? https://shop.example/app.js 30:1',
      'onBasket/< https://shop.example/app.js 20:3',
      'openBasket https://shop.example/app.js 12:9',
    ])
    expect(parseStack(stack)[0]?.in_app).toBe(false)
  })

  it('eval is found where it is called', () => {
    const stack = `baz@http://localhost:8080/file.js line 26 > eval line 2 > eval:1:30
foo@http://localhost:8080/file.js line 26 > eval:2:96
speak@http://localhost:8080/file.js:33:9`
    expect(at(stack)).toEqual([
      'speak http://localhost:8080/file.js 33:9',
      'foo http://localhost:8080/file.js 26:undefined',
      'baz http://localhost:8080/file.js 26:undefined',
    ])
  })
})

describe('stacks of Safari', () => {
  it('functions, the browser’s own code, code of the page', () => {
    const stack = `openBasket@https://shop.example/app.js:12:9
forEach@[native code]
@https://shop.example/app.js:14:3
async load@https://shop.example/app.js:15:2
global code@https://shop.example/app.js:40:1
https://shop.example/app.js:41:2
[native code]`
    expect(at(stack)).toEqual([
      '? [native code] undefined:undefined',
      '? https://shop.example/app.js 41:2',
      'global code https://shop.example/app.js 40:1',
      'async load https://shop.example/app.js 15:2',
      '? https://shop.example/app.js 14:3',
      'forEach [native code] undefined:undefined',
      'openBasket https://shop.example/app.js 12:9',
    ])
    expect(parseStack(stack)[5]?.in_app).toBe(false)
  })
})

describe('what is no file of the page', () => {
  it('code of the browser, of its extensions, of WebAssembly, and the place in a Promise.all', () => {
    const stack = `openBasket@https://shop.example/app.js:12:9
<?>.wasm-function[3]@[wasm code]
inject@webkit-masked-url://hidden/:2:5
inject@safari-web-extension://0b9d1c/content.js:1:1`
    expect(parseStack(stack).map((frame) => frame.in_app)).toEqual([false, false, false, true])
    expect(parseStack('Error\n    at async Promise.all (index 0)')[0]?.in_app).toBe(false)
  })
})

describe('messages that occur in a stack without them, as Firefox and Safari write it', () => {
  const stack = `app@https://shop.example/app.js:12:9
onBasket@https://shop.example/app.js:20:3
@https://shop.example/app.js:30:1
`
  it.each(['app', 'a', ':', '9', '12:9', 'https://shop.example/app.js', 'shop', '@', ' ', '\n', 'basket'])(
    '%j costs no frame',
    (message) => {
      expect(framesOf({ stack, message })).toEqual(parseStack(stack))
    },
  )

  it.each(['app', 'Error', 'r', '    at fake (https://evil.example/x.js:1:1)', 'a\n    at fake (b.js:1:1)'])(
    'in Chrome, %j is no frame',
    (message) => {
      const frames = framesOf({
        stack: `Error: ${message}\n    at app (https://shop.example/app.js:12:9)\n    at https://shop.example/app.js:30:1`,
        message,
      })
      expect(frames.map((frame) => frame.lineno)).toEqual([30, 12])
    },
  )
})

describe('any stack', () => {
  it('has at most 50 frames, the innermost ones', () => {
    const stack = Array.from(
      { length: 80 },
      (_, index) => `    at f${index} (https://a.example/a.js:1:${index + 1})`,
    ).join('\n')
    const frames = parseStack(stack)
    expect(frames).toHaveLength(50)
    expect(frames.at(-1)?.function).toBe('f0')
  })

  it('never throws, whatever is written there', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(\s*at [@(:)\w<> \n]{0,60}\n)*$/)), (stack) => {
        expect(Array.isArray(parseStack(stack))).toBe(true)
      }),
    )
  })

  it('takes no longer for long lines', () => {
    expect(parseStack(`    at ${':1'.repeat(200_000)}\n@${'a:1'.repeat(100_000)}`)).toEqual([])
    expect(parseStack(`    at f${' ('.repeat(300)})`)).toHaveLength(1)
  })
})

describe('debug ids', () => {
  it('are found by the file of the stack that a bundler left, under both names', () => {
    Object.assign(globalThis, {
      _sentryDebugIds: { 'Error\n    at https://a.example/one.js:1:1': '11111111-1111-4111-8111-111111111111' },
      _debugIds: { '@https://a.example/two.js:1:1': '22222222-2222-4222-8222-222222222222' },
    })
    expect(
      debugImages([
        { filename: 'https://a.example/one.js' },
        { filename: 'https://a.example/two.js' },
        { filename: 'x' },
      ]),
    ).toEqual([
      { type: 'sourcemap', code_file: 'https://a.example/one.js', debug_id: '11111111-1111-4111-8111-111111111111' },
      { type: 'sourcemap', code_file: 'https://a.example/two.js', debug_id: '22222222-2222-4222-8222-222222222222' },
    ])
  })
})
