import { compareVersions, readVersion, versionOrder } from '../lib/release-version.ts'

/**
 * The newest of a project's releases. Where the last one is a version, it is the highest of its package: an old build that
 * nobody had heard of before is not the newest for having come last. Else it is the last one.
 *
 * @param releases those that came last, the last first
 */
export const newestRelease = (releases: readonly string[]): string | null => {
  const [last] = releases
  if (last === undefined) return null
  if (readVersion(last).kind !== 'version') return last
  return releases.reduce((newest, release) => (compareVersions(release, newest) === 1 ? release : newest), last)
}

/** Releases, the newest version first, of one package after the other; names that are no versions come last. */
export const newestFirst = (releases: readonly string[]): readonly string[] =>
  releases
    .map((release) => {
      const version = readVersion(release)
      return { release, name: version.package ?? '', order: versionOrder(version) ?? '' }
    })
    .toSorted(
      (one, other) =>
        Number(other.order !== '') - Number(one.order !== '') ||
        byText(one.name, other.name) ||
        byText(other.order, one.order) ||
        byText(one.release, other.release),
    )
    .map(({ release }) => release)

const byText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)
