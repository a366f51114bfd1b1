import { attributeOf } from './element.ts'
import { inputTypeOf } from './role.ts'
import type { PageNode } from '../page-tree.ts'

/** Values by the type of the field, for what was masked when it was recorded. */
const VALUES: Readonly<Record<string, string>> = {
  color: '#336699',
  date: '2026-01-15',
  'datetime-local': '2026-01-15T12:00',
  email: 'someone@example.com',
  month: '2026-01',
  tel: '5550100',
  time: '12:00',
  url: 'https://example.com/',
  week: '2026-W03',
}

const NUMBERS: ReadonlySet<string> = new Set(['number', 'range'])

const lengthIn = (node: PageNode, name: string, otherwise: number): number => {
  const length = Number(attributeOf(node, name) ?? otherwise)
  return Number.isInteger(length) && length >= 0 && length <= 100 ? length : otherwise
}

/** Something that the field takes, unless its pattern wants more than can be guessed. */
export const standIn = (node: PageNode): string => {
  const type = node.tag === 'input' ? inputTypeOf(node) : ''
  if (NUMBERS.has(type)) {
    const least = Number(attributeOf(node, 'min') ?? '1')
    return Number.isFinite(least) ? String(least) : '1'
  }
  const digits = /\\d|\[0-9\]/.test(attributeOf(node, 'pattern') ?? '') || attributeOf(node, 'inputmode') === 'numeric'
  const value = VALUES[type] ?? (digits ? '1234567890' : 'Stand-in')
  return value.padEnd(lengthIn(node, 'minlength', 0), '1').slice(0, lengthIn(node, 'maxlength', 100))
}
