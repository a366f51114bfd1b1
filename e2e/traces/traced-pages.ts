import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import { bundle } from '../lib/site.ts'

/** A page that asks a service, and the frame that it makes of the answer: the tags of a trace, with which the frame goes on. */
export interface TracedPages {
  readonly page: { readonly sdk: string; readonly dsn: string }
  readonly frame: { readonly sdk: string; readonly dsn: string }
}

const scriptOf = ({ sdk, dsn }: TracedPages['page']): string => `
  import * as Sentry from '${sdk}'
  Sentry.init({ dsn: ${JSON.stringify(dsn)}, integrations: [Sentry.browserTracingIntegration()], tracesSampleRate: 1 })
`

const ASK = `
  fetch('/orders/42?secret=1').then((answer) => answer.text()).then((tags) => {
    const frame = document.createElement('iframe')
    frame.srcdoc = '<!doctype html><title>Order</title>' + tags + '<script src="/frame.js"></' + 'script>'
    document.body.append(frame)
  })
`

const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><title>A shop</title><body><script src="/page.js"></script></body>'

/** Serves both, and gives everything else on to the service, as what stands before services does. */
export const serveTracedPages = async (
  { page, frame }: TracedPages,
  service: string,
): Promise<{ url: string; close(): void }> => {
  const files = new Map([
    ['/', { type: 'text/html', text: PAGE }],
    ['/page.js', { type: 'text/javascript', text: await bundle(`${scriptOf(page)}${ASK}`) }],
    ['/frame.js', { type: 'text/javascript', text: await bundle(scriptOf(frame)) }],
  ])
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    const file = files.get(url)
    if (file === undefined) {
      ask(`${service}${url}`, { headers }, (answer) => {
        response.statusCode = answer.statusCode ?? 502
        answer.pipe(response)
      }).end()
    } else {
      response.setHeader('content-type', file.type)
      response.end(file.text)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the pages have no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
