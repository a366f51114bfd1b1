import { createRequire } from 'node:module'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

/** Where a version of React stands: this workspace has the oldest supported one, the packages have the newest. */
const HOMES = {
  '18': import.meta.dirname,
  '19': join(import.meta.dirname, '..', '..', 'packages', 'react', 'src'),
} as const

export type ReactVersion = keyof typeof HOMES

const folderOf = (name: string, version: ReactVersion): string =>
  dirname(createRequire(join(HOMES[version], 'from.js')).resolve(`${name}/package.json`))

export interface ReactSite {
  readonly url: string
  /** The version that the page says it has. */
  readonly react: string
  close(): Promise<void>
}

/**
 * A build of a page with the given React, on an origin of its own.
 *
 * @param script JSX; may import packages of this workspace
 * @param mode development: with React's own checks, and effects that run twice in strict mode
 */
export const serveReactSite = async (
  version: ReactVersion,
  script: string,
  mode: 'production' | 'development' = 'production',
): Promise<ReactSite> => {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname, loader: 'jsx' },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    jsx: 'automatic',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    alias: { react: folderOf('react', version), 'react-dom': folderOf('react-dom', version) },
  })
  const code = outputFiles[0]?.text ?? ''
  const server = createServer((request, response) => {
    const isScript = request.url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(
      isScript
        ? code
        : '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title><body><div id="root"></div><script src="/app.js"></script>',
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  const { version: react } = createRequire(join(folderOf('react', version), 'from.js'))('./package.json') as {
    version: string
  }
  return {
    url: `http://127.0.0.1:${address.port}/`,
    react,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
