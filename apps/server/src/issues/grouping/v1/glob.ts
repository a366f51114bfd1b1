/**
 * Glob matching without regular expressions: rules come from people, values from anybody, and a pattern such as
 * `*a*a*a*b` makes a backtracking regex explode. At most O(pattern × value) steps.
 *
 * `*` is any run of characters, `?` one character. With `path`, `*` stays inside one path segment and `**` crosses them.
 */
export interface Glob {
  matches(value: string): boolean
}

export interface GlobOptions {
  readonly ignoreCase?: boolean
  /** Separators are normalised to `/`, and `*` does not cross them. */
  readonly path?: boolean
}

type Token = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'any' | 'segment' | 'one' }

export const createGlob = (pattern: string, options: GlobOptions = {}): Glob => {
  const { ignoreCase = false, path = false } = options
  const prepare = (text: string): string => {
    const cased = ignoreCase ? text.toLowerCase() : text
    return path ? cased.replaceAll('\\', '/') : cased
  }
  const prepared = prepare(pattern)
  if (!/[*?]/.test(prepared)) return { matches: (value) => prepare(value) === prepared }
  const tokens = tokenise(prepared, path)
  return { matches: (value) => matchTokens(tokens, prepare(value)) }
}

const tokenise = (pattern: string, path: boolean): readonly Token[] => {
  const tokens: Token[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') tokens.push({ kind: 'text', text })
    text = ''
  }
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index)
    if (character === '?') {
      flush()
      tokens.push({ kind: 'one' })
    } else if (character === '*') {
      flush()
      let stars = 1
      while (pattern.charAt(index + 1) === '*') {
        stars++
        index++
      }
      const any = !path || stars > 1
      // `**/x` also matches `x` itself, as in Sentry's rules.
      if (any && path && pattern.charAt(index + 1) === '/' && tokens.length === 0) index++
      tokens.push({ kind: any ? 'any' : 'segment' })
    } else {
      text += character
    }
  }
  flush()
  return tokens
}

/** Positions that are reachable after each token; each token visits each position at most once. */
const matchTokens = (tokens: readonly Token[], value: string): boolean => {
  let reachable = new Set([0])
  for (const token of tokens) {
    const next = new Set<number>()
    switch (token.kind) {
      case 'text':
        for (const at of reachable) if (value.startsWith(token.text, at)) next.add(at + token.text.length)
        break
      case 'one':
        for (const at of reachable) if (at < value.length) next.add(at + 1)
        break
      case 'any': {
        const first = Math.min(...reachable)
        for (let at = first; at <= value.length; at++) next.add(at)
        break
      }
      case 'segment':
        for (const start of reachable) {
          for (let at = start; at <= value.length && !next.has(at); at++) {
            next.add(at)
            if (value.charAt(at) === '/') break
          }
        }
        break
    }
    if (next.size === 0) return false
    reachable = next
  }
  return reachable.has(value.length)
}
