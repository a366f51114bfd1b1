import { PAGE_LIMIT_MAX, REPLAY_LINK_DAYS_MAX, RETENTION_DAYS_MAX, RETENTION_DAYS_MIN } from '@firsthand/contract'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CAPABILITIES } from '../../src/capabilities.ts'
import { EVENT_LIMITS, LIMITS as EVENT } from '../../src/event/limits.ts'
import { LIMITS as HTTP } from '../../src/http/limits.ts'
import { LIMITS as INGEST } from '../../src/ingest/limits.ts'
import { LIMITS as SERVER } from '../../src/limits.ts'
import { LIMITS as MAIL } from '../../src/mail/limits.ts'
import { LIMITS as SEARCH } from '../../src/search/limits.ts'
import { LIMITS as STORAGE } from '../../src/storage/limits.ts'
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

interface LimitsFile {
  readonly LIMITS: Readonly<Record<string, number>>
}

const SOURCE = join(import.meta.dirname, '..', '..', 'src')

/** Of what every capability goes through, then of the capabilities themselves. */
const DECLARED: readonly Readonly<Record<string, number>>[] = [
  SERVER,
  HTTP,
  INGEST,
  EVENT,
  STORAGE,
  SEARCH,
  MAIL,
  ...CAPABILITIES.flatMap(({ limits }) => (limits === undefined ? [] : [limits])),
]

describe('docs/spec.md section 9', () => {
  it('names every limit of the server and its capabilities with its value', () => {
    expect(differences('limits', documented('limits'), DECLARED.flatMap(inCode))).toEqual([])
  })

  it('knows each limit by a name that no other has', () => {
    const names = DECLARED.flatMap((limits) => Object.keys(limits))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('leaves no limits.ts out', async () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(^|\/)limits\.ts$/.test(file),
    )
    const modules = files.map(async (file) => ({
      file,
      ...((await import(join(SOURCE, file))) as Partial<LimitsFile>),
    }))
    const undeclared = (await Promise.all(modules)).filter(({ LIMITS }) => !DECLARED.some((one) => one === LIMITS))
    expect(undeclared.map(({ file }) => file)).toEqual([])
    expect(files).toHaveLength(DECLARED.length)
  })

  it('names every limit of an event with its value', () => {
    expect(differences('event-limits', documented('event-limits'), inCode(EVENT_LIMITS))).toEqual([])
  })

  it('names the limits of the contract with their values', () => {
    const limits = { PAGE_LIMIT_MAX, RETENTION_DAYS_MIN, RETENTION_DAYS_MAX, REPLAY_LINK_DAYS_MAX }
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
