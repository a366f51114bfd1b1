import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvelope } from '@firsthand/protocol'
import { describe, expect, it } from 'vitest'
import { digestItem, RECEIVED_AT } from '../../event/normalise/digest-item.fixture.ts'
import { readTransaction, readTransactionRoot } from './read-transaction.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', '..', 'fixtures', 'envelopes')

const recorded = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('transaction.envelope'))
  .toSorted()

describe('the root of a transaction by itself', () => {
  it('is what it is among its spans, of every SDK', () => {
    expect(recorded.length).toBeGreaterThan(5)
    for (const name of recorded) {
      const parsed = parseEnvelope(readFileSync(join(FIXTURES, name)))
      if (!parsed.ok) throw new Error(parsed.error.message)
      const { header, items } = parsed.value
      const item = items.find((one) => one.header.type === 'transaction')
      if (item === undefined) throw new Error(`no transaction in ${name}`)
      const { sender } = digestItem('{}')
      const sent = { sender, receivedAt: RECEIVED_AT, header, eventId: header.eventId, item }
      const [whole, alone] = [readTransaction(sent), readTransactionRoot(sent)]
      if (!whole.ok || !alone.ok) throw new Error(`${name} was not read`)
      expect(alone.value, name).toEqual({ root: whole.value.spans[0], surroundings: whole.value.surroundings })
    }
  })

  it('is refused for what the whole is refused for', () => {
    for (const payload of [
      '[]',
      '{}',
      '{"contexts":{"trace":{}}}',
      '{"contexts":{"trace":{"span_id":"1234567812345678"}}}',
    ]) {
      expect(readTransactionRoot(digestItem(payload)), payload).toEqual(readTransaction(digestItem(payload)))
      expect(readTransactionRoot(digestItem(payload)).ok).toBe(false)
    }
  })
})
