import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { tunnelHandler } from '@firsthand/tunnel/hono'
import { Hono } from 'hono'
import { documentOf, readAssets, type PageSettings } from './document.ts'
import { createOrders } from './orders.ts'
import { plainPage } from './plain-page.ts'
import { STAGES, stagePage } from './stages.ts'

/** Nothing that lists of ad-blockers would know. */
const TUNNEL_PATH = '/kettle'
const RELEASE = 'kettle-shop@2.4.0'

export interface ShopOptions {
  readonly dsn: string
  readonly consoleUrl: string | null
  /** 0 for any that is free. */
  readonly port: number
  readonly host: string
}

export interface RunningShop {
  readonly url: string
  close(): Promise<void>
}

const dist = join(import.meta.dirname, '..', '..', 'dist')

/**
 * The shop on its own origin: pages, orders, and the tunnel to Firsthand.
 *
 * @throws Error when the client was not built, or the port is taken
 */
export const startShop = async ({ dsn, consoleUrl, port, host }: ShopOptions): Promise<RunningShop> => {
  const settings: PageSettings = { dsn, release: RELEASE, tunnel: TUNNEL_PATH, consoleUrl }
  const shop = readAssets(dist, 'src/shop/main.tsx')
  const stage = readAssets(dist, 'src/stage/main.ts')

  const app = new Hono()
  app.post(TUNNEL_PATH, tunnelHandler({ dsns: [dsn] }))
  app.route('/api', createOrders({ dsn, release: RELEASE }))
  app.use('/assets/*', serveStatic({ root: dist }))
  app.get('/plain', (context) => context.html(plainPage(settings)))
  app.get('/stage/:name', (context) => {
    const found = STAGES.find((one) => one.name === context.req.param('name'))
    if (found === undefined) return context.notFound()
    const nonce = randomBytes(16).toString('base64')
    const { html, policy } = stagePage(found, settings, stage, nonce)
    if (policy !== null) context.header('content-security-policy', policy)
    return context.html(html)
  })
  // Every other address is a route of the shop, which the client knows.
  app.get('*', (context) =>
    context.html(
      documentOf({
        title: 'Kettle & Clay',
        body: '<div id="root"></div><noscript>This shop needs JavaScript.</noscript>',
        assets: shop,
        settings: { ...settings, stages: STAGES.map(({ name, group, title, hint }) => ({ name, group, title, hint })) },
      }),
    ),
  )

  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const server = serve({ fetch: app.fetch, port, hostname: host }, (info) => resolve(info.port))
  server.once('error', reject)
  const bound = await promise
  return {
    url: `http://${host === '0.0.0.0' ? 'localhost' : host}:${bound}`,
    close: () =>
      new Promise((done) => {
        if ('closeAllConnections' in server) server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
