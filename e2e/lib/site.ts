import { createServer } from 'node:http'
import { build } from 'esbuild'

export interface Site {
  readonly url: string
  close(): Promise<void>
}

/** One script for a page. @param script may import packages of this workspace */
export const bundle = async (script: string): Promise<string> => {
  const bundled = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    sourcemap: false,
    logLevel: 'silent',
  })
  return bundled.outputFiles[0]?.text ?? ''
}

/**
 * A site of a user on a port of its own: one page that loads one bundled script.
 *
 * @param script source of the script; may import packages of this workspace
 * @param headers of the page
 */
export const serveSite = async (
  script: string,
  html = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Site> => {
  const code = await bundle(script)
  const server = createServer((request, response) => {
    if (request.url === '/app.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end(code)
    } else if (request.url === '/' || request.url?.startsWith('/?') === true) {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      response.end(
        `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title><body>${html}<script src="/app.js"></script></body></html>`,
      )
    } else {
      response.statusCode = 404
      response.end()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
