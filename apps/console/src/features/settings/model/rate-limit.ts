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
    return { error: 'Enter a whole number of events, or leave it empty for no limit.' }
  }
  return { limit: { count: value, window: Number(window) } }
}

/** What a key is held to: `1,000 per hour, 1 MB per day`; only what is set. */
export function describeLimits(limit: Limit | null, bytesPerDay: number | null): string {
  const set = [
    ...(limit === null ? [] : [describeCount(limit)]),
    ...(bytesPerDay === null ? [] : [`${describeBytes(bytesPerDay)} per day`]),
  ]
  return set.length === 0 ? 'no limit' : set.join(', ')
}

/** In the decimal units of the form: `1 MB`, `2.5 GB`. */
function describeBytes(bytes: number): string {
  return bytes < 1e9 ? `${bytes / 1e6} MB` : `${bytes / 1e9} GB`
}

/** `every 90 s` for windows that the form does not offer. */
function describeCount(limit: Limit): string {
  const window = WINDOWS.find((option) => option.value === String(limit.window))
  return `${limit.count.toLocaleString('en-US')} ${window?.label ?? `every ${limit.window} s`}`
}
