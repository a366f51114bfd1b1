import { createTunnel } from './tunnel.ts'
import type { TunnelOptions } from './tunnel.ts'

/** What the handler needs of Hono's context. On Node, `env.incoming` is the request of `@hono/node-server`. */
interface Context {
  readonly req: { readonly raw: Request }
  readonly env?: unknown
}

/** A Hono handler: `app.post('/reports', tunnelHandler({ dsns: [dsn] }))`. */
export const tunnelHandler = (options: TunnelOptions): ((context: Context) => Promise<Response>) => {
  const tunnel = createTunnel(options)
  return ({ req, env }) => tunnel(req.raw, { address: addressOf(env) })
}

const addressOf = (env: unknown): string | null => {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress ?? null
}
