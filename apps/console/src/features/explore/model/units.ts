import type { Kind } from './values.ts'

/** Units of what was measured: of which kind, and how many milliseconds, bytes or wholes one of it is. */
const UNITS: ReadonlyMap<string, { readonly type: Kind['type']; readonly size: number }> = new Map([
  ['nanosecond', { type: 'duration', size: 1e-6 }],
  ['microsecond', { type: 'duration', size: 1e-3 }],
  ['second', { type: 'duration', size: 1000 }],
  ['millisecond', { type: 'duration', size: 1 }],
  ['minute', { type: 'duration', size: 60_000 }],
  ['hour', { type: 'duration', size: 3_600_000 }],
  ['day', { type: 'duration', size: 86_400_000 }],
  ['week', { type: 'duration', size: 604_800_000 }],
  ['ratio', { type: 'percentage', size: 1 }],
  ['percent', { type: 'percentage', size: 0.01 }],
  ['bit', { type: 'size', size: 1 / 8 }],
  ['byte', { type: 'size', size: 1 }],
  ...['kilo', 'mega', 'giga', 'tera', 'peta', 'exa'].map(
    (prefix, index) => [`${prefix}byte`, { type: 'size', size: 1000 ** (index + 1) }] as const,
  ),
  ...['kibi', 'mebi', 'gibi', 'tebi', 'pebi', 'exbi'].map(
    (prefix, index) => [`${prefix}byte`, { type: 'size', size: 1024 ** (index + 1) }] as const,
  ),
])

/** Of values in this unit; plain numbers of any that is not known. */
export function kindOfUnit(unit: string): Kind {
  const known = UNITS.get(unit)
  return known === undefined ? { type: 'number', unit: null } : { type: known.type, unit }
}

/** How many milliseconds, bytes or wholes one of it is. */
export const sizeOfUnit = (unit: string | null): number => (unit === null ? 1 : (UNITS.get(unit)?.size ?? 1))
