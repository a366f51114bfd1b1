import type { Endpoint } from '@firsthand/contract'
import type { z } from 'zod'
import type { Route } from '../../http/index.ts'

type Query = Readonly<Record<string, unknown>>

/** Asks the route of an endpoint as the application would; the answer has the endpoint's shape. */
export const callRoute = async <E extends Endpoint>(
  routes: readonly Route[],
  endpoint: E,
  {
    params = {},
    query = {},
    body = null,
    userId = 7,
  }: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Query
    readonly body?: unknown
    readonly userId?: number
  } = {},
): Promise<{ readonly body: z.output<E['ok']>; readonly next: string | null }> => {
  const asked = endpoint.query?.parse(query)
  const route = routes.find(({ endpoint: own, takes }) => own === endpoint && takes?.(asked, params) !== false)
  if (route === undefined) throw new Error(`no route takes ${endpoint.path}`)
  const request = {
    caller: { kind: 'session', user: { id: userId } },
    organization: { id: 1, slug: 'acme' },
  } as unknown as Parameters<Route['handle']>[0]['request']
  const reply = await route.handle({ params: { org: 'acme', ...params }, query: asked, body, request })
  if (!('body' in reply)) throw new Error('the answer is no JSON')
  return { body: endpoint.ok.parse(reply.body) as z.output<E['ok']>, next: reply.page?.next ?? null }
}
