import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import config from '../../packages/feedback/build.config.mjs'
import { parseEnvelope } from '../../packages/protocol/src/index.ts'

/** One report as it arrived. */
export interface Arrived {
  readonly path: string
  readonly header: Readonly<Record<string, unknown>>
  readonly event: {
    readonly event_id: string
    readonly tags?: Readonly<Record<string, unknown>>
    readonly request?: { readonly url?: string }
    readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
  readonly attachments: readonly { readonly header: Readonly<Record<string, unknown>>; readonly bytes: Uint8Array }[]
}

export type Answering = (response: ServerResponse, count: number) => void

export const answer =
  (status: number, body = '{"id":"1"}', headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) => {
    response.writeHead(status, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after',
      ...headers,
    })
    response.end(status === 204 ? undefined : body)
  }

export interface WidgetSite {
  readonly url: string
  readonly dsn: string
  readonly arrived: Arrived[]
  /** Every path asked for. */
  readonly asked: string[]
  /** How the ingest route answers from now on. */
  answering: Answering
  /** The page: body, the widget's options, headers. Options are JSON; `before` runs in the page before the widget starts. */
  show(page?: {
    html?: string
    options?: object
    headers?: Readonly<Record<string, string>>
    before?: string
    after?: string
    lang?: string
    head?: string
  }): void
  /** Files of the widget that do not load. */
  readonly blocked: Set<string>
  close(): Promise<void>
}

const buildWidget = async (): Promise<ReadonlyMap<string, Buffer>> => {
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-widget-'))
  const { output, ...input } = config
  const bundle = await rolldown(input)
  await bundle.write({ ...output, dir: folder })
  await bundle.close()
  const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(join(folder, name))]))
  rmSync(folder, { recursive: true })
  return files
}

/** Once for all files of a worker. */
let built: Promise<ReadonlyMap<string, Buffer>> | null = null

/** A page with the built widget, and a server that takes its reports, both real and on loopback. */
export const serveWidget = async (): Promise<WidgetSite> => {
  const files = await (built ??= buildWidget())
  let body = ''
  let script = ''
  let headers: Readonly<Record<string, string>> = {}
  const site: { answering: Answering } = { answering: answer(200) }
  const arrived: Arrived[] = []
  const asked: string[] = []
  const blocked = new Set<string>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://local')
    asked.push(pathname)
    // A sandboxed frame has no origin, not even this one.
    if (request.method === 'GET') response.setHeader('access-control-allow-origin', '*')
    const file = files.get(pathname)
    if (request.method === 'POST') {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        arrived.push(readReport(pathname, Buffer.concat(chunks)))
        site.answering(response, arrived.length)
      })
    } else if (file !== undefined && !blocked.has(pathname)) {
      response.setHeader('content-type', 'text/javascript')
      response.end(file)
    } else if (pathname === '/app.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end(script)
    } else if (pathname === '/') {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(body)
    } else {
      response.statusCode = pathname === '/icon' ? 204 : 404
      response.end()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  const url = `http://127.0.0.1:${address.port}/`
  const dsn = `http://0123456789abcdef0123456789abcdef@127.0.0.1:${address.port}/1`
  const show: WidgetSite['show'] = ({
    html = '<h1>A shop</h1><button id="own">Own</button>',
    options = {},
    headers: extra = {},
    before = '',
    after = '',
    lang = 'en',
    head = '',
  } = {}) => {
    headers = extra
    script = `${before}\nimport { createFeedback } from '/feedback.js'\nwindow.feedback = createFeedback(${JSON.stringify({ dsn, enableScreenshot: false, ...options })})\n${after}`
    body = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="/icon"><title>A shop</title>${head}<body>${html}<script type="module" src="/app.js"></script></body></html>`
  }
  show()
  return {
    url,
    dsn,
    arrived,
    asked,
    blocked,
    show,
    get answering() {
      return site.answering
    },
    set answering(next) {
      site.answering = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const readReport = (path: string, bytes: Uint8Array): Arrived => {
  const parsed = parseEnvelope(bytes)
  if (!parsed.ok) throw new Error(`not an envelope: ${parsed.error.message}`)
  const { header, items } = parsed.value
  const feedback = items.find((item) => item.header.type === 'feedback')
  return {
    path,
    header: header.raw,
    event: JSON.parse(new TextDecoder().decode(feedback?.payload)) as Arrived['event'],
    attachments: items
      .filter((item) => item.header.type === 'attachment')
      .map((item) => ({ header: { ...item.header }, bytes: item.payload })),
  }
}

/** From here on, time passes on the page only when a test says so: on a busy machine it would run away. */
export const pauseClock = async (page: Page): Promise<void> => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

/** The widget's parts, by role and class, through its open shadow root. */
export const partsOf = (page: Page) => ({
  trigger: page.locator('firsthand-feedback .trigger'),
  dialog: page.locator('firsthand-feedback dialog.dialog'),
  name: page.locator('firsthand-feedback [name=name]'),
  email: page.locator('firsthand-feedback [name=email]'),
  message: page.locator('firsthand-feedback [name=message]'),
  alert: page.locator('firsthand-feedback .alert'),
  hint: page.locator('firsthand-feedback .hint'),
  send: page.locator('firsthand-feedback button[type=submit]'),
  banner: page.locator('firsthand-feedback .banner'),
})
