import { assetAddress } from './asset-address.ts'
import { MAX_LEFT_OUT } from './bounds.ts'
import { NO_BOUNDS, rewriteCss } from './css.ts'
import { harmlessUrl } from './urls.ts'

/** A sheet that another one begins with. */
export interface SheetImport {
  readonly url: string
  /** Media, layer and what a browser has to support, as they were written; '' for none. */
  readonly condition: string
}

/** A style sheet that was fetched. */
export interface FetchedSheet {
  /** Without its imports; its addresses are whole. */
  readonly text: string
  /** Each address once, where it stands last: there its rules count most. */
  readonly imports: readonly SheetImport[]
  /** Pictures and fonts it names, each once. */
  readonly addresses: readonly string[]
  /** What it names beyond those and beyond its imports, as far as it is counted. */
  readonly leftOut: readonly string[]
}

/** What may stand before an import and means nothing. */
const PASSED = /(?:\s+|\/\*[^]*?\*\/|<!--|-->|@charset\s+"[^"]*"\s*;)/iy
const LAYERS = /@layer[^{};]*;/iy
/** No blank is read by two of its parts: it would try all ways to divide them. */
const IMPORT =
  /@import\s*(?:url\(\s*(?!\s)(?:"([^"\n]*)"|'([^'\n]*)'|([^)"'\s]*))\s*\)|"([^"\n]*)"|'([^'\n]*)')([^;{}"']*)(?:;|$)/iy

const matchAt = (pattern: RegExp, css: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(css)
}

/** What a sheet begins with. */
interface Beginning {
  readonly imports: readonly { readonly address: string; readonly condition: string }[]
  /** Statements that name layers in their order. */
  readonly layers: string
  /** All the others. */
  readonly rest: string
}

/** Takes the imports from a sheet. They count only at its beginning. */
export const takeImports = (css: string): Beginning => {
  const imports: { address: string; condition: string }[] = []
  let layers = ''
  let at = css.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    const passed = matchAt(PASSED, css, at)
    const named = passed === null ? matchAt(LAYERS, css, at) : null
    const found = passed === null && named === null ? matchAt(IMPORT, css, at) : null
    const [read] = passed ?? named ?? found ?? []
    if (read === undefined) break
    at += read.length
    if (named !== null) layers += read
    if (found === null) continue
    const [, double, single, bare, quoted, other, condition = ''] = found
    imports.push({ address: double ?? single ?? bare ?? quoted ?? other ?? '', condition: condition.trim() })
  }
  return { imports, layers, rest: css.slice(at) }
}

/**
 * Reads a sheet, which is hostile.
 *
 * @param base its address, after redirects
 * @param most addresses and imports that are read, each
 */
export const readSheet = (css: string, base: string, most: number): FetchedSheet => {
  const imports = new Map<string, SheetImport>()
  const leftOut = new Set<string>()
  const leave = (url: string): void => {
    if (leftOut.size < MAX_LEFT_OUT) leftOut.add(url)
  }
  const { imports: written, layers, rest } = takeImports(css)
  for (const { address, condition } of written) {
    const url = assetAddress(address, base)
    if (url === null) continue
    if (imports.delete(url) || imports.size < most) imports.set(url, { url, condition })
    else leave(url)
  }
  const addresses = new Set<string>()
  const { text } = rewriteCss(rest, NO_BOUNDS, (address) => {
    const harmless = harmlessUrl(address)
    const url = harmless === null ? assetAddress(address, base) : null
    if (url === null) return harmless
    if (addresses.size >= most && !addresses.has(url)) {
      leave(url)
      return null
    }
    addresses.add(url)
    return url.replaceAll('\\', '%5C')
  })
  return { text: layers + text, imports: [...imports.values()], addresses: [...addresses], leftOut: [...leftOut] }
}
