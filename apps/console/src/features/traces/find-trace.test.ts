import { expect, it, vi } from 'vitest'
import type { FindContext } from '../../shell/feature.ts'
import { find } from './find-trace.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

it('a pasted trace id leads to its trace, with or without dashes', async () => {
  const navigate = vi.fn<(options: object) => Promise<void>>()
  const context = { org: 'acme', navigate } as unknown as FindContext
  for (const text of [TRACE, TRACE.toUpperCase(), '4bf92f35-77b3-4da6-a3ce-929d0e0e4736']) {
    const [command, ...others] = await find(text, context)
    expect(others).toEqual([])
    command?.run()
    expect(navigate).toHaveBeenLastCalledWith(
      expect.objectContaining({ to: '/organizations/$org/traces/$trace', params: { org: 'acme', trace: TRACE } }),
    )
  }
  expect(await find(TRACE.slice(1), context)).toEqual([])
  expect(await find('checkout', context)).toEqual([])
})
