import { compareVersions, readVersion } from '../lib/release-version.ts'

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
