import { PAGE_LIMIT_MAX, RETENTION_DAYS_MAX, RETENTION_DAYS_MIN } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { EVENT_LIMITS, LIMITS } from '../../src/limits.ts'
import { child, children, constant, nameOf, readSource } from './source.ts'
import type { Node } from './source.ts'
import { cell, differences, tableOf } from './spec-tables.ts'
import type { Fact } from './spec-tables.ts'

/** How much of its own kind a unit is: bytes, milliseconds or things. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** `64 KiB` → 65536, `5 s` → 5000, `2,000` → 2000. */
const readQuantity = (text: string): number => {
  const [, number = '', unit = ''] = /^([\d,]+) ?([A-Za-z]*)$/.exec(text) ?? []
  const factor = UNITS[unit]
  if (number === '' || factor === undefined) throw new Error(`docs/spec.md: "${text}" is not a quantity`)
  return Number(number.replaceAll(',', '')) * factor
}

/** A limit's value in bytes, milliseconds or things, by the unit in its name. */
const baseValue = (name: string, value: number): number => {
  if (name.endsWith('_SECONDS')) return value * 1000
  if (name.endsWith('_HOURS')) return value * 3_600_000
  return /_DAYS(?:_M..)?$/.test(name) ? value * 86_400_000 : value
}

const documented = (table: string): Fact[] =>
  tableOf(table).map((row) => [cell(row, 'name'), String(readQuantity(cell(row, 'value')))])

const inCode = (limits: Readonly<Record<string, number>>): Fact[] =>
  Object.entries(limits).map(([name, value]) => [name, String(baseValue(name, value))])

describe('docs/spec.md section 9', () => {
  it('names every limit of the server with its value', () => {
    expect(differences('limits', documented('limits'), inCode(LIMITS))).toEqual([])
  })

  it('names every limit of an event with its value', () => {
    expect(differences('event-limits', documented('event-limits'), inCode(EVENT_LIMITS))).toEqual([])
  })

  it('names the limits of the contract with their values', () => {
    const limits = { PAGE_LIMIT_MAX, RETENTION_DAYS_MIN, RETENTION_DAYS_MAX }
    expect(differences('contract-limits', documented('contract-limits'), inCode(limits))).toEqual([])
  })

  it('says why every limit is there', () => {
    const silent = ['limits', 'event-limits', 'contract-limits', 'navigation']
      .flatMap((table) => tableOf(table))
      .filter((row) => cell(row, 'meaning') === '')
    expect(silent).toEqual([])
  })

  it("has the numbers of the console's navigation", () => {
    const { program } = readSource('apps/console/src/shell/navigation/policy.ts')
    const names = children(program, 'body')
      .map((statement) => children(child(statement, 'declaration'), 'declarations')[0])
      .map((declarator) => nameOf(child(declarator, 'id')) ?? '')
    const evaluate = (node: Node | null): number => {
      if (node?.type === 'Literal') return Number(node['value'])
      if (node?.type === 'BinaryExpression') return evaluate(child(node, 'left')) * evaluate(child(node, 'right'))
      return evaluate(constant(program, nameOf(node) ?? ''))
    }
    // Two constants of this file do not carry their unit in their name.
    const unit: Readonly<Record<string, number>> = { PREFETCH_TTL: 1000 }
    const code = names.map((name): Fact => [name, String(evaluate(constant(program, name)) * (unit[name] ?? 1))])
    expect(differences('navigation', documented('navigation'), code)).toEqual([])
  })
})
