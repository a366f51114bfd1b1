import { createTunnel } from './tunnel.ts'
import type { TunnelOptions } from './tunnel.ts'

/** A Next.js route handler: `export const POST = tunnelRoute({ dsns: [process.env.DSN] })` in `app/<path>/route.ts`. */
export const tunnelRoute = (options: TunnelOptions): ((request: Request) => Promise<Response>) => {
  const tunnel = createTunnel(options)
  return (request) => tunnel(request)
}
