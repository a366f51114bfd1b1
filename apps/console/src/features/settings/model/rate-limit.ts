/** Windows that the form offers, in seconds. */
export const WINDOWS = [
  { value: '60', label: 'per minute' },
  { value: '3600', label: 'per hour' },
  { value: '86400', label: 'per day' },
] as const

export interface Limit {
  readonly window: number
  readonly count: number
}

const MAX_COUNT = 1_000_000_000

/** Reads a limit as typed. An empty count is "no limit". */
export function readLimit(
  count: string,
  window: string,
): { readonly limit: Limit | null } | { readonly error: string } {
  const text = count.replaceAll(/[\s,.']/g, '')
  if (text === '') return { limit: null }
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > MAX_COUNT) {
    return { error: 'Write a whole number of events, or nothing for no limit.' }
  }
  return { limit: { count: value, window: Number(window) } }
}

/** `1,000 per hour`, or `every 90 s` for windows that the form does not offer. */
export function describeLimit(limit: Limit | null): string {
  if (limit === null) return 'no limit'
  const window = WINDOWS.find((option) => option.value === String(limit.window))
  return `${limit.count.toLocaleString('en-US')} ${window?.label ?? `every ${limit.window} s`}`
}
