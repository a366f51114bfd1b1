import { createHash } from 'node:crypto'

/**
 * What a chunk says of itself when it runs: which build it is of. Bundlers put it in as the chunk's introduction, so that
 * they move its source map along. It holds the place of the id, which comes when the code is whole: file names and their
 * hashes are made by then, and an id that follows from the code changes exactly when they do.
 */
const PLACE = 'f1257ba0-d3b6-41d0-8000-000000000000'

export const introOf = (release: string | null): string => {
  const released = release === null ? '' : `g.SENTRY_RELEASE=g.SENTRY_RELEASE||{id:${JSON.stringify(release)}};`
  return `;(function(){try{var g=globalThis,s=new g.Error().stack;${released}if(s){(g._sentryDebugIds=g._sentryDebugIds||{})[s]=${JSON.stringify(PLACE)}}}catch(e){}})();`
}

/** The code with its id, as long as it was: positions in it stay what the source map says. */
export const withDebugId = (code: string): { readonly code: string; readonly debugId: string } | null => {
  if (!code.includes(PLACE)) return null
  const debugId = debugIdOf(code)
  return { code: code.replaceAll(PLACE, debugId), debugId }
}

/** In the form of a random UUID, which readers of debug ids ask for. */
const debugIdOf = (code: string): string => {
  const hash = createHash('sha256').update(code).digest('hex')
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(16), 16) % 4)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-')
}
