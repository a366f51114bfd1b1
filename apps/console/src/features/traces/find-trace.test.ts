import { ApiError } from '@firsthand/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import type { FindContext } from '../../shell/feature.ts'
import { find } from './find-trace.ts'
import { findLinked } from './find-transaction.ts'

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

it('an address of Sentry’s console leads to the transaction of its project, in whichever organisation it is', async () => {
  const { signal } = new AbortController()
  const row = (project: string, span: string) => ({ trace: 'a'.repeat(32), span_id: span, transaction: '/', project })
  server.rows = [row('api', '1'.repeat(16)), row('shop', '2'.repeat(16))]
  for (const text of SPELLINGS) {
    expect(await findLinked(['acme'], `shop:${text}`, signal)).toMatchObject({ org: 'acme', span: '2'.repeat(16) })
    expect(server.asked.at(-1)).toMatchObject({ params: { org: 'acme' }, query: { query: `id:${ID}` } })
  }
  expect(await findLinked(['acme'], `renamed:${ID}`, signal)).toMatchObject({ span: '1'.repeat(16) })
  Object.assign(server, { rows: [], asked: [] })
  expect(await findLinked(['acme', 'rival'], `shop:${ID}`, signal)).toBeNull()
  expect(server.asked).toMatchObject([{ params: { org: 'acme' } }, { params: { org: 'rival' } }])
  for (const link of ['trace', 'shop:', 'shop:4bf92f35', ID]) {
    expect(await findLinked(['acme'], link, signal)).toBeNull()
  }
  expect(server.asked).toHaveLength(2)
})

it('nothing is asked about what is no id', async () => {
  expect(await find(ID.slice(1), context)).toEqual([])
  expect(await find('checkout', context)).toEqual([])
  expect(server.asked).toEqual([])
})
