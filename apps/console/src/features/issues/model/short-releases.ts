import { filtersOf, valuesOf } from '../../search/model/index.ts'

/** Fields that hold the name of a release as it was sent, with its package: `shop@1.2.0`. */
const RELEASES: ReadonlySet<string> = new Set([
  'release',
  'firstRelease',
  'first_release',
  'first-release',
  'regressedIn',
  'resolvedIn',
])

/** A version as screens write it, without its package. */
const SHORT = /^v?\d[\w.+-]*$/

/**
 * What somebody means who typed a version where the whole name of a release belongs: `release.version:1.2.0` in place of
 * `release:1.2.0`. Null when the search has nothing of the kind.
 */
export function meantReleases(query: string): string | null {
  let meant = query
  for (const token of filtersOf(query).toReversed()) {
    const [value, ...more] = valuesOf(token)
    const { name, tag } = token.key
    if (value === undefined || more.length > 0 || tag || token.operator !== '=') continue
    if (!RELEASES.has(name) || !SHORT.test(value)) continue
    const filter = name === 'release' && !value.includes('+') ? `release.version:${value}` : `${name}:*@${value}`
    meant = `${meant.slice(0, token.start)}${token.negated ? '!' : ''}${filter}${meant.slice(token.end)}`
  }
  return meant === query ? null : meant
}
