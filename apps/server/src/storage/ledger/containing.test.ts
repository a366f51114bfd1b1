import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../conformance/engines.ts'
import { containing } from './containing.ts'
import { namingAny } from './naming-any.ts'

const NAMES = ['Ärger', 'A\u0308RGER', 'ärger', 'Arger', 'ΟΔΟΣ', 'οδοσήμανση', 'ЖУРНАЛ', '100%_of\\it', '100 of it']

describe.each(LEDGER_ENGINES)('searches for a text, on $name', ({ open }) => {
  let opened: OpenedLedger

  beforeAll(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    const facts = NAMES.map((data, id) => ({
      id: id + 1,
      organization_id: 1,
      project_id: null,
      kind: 'seen',
      issue_id: null,
      report_id: null,
      actor_id: null,
      received_at: 1,
      noted_at: 1,
      data,
    }))
    await opened.ledger.db.insertInto('facts').values(facts).execute()
  }, 240_000)
  afterAll(() => opened.close())

  const found = async (condition: ReturnType<typeof containing>): Promise<string[]> => {
    const rows = await opened.ledger.db.selectFrom('facts').select('data').where(condition).orderBy('id').execute()
    return rows.map(({ data }) => data)
  }
  const find = (text: string): Promise<string[]> => found(containing(opened.ledger.dialect, 'facts.data', text))

  it('mean the same letters in any case and however they are composed, in every language', async () => {
    const umlauts = ['Ärger', 'A\u0308RGER', 'ärger']
    for (const text of ['ärg', 'ÄRGER', 'a\u0308rger']) expect(await find(text), text).toEqual(umlauts)
    expect(await find('arger')).toEqual(['Arger'])
    for (const text of ['οδος', 'ΟΔΟΣ', 'οδοσ']) expect(await find(text), text).toEqual(['ΟΔΟΣ', 'οδοσήμανση'])
    expect(await find('журнал')).toEqual(['ЖУРНАЛ'])
  })

  it('take what stands for something in patterns as it is', async () => {
    expect(await find('%_OF\\')).toEqual(['100%_of\\it'])
    expect(await find('100_of')).toEqual([])
  })

  it('that look for one of several parts mean the same', async () => {
    const named = (part: string) => namingAny(opened.ledger.dialect, 'data', { exact: [], lower: [part] })
    expect(await found(named('ärger'))).toEqual(['Ärger', 'A\u0308RGER', 'ärger'])
  })
})
