import { createServer } from 'node:http'

export interface PlainPage {
  readonly url: string
  close(): Promise<void>
}

/** A page without a bundler, on an origin of its own: the HTML as given, and nothing else. */
export const servePlainPage = async (
  html: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PlainPage> => {
  const server = createServer((request, response) => {
    const isPage = request.url === '/' || request.url?.startsWith('/?') === true
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(
      isPage ? `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title>${html}` : '',
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the page has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
