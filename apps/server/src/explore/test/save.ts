import type { Endpoint } from '@firsthand/contract'
import type { Route } from '../../http/index.ts'

/** Asks the route of an endpoint for a file, as the application would. */
export const saveFile = async (
  routes: readonly Route[],
  endpoint: Endpoint,
  query: Readonly<Record<string, unknown>>,
): Promise<{ readonly text: string; readonly headers: Readonly<Record<string, string>> }> => {
  const asked: unknown = endpoint.query?.parse(query)
  const route = routes.find(({ endpoint: own, takes }) => own === endpoint && takes?.(asked, {}) !== false)
  const request = { organization: { id: 1 }, caller: { user: { id: 7 } }, signal: new AbortController().signal }
  const reply = await route?.handle({ params: {}, query: asked, body: null, request: request as never })
  if (reply === undefined || !('bytes' in reply)) throw new Error('the answer is no file')
  return { text: Buffer.from(reply.bytes as Uint8Array).toString(), headers: reply.headers }
}
