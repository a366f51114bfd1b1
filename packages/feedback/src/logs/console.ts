import { FILTERED } from '../send/scrub-url.ts'
import { maskText } from './masking.ts'
import { isSecretName } from './pairs.ts'
import { LINE_CHARS, type Line } from './ring.ts'
import { quietly, wrap } from './wrap.ts'

const LEVELS = { debug: 'debug', info: 'info', log: 'log', warn: 'warning', error: 'error' } as const

/** Of one value, and of all of a line. */
const MOST_ENTRIES = 50
const MOST_VALUES = 10

/** An array or an object with no more entries than that: what is not said shall cost the page nothing. */
const beginOf = (value: object, entries: number): object => {
  if (Array.isArray(value)) return value.slice(0, entries)
  if (ArrayBuffer.isView(value)) return [Object.prototype.toString.call(value)]
  const names = Object.keys(value)
  if (names.length <= entries) return value
  return Object.fromEntries(names.slice(0, entries).map((name) => [name, (value as Record<string, unknown>)[name]]))
}

export const jsonOf = (value: object): string => {
  let entries = 0
  return JSON.stringify(value, (key, inner: unknown) => {
    entries += 1
    if (entries > MOST_ENTRIES) return undefined
    if (isSecretName(key)) return FILTERED
    if (typeof inner === 'object' && inner !== null) return beginOf(inner, MOST_ENTRIES - entries)
    return typeof inner === 'string' ? inner.slice(0, LINE_CHARS) : inner
  })
}

/** Elements, maps and other objects of the browser are called by what they are. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || prototype === Object.prototype
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (typeof value !== 'object' || value === null) return String(value)
  return isPlain(value) ? jsonOf(value) : Object.prototype.toString.call(value)
}

export const watchConsole = (add: (line: Line) => void): (() => void) => {
  // Reading a value may say something on the console itself.
  let isInside = false
  const undo = (Object.keys(LEVELS) as (keyof typeof LEVELS)[]).map((name) =>
    wrap(console, name, (call, _, given) => {
      if (!isInside) {
        isInside = true
        quietly(() => {
          const message = maskText(given.slice(0, MOST_VALUES).map(textOf).join(' '))
          add({ timestamp: Date.now() / 1000, category: 'console', level: LEVELS[name], message })
        })
        isInside = false
      }
      return call()
    }),
  )
  return () => undo.forEach((back) => back())
}
