import { expect, it } from 'vitest'
import { digestItem, SENDER } from '../../event/normalise/digest-item.fixture.ts'
import { readOccurrence } from './read-occurrence.ts'

const payload = {
  event_id: 'a'.repeat(32),
  timestamp: 1_780_000_000,
  transaction: 'GET /orders',
  contexts: { trace: { trace_id: 'b'.repeat(32) } },
  occurrence: {
    type: 'performance_slow_db_query',
    typeId: 1001,
    category: 'performance',
    title: 'Slow database query',
    subtitle: 'SELECT * FROM orders',
    fingerprint: ['f'],
    evidence: { sentence: 'One query took 2 s.' },
    evidenceDisplay: [],
  },
}

const read = (sent: unknown, keyId: number) =>
  readOccurrence(digestItem(sent, { type: 'occurrence', sender: { ...SENDER, keyId } }))

it('what the server submits is an event of an issue of its own kind', () => {
  const found = read(payload, 0)
  expect(found).toMatchObject({
    ok: true,
    value: {
      event: { type: 'generic', transaction: 'GET /orders', occurrence: payload.occurrence },
      title: { title: 'Slow database query: SELECT * FROM orders', culprit: 'GET /orders' },
      issueKind: { category: 'performance', type: 'performance_slow_db_query' },
    },
  })
})

it('its issue follows from what was found alone', () => {
  const hashesOf = (change: object) => {
    const found = read({ ...payload, occurrence: { ...payload.occurrence, ...change } }, 0)
    return found.ok ? found.value.grouping.hashes : []
  }
  expect(hashesOf({ title: 'Another title', evidence: {} })).toEqual(hashesOf({}))
  expect(hashesOf({ fingerprint: ['g'] })).not.toEqual(hashesOf({}))
  expect(hashesOf({ type: 'performance_n_plus_one_db_queries' })).not.toEqual(hashesOf({}))
})

it('what comes through a DSN is none, whatever it says', () => {
  expect(read(payload, 1)).toMatchObject({
    ok: false,
    error: { outcome: { kind: 'invalid', reason: 'unknown_item_type' } },
  })
})

it.each([[[]], [{}], [{ occurrence: { type: 'x' } }]])('without a finding it is invalid: %j', (sent) => {
  expect(read(sent, 0)).toMatchObject({ ok: false, error: { outcome: { reason: 'invalid_event' } } })
})
