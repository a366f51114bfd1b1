import { guard } from './guard.ts'
import type { BrowserOptions, Event, Pattern } from './types.ts'

/** Sentences of browsers which nobody can do anything about. */
const NOISE: readonly Pattern[] = [/^(Javascript error: )?Script error\.?( on line 0)?$/, /^ResizeObserver loop /]

const list = (patterns: Pattern[] | undefined): Pattern[] => (Array.isArray(patterns) ? patterns : [])

/** `search` begins at the start whatever state a pattern with the flag `g` is in. */
export const matches = (value: string, patterns: readonly Pattern[]): boolean =>
  patterns.some((pattern) =>
    guard(() => (typeof pattern === 'string' ? value.includes(pattern) : value.search(pattern) >= 0), false),
  )

/** By what it says and where it comes from. */
export const isIgnored = (event: Event, options: BrowserOptions): boolean => {
  const { type = '', value = '', stacktrace } = event.exception?.values?.at(-1) ?? {}
  const said = [event.message ?? '', value, `${type}: ${value}`]
  const patterns = [...NOISE, ...list(options.ignoreErrors)]
  if (said.some((entry) => matches(entry, patterns))) return true
  const file = stacktrace?.frames?.findLast(({ filename }) => filename && !/^[<[]/.test(filename))?.filename
  if (file === undefined) return false
  const allowUrls = list(options.allowUrls)
  return matches(file, list(options.denyUrls)) || (allowUrls.length > 0 && !matches(file, allowUrls))
}
