import { ApiError } from '@firsthand/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import type { FindContext } from '../../shell/feature.ts'
import { find } from './find-trace.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPELLINGS = [ID, ID.toUpperCase(), '4bf92f35-77b3-4da6-a3ce-929d0e0e4736']

/** What the server answers, and what it was asked. */
const server = vi.hoisted(() => ({ rows: [] as object[], isDown: false, asked: [] as unknown[] }))
vi.mock('../../lib/api.ts', () => ({
  api: {
    call: async (_: unknown, input: unknown) => {
      server.asked.push(input)
      if (server.isDown) throw new ApiError(503, 'Not now.')
      return { data: server.rows }
    },
  },
}))
beforeEach(() => Object.assign(server, { rows: [], isDown: false, asked: [] }))

const navigate = vi.fn<(options: object) => Promise<void>>()
const context = { org: 'acme', navigate, signal: new AbortController().signal } as unknown as FindContext

it('a pasted trace id leads to its trace, with or without dashes, also when the server does not answer', async () => {
  for (const isDown of [false, true]) {
    server.isDown = isDown
    for (const text of SPELLINGS) {
      const [command, ...others] = await find(text, context)
      expect(others).toEqual([])
      command?.run()
      expect(navigate).toHaveBeenLastCalledWith(
        expect.objectContaining({ to: '/organizations/$org/traces/$trace', params: { org: 'acme', trace: ID } }),
      )
    }
  }
})

it('the id of a transaction’s event leads to its span in the trace', async () => {
  server.rows = [{ trace: 'a'.repeat(32), span_id: 'b'.repeat(16), transaction: 'GET /cart', id: ID }]
  for (const text of SPELLINGS) {
    const [command, ...others] = await find(text, context)
    expect(others).toEqual([])
    expect(command?.label).toBe('Open transaction GET /cart')
    expect(server.asked.at(-1)).toMatchObject({ query: { dataset: 'transactions', query: `id:${ID}` } })
    command?.run()
    expect(navigate).toHaveBeenLastCalledWith(
      expect.objectContaining({ params: { org: 'acme', trace: 'a'.repeat(32) }, search: { span: 'b'.repeat(16) } }),
    )
  }
})

it('nothing is asked about what is no id', async () => {
  expect(await find(ID.slice(1), context)).toEqual([])
  expect(await find('checkout', context)).toEqual([])
  expect(server.asked).toEqual([])
})
