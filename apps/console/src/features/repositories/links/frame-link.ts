import { fillLineUrl, type CodeMapping } from '@firsthand/contract'

export interface LinkedPlace {
  readonly filename: string
  readonly path: string
  readonly line: number | null
  readonly inApp: boolean
}

export interface FrameLink {
  readonly href: string
  /** What the line is of: without the commit of the release it may have moved. */
  readonly title: string
}

/** Slashes are written one way, and none is at the beginning: who types src/ means /src/ as well. */
const plain = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '')

/** Address of a line of own code in the repository, by the longest root that its file begins with; null without one. */
export const frameLink = (
  mappings: readonly Pick<
    CodeMapping,
    'stackRoot' | 'sourceRoot' | 'lineUrl' | 'commit' | 'repoName' | 'defaultBranch'
  >[],
  { filename, inApp, line, path }: LinkedPlace,
): FrameLink | null => {
  if (!inApp) return null
  const byLength = mappings.toSorted((a, b) => b.stackRoot.length - a.stackRoot.length)
  for (const file of [plain(filename), plain(path)]) {
    // An address of the web is no file of a repository, unless a root says so.
    const isWeb = /^[a-z][a-z0-9+.-]*:\/\//i.test(file)
    for (const { commit, defaultBranch, lineUrl, repoName, sourceRoot, stackRoot } of byLength) {
      const root = plain(stackRoot)
      if (file === '' || lineUrl === null || !file.startsWith(root) || (root === '' && isWeb)) continue
      const parts = `${sourceRoot}${file.slice(root.length)}`.split('/').filter((part) => part !== '' && part !== '.')
      if (parts.includes('..')) continue
      return {
        href: fillLineUrl(lineUrl, parts.join('/'), line),
        title:
          commit === null
            ? `${repoName} on ${defaultBranch}: the commit of this release is not known, so that the line may have moved`
            : `${repoName} at ${commit.slice(0, 12)}, as this release was built`,
      }
    }
  }
  return null
}
