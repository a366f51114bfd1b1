import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '../search/index.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { activity, CLICK_KINDS, clickKinds, duration, errors, reportedAs } from './replay-rules.ts'

const [engine] = TELEMETRY_ENGINES

/** Rows of one run: the same in each, so that one that fails can be run again. */
const ROWS = 300
const SEED = 17

describe('R17 R18 rules of replays in the database and here', () => {
  let telemetry: OpenedTelemetry
  beforeAll(async () => {
    if (engine === undefined) throw new Error('no engine')
    telemetry = await engine.open()
  }, 60_000)
  afterAll(() => telemetry.close())

  /** What an expression over the columns of `type` is, row by row. */
  const answers = async (type: string, rows: readonly (readonly (number | string)[])[], sql: string) => {
    const written = (value: number | string): string => (typeof value === 'number' ? String(value) : value)
    const values = rows.map((row, index) => `(${[index, ...row].map(written).join(', ')})`)
    const query = `SELECT ${sql} AS answer FROM values('place UInt32, ${type}', ${values.join(', ')}) ORDER BY place`
    return (await rowsOf(telemetry.telemetry.client)<{ answer: unknown }>(query, {})).map(({ answer }) => answer)
  }
  const sample = <Row>(rows: fc.Arbitrary<Row>): Row[] => fc.sample(rows, { numRuns: ROWS, seed: SEED })

  it('R17 activity is the same', async () => {
    const rows = sample(fc.tuple(fc.nat(12), fc.nat(40)))
    const inDatabase = await answers('e UInt64, p UInt64', rows, activity.sql('e', 'p'))
    expect(inDatabase.map(Number)).toEqual(rows.map(([e, p]) => activity.of(e, p)))
    expect(new Set(inDatabase).size).toBeGreaterThan(3)
  })

  it('R34 durations are the same', async () => {
    const moment = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_010_000 })
    const rows = sample(fc.tuple(moment, moment))
    const inDatabase = await answers('s Int64, f Int64', rows, duration.sql('s', 'f'))
    expect(inDatabase.map(Number)).toEqual(rows.map(([s, f]) => duration.of(s, f)))
  })

  it('R16 levels stand in the same lists, each in one', async () => {
    const levels = sample(fc.constantFrom('fatal', 'error', 'warning', 'info', 'debug', 'sample', ''))
    const rows = levels.map((level) => [`'${level}'`])
    const lists = await Promise.all(
      (['error', 'warning', 'info'] as const).map((list) => answers('l String', rows, reportedAs.sql('l', list))),
    )
    expect(levels.map((_, index) => lists.map((one) => Number(one[index])))).toEqual(
      levels.map((level) => ['error', 'warning', 'info'].map((list) => Number(reportedAs.of(level) === list))),
    )
  })

  it('R16 errors of a replay are the same', async () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 })
    const cases = sample(fc.tuple(ids, fc.uniqueArray(fc.constantFrom('a', 'b', 'c')), ids, ids))
    const rows = cases.map((lists) => lists.map((list) => `[${list.map((id) => `'${id}'`).join(', ')}]`))
    const inDatabase = await answers(
      ['n', 'e', 'w', 'i'].map((name) => `${name} Array(String)`).join(', '),
      rows,
      errors.sql('n', { errors: 'e', others: ['w', 'i'] }),
    )
    expect(inDatabase).toEqual(
      cases.map(([noted, reported, warnings, infos]) =>
        errors.of(noted, { errors: reported, others: new Set([...warnings, ...infos]) }),
      ),
    )
  })

  it('R18 a rage click is a dead click, and both are clicks', async () => {
    const kinds = ['click', 'dead_click', 'rage_click', 'navigation']
    const rows = kinds.map((kind) => [`'${kind}'`])
    for (const which of ['rage', 'dead', 'any'] as const) {
      const inDatabase = await answers('kind String', rows, `kind IN ${clickKinds(which)}`)
      const here: readonly string[] = CLICK_KINDS[which]
      expect(inDatabase.map(Number)).toEqual(kinds.map((kind) => Number(here.includes(kind))))
    }
    expect(CLICK_KINDS.dead).toEqual(expect.arrayContaining([...CLICK_KINDS.rage]))
    expect(CLICK_KINDS.any).toEqual(expect.arrayContaining([...CLICK_KINDS.dead]))
  })
})
