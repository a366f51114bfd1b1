import { guard, text } from './guard.ts'
import type { DebugImage, StackFrame } from './types.ts'

/** Frames of one stack that are sent, as every SDK does (protocol.md 3.1.2), and characters of one line that are read. */
const MAX_FRAMES = 50
const MAX_LINE = 1024

const UNKNOWN = '?'
/** Code of the browser itself and of its extensions, and what is no file: `[wasm code]`, `index 0` of a `Promise.all`. */
const FOREIGN = /^([[<]|native|index |[a-z-]+-(extension|masked-url):)/

const frameOf = (name: string, filename: string, lineno?: number, colno?: number): StackFrame => ({
  filename,
  function: name === '' || name === '<anonymous>' ? UNKNOWN : name,
  in_app: !FOREIGN.test(filename),
  ...(lineno && { lineno }),
  ...(colno && { colno }),
})

/** `file:line:column`, or a file alone. */
const placeOf = (name: string, place: string): StackFrame => {
  const [, file = place, line, column] = /^(.+?)(?::(\d+))?(?::(\d+))?$/.exec(place) ?? []
  return frameOf(name, file, Number(line), Number(column))
}

/** `at new Basket (https://…/app.js:1:2)`, `at async https://…/app.js:1:2`. */
const chromeFrame = (line: string): StackFrame => {
  const rest = line.replace(/^at (async )?/, '')
  const bracket = rest.endsWith(')') ? rest.indexOf(' (') : -1
  if (bracket < 0) return placeOf('', rest)
  const name = rest.slice(0, bracket)
  const place = rest.slice(bracket + 2, -1)
  // eval at run (https://…/app.js:1:2), <anonymous>:1:1 – innermost brackets hold the place that somebody can look at.
  const evaluated = place.startsWith('eval at ') ? /\(([^()]+:\d+:\d+)\)/.exec(place) : null
  return placeOf(name, evaluated?.[1] ?? place.replace(/^address at /, ''))
}

/** Firefox and Safari: `add@https://…/app.js:1:2`, `https://…/app.js:1:2`, `[native code]`. */
const geckoFrame = (line: string): StackFrame | null => {
  // Addresses may hold an @ (https://cdn/lib@1.2/x.js); names of functions hardly do.
  const at = /^[^:]*@/.exec(line)?.[0].length ?? 0
  if (at === 0 && !/^[\w-]+:\/\/|^\[native code\]$/.test(line)) return null
  // What Firefox calls `outer/<` has no name; the server knows that, and readers like to know the one around it.
  const name = line.slice(0, Math.max(0, at - 1))
  const place = line.slice(at)
  // Code in eval is found by the line that calls it: `app.js line 3 > eval:1:1`.
  return placeOf(name, place.replace(/ line (\d+) > .*$/, ':$1'))
}

/** Frames of Chrome, Edge, Firefox and Safari, outermost call first. Lines that say nothing are left out. */
export const parseStack = (stack: string): StackFrame[] => {
  const frames: StackFrame[] = []
  // Long messages stand above the frames.
  for (const whole of stack.slice(-256_000).split('\n')) {
    const line = whole.trim()
    if (line.length > MAX_LINE || line === '') continue
    const frame = /^at \S/.test(line) ? chromeFrame(line) : whole.startsWith(' ') ? null : geckoFrame(line)
    if (frame !== null) frames.push(frame)
    if (frames.length === MAX_FRAMES) break
  }
  return frames.reverse()
}

/**
 * Stack of an error. In Chrome it begins with type and message, which may look like frames. Elsewhere it has frames only, in
 * which a short message may well occur: `app` in `app.js`. So the message is looked for as Chrome writes it, behind a blank
 * (or at the very beginning) and at the end of a line.
 */
export const framesOf = (error: unknown): StackFrame[] =>
  guard(() => {
    const { stack, message } = error as { stack?: unknown; message?: unknown }
    if (typeof stack !== 'string') return []
    const said = text(message, Infinity)
    const start = ` ${stack.slice(0, said.length + 200)}`.indexOf(` ${said}\n`)
    return parseStack(start < 0 ? stack : stack.slice(start + said.length))
  }, [])

const known = new Map<string, string>()
const seen = new Set<string>()

/** Stacks that bundler plug-ins leave, one for each file: they say where the file is, and the value is its debug id. */
const readDebugIds = (): void => {
  const { _sentryDebugIds, _debugIds } = globalThis as { _sentryDebugIds?: object; _debugIds?: object }
  for (const [stack, id] of Object.entries({ ..._debugIds, ..._sentryDebugIds })) {
    if (seen.has(stack)) continue
    seen.add(stack)
    const filename = parseStack(stack).at(-1)?.filename
    if (filename !== undefined) known.set(filename, text(id, 64))
  }
}

/** Which source maps belong to the files of these frames (protocol.md 6.1). */
export const debugImages = (frames: readonly StackFrame[]): DebugImage[] => {
  guard(readDebugIds)
  const files = new Set(frames.map((frame) => frame.filename ?? ''))
  return [...files].flatMap((code_file) => {
    const debug_id = known.get(code_file)
    return debug_id === undefined ? [] : [{ type: 'sourcemap', code_file, debug_id }]
  })
}
