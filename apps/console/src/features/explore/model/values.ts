import { formatBytes, formatCompact, formatCount, formatExact } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { formatRate, formatRateIn, formatShare, rateUnitOf } from '../../performance/model/index.ts'
import { sizeOfUnit } from './units.ts'

/** Of what kind the values of a column are, as the server says it. */
export interface Kind {
  readonly type: string
  readonly unit: string | null
}

const NUMBERS = new Set(['integer', 'number', 'duration', 'size', 'percentage', 'rate'])

export const isNumber = ({ type }: Kind): boolean => NUMBERS.has(type)

/** `3.18 s`, `0.9%`, `31.2 /min`, `44,928`; nothing is a dash. */
export function formatValue({ type, unit }: Kind, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && type === 'date') return formatExact(Date.parse(value))
  if (typeof value !== 'number') return plainText(value)
  switch (type) {
    case 'duration':
      return formatSpent(value * sizeOfUnit(unit))
    case 'percentage':
      return formatShare(value * sizeOfUnit(unit))
    case 'size':
      return formatBytes(value * sizeOfUnit(unit))
    case 'rate':
      return `${formatRate(value)} ${unit === '1/second' ? '/s' : '/min'}`
    default:
      return Number.isInteger(value) ? formatCount(value) : formatPlain(value)
  }
}

/** For the values of one column: rates by the minute in one unit, so that they can be compared at a glance. */
export function formatterOf(kind: Kind, values: readonly unknown[]): (value: unknown) => string {
  if (kind.type !== 'rate' || kind.unit === '1/second') return (value) => formatValue(kind, value)
  const unit = rateUnitOf(values.filter((value) => typeof value === 'number'))
  return (value) => (typeof value === 'number' ? `${formatRateIn(value, unit)} ${unit.text}` : formatValue(kind, value))
}

/** As it is searched for. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** For the ticks of an axis. */
export function formatTick(kind: Kind, value: number): string {
  if (value === 0) return '0'
  return kind.type === 'integer' || (kind.type === 'number' && Math.abs(value) >= 1000)
    ? formatCompact(value)
    : formatValue(kind, value)
        .replace(/(\.\d*?)0+(?=\D|$)/, '$1')
        .replace(/\.(?=\D|$)/, '')
}

function formatPlain(value: number): string {
  const size = Math.abs(value)
  return size >= 100 ? formatCount(Math.round(value)) : size >= 1 ? value.toFixed(2) : value.toPrecision(2)
}
