/**
 * The path of a source as people know it. Bundlers name sources in ways of their own; one file must have one name in all
 * builds, or its errors become several issues.
 */

/** `webpack://any/thing/./x`, also with a scope that has a slash (`webpack://@acme/web/./x`). */
const WEBPACK = /^webpack(?:-internal)?:\/\/(?:\/|(?:@[^/]+\/)?[^/]*\/)/
const TURBOPACK = /^turbopack:\/\/\/?(?:\[project\]\/)?/

/** Vue and others name parts of a file: `App.vue?vue&type=script`, `App.vue?1a2b`. */
const QUERY = /\?[^/]*$/

/**
 * @param source as the map names it, with its root
 * @param base what relative sources stand beside: the address of the generated file, or of its map
 */
export const cleanSourcePath = (source: string, base: string): string => {
  const bare = source.replace(WEBPACK, '').replace(TURBOPACK, '').replace(QUERY, '')
  if (bare !== source.replace(QUERY, '')) return bare.replace(/^(?:\.\/)+(?=.)/, './')
  if (bare.startsWith('../') || bare.startsWith('./')) return besides(bare, base)
  return bare
}

/** Walks up from the folder of the base; what goes above the root stays in it. */
const besides = (path: string, base: string): string => {
  const address = /^([a-z][a-z0-9+.-]*:\/\/[^/]*|~)?\/?(.*)$/i.exec(base.replace(/[?#].*$/, ''))
  const folders = (address?.[2] ?? '').split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..') folders.pop()
    else if (part !== '.' && part !== '') folders.push(part)
  }
  return folders.join('/')
}

/** Folders and schemes of code that somebody else wrote, or that a tool put there. */
const NOT_OURS = /(?:^|\/)node_modules\/|^~\/|(?:^|\/)webpack\/|\(webpack\)|(?:^|\/)vite\/|^\0/

/** Whether a source is the application's own. Decided by the original path: that of the bundle says nothing. */
export const isOwnSource = (source: string, isIgnored: boolean): boolean => !isIgnored && !NOT_OURS.test(source)
