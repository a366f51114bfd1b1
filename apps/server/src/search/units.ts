import type { Quantity } from './values.ts'

/** What a unit of measured values measures, and how many milliseconds, bytes or wholes one of it is. */
export interface Unit {
  readonly quantity: Exclude<Quantity, 'any'>
  readonly size: number
}

const DURATIONS: readonly (readonly [string, number])[] = [
  ['nanosecond', 1e-6],
  ['microsecond', 1e-3],
  ['millisecond', 1],
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
]

const PREFIXES = ['kilo', 'mega', 'giga', 'tera', 'peta', 'exa'].map(
  (prefix, index) => [prefix, 1000 ** (index + 1)] as const,
)
const BINARY = ['kibi', 'mebi', 'gibi', 'tebi', 'pebi', 'exbi'].map(
  (prefix, index) => [prefix, 1024 ** (index + 1)] as const,
)

/** By the names that SDKs have for them (protocol.md 3.2). */
const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...DURATIONS.map(([name, size]) => [name, { quantity: 'duration', size }] as const),
  ['bit', { quantity: 'size', size: 1 / 8 }],
  ['byte', { quantity: 'size', size: 1 }],
  ...[...PREFIXES, ...BINARY].map(([prefix, size]) => [`${prefix}byte`, { quantity: 'size', size }] as const),
  ['ratio', { quantity: 'percentage', size: 1 }],
  ['percent', { quantity: 'percentage', size: 0.01 }],
])

/** Null for any other word: its values are plain numbers. */
export const readUnit = (name: string): Unit | null => UNITS.get(name) ?? null
