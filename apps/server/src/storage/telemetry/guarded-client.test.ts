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

it('what the engine quotes of a statement says nothing of whom was asked for', async () => {
  const said = (quoted: string) =>
    `Unknown identifier \`received\` in scope SELECT 1 FROM segments WHERE user IN ${quoted} AND it doesn't matter.`
  const error = new ClickHouseError({
    message: said(`['id:7', 'o\\'hara@x.example']`),
    code: '47',
    type: 'UNKNOWN_IDENTIFIER',
  })
  const thrown = await read(clientOf(() => Promise.reject(error))).catch((reason: unknown) => reason)
  expect(thrown).toBe(error)
  expect(error.message).toBe(said(`['…', '…']`))
  expect(error.stack).toContain(said(`['…', '…']`))
  expect(error.stack).not.toContain('id:7')
})
