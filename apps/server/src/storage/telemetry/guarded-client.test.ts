import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'
import { expect, it } from 'vitest'
import { guardClient } from './guarded-client.ts'

const clientOf = (json: () => Promise<unknown>): ClickHouseClient =>
  guardClient(
    { query: () => Promise.resolve({ json, query_id: 'one' }) } as unknown as ClickHouseClient,
    { isAway: () => false, onAway: () => () => {}, answered: () => {} },
    () => {},
    { take: () => Promise.resolve(() => {}) },
  )

const read = async (client: ClickHouseClient): Promise<unknown> =>
  (await client.query({ query: 'SELECT 1', format: 'JSONEachRow' })).json()

it('an answer that fails while it is read is explained like one that never began', async () => {
  const error = new ClickHouseError({
    message: 'memory limit (total) exceeded',
    code: '241',
    type: 'MEMORY_LIMIT_EXCEEDED',
  })
  await expect(read(clientOf(() => Promise.reject(error)))).rejects.toThrow(
    /^More is asked of the telemetry at this moment/,
  )
  await expect(read(clientOf(() => Promise.resolve([{ one: 1 }])))).resolves.toEqual([{ one: 1 }])
})
