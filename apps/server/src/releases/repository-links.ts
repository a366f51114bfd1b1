import { COMMIT_PLACE, fillLineUrl, LINE_PLACE, PATH_PLACE, type RepositoryHost } from '@firsthand/contract'

/** What is known of a repository that addresses of its pages are made of. */
export interface Addressed {
  readonly url: string | null
  /** Null: told by the name of its host. */
  readonly host: RepositoryHost | null
  readonly commitUrl: string | null
  readonly lineUrl: string | null
}

type KnownHost = Exclude<RepositoryHost, 'other'>

const HOSTS: readonly (readonly [RegExp, KnownHost])[] = [
  [/github/, 'github'],
  [/gitlab/, 'gitlab'],
  [/bitbucket/, 'bitbucket'],
  [/gitea|forgejo|codeberg/, 'gitea'],
]

/** Below the page of the repository: a commit, and a line of a file as it was at a commit. */
const PAGES: Readonly<Record<KnownHost, { readonly commit: string; readonly line: string }>> = {
  github: { commit: `commit/${COMMIT_PLACE}`, line: `blob/${COMMIT_PLACE}/${PATH_PLACE}#L${LINE_PLACE}` },
  gitlab: { commit: `-/commit/${COMMIT_PLACE}`, line: `-/blob/${COMMIT_PLACE}/${PATH_PLACE}#L${LINE_PLACE}` },
  gitea: { commit: `commit/${COMMIT_PLACE}`, line: `src/commit/${COMMIT_PLACE}/${PATH_PLACE}#L${LINE_PLACE}` },
  bitbucket: { commit: `commits/${COMMIT_PLACE}`, line: `src/${COMMIT_PLACE}/${PATH_PLACE}#lines-${LINE_PLACE}` },
}

/** Null for an address that nobody can make others of: not of the web, or of a host that is not known by its name. */
const readRepository = ({ host, url }: Addressed): { readonly base: string; readonly host: KnownHost } | null => {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null || host === 'other') return null
  // Who says what it is may have it in a network of their own.
  if (parsed.protocol !== 'https:' && (host === null || parsed.protocol !== 'http:')) return null
  const known = host ?? HOSTS.find(([pattern]) => pattern.test(parsed.hostname))?.[1]
  const path = parsed.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return known === undefined || path === '' ? null : { base: `${parsed.protocol}//${parsed.host}${path}`, host: known }
}

/** The page of a commit. */
export const commitLink = (repository: Addressed | null, commit: string): string | null => {
  if (repository === null) return null
  const known = readRepository(repository)
  const template =
    known === null
      ? repository.host === 'other'
        ? repository.commitUrl
        : null
      : `${known.base}/${PAGES[known.host].commit}`
  return template?.replaceAll(COMMIT_PLACE, () => encodeURIComponent(commit)) ?? null
}

/**
 * Address of a line of any file as it was at a commit, with `{path}` and `{line}` still in it.
 *
 * @param at the commit, or a branch
 */
export const lineTemplate = (
  repository: Addressed | null,
  at: { readonly commit: string } | { readonly branch: string },
): string | null => {
  if (repository === null) return null
  const known = readRepository(repository)
  // A branch may have slashes, which are a part of the path.
  const name = 'commit' in at ? encodeURIComponent(at.commit) : at.branch.split('/').map(encodeURIComponent).join('/')
  const template =
    known === null
      ? repository.host === 'other'
        ? repository.lineUrl
        : null
      : `${known.base}/${'branch' in at && known.host === 'gitea' ? PAGES.gitea.line.replace('src/commit/', 'src/branch/') : PAGES[known.host].line}`
  return template?.replaceAll(COMMIT_PLACE, () => name) ?? null
}

/** A line of a file as it was at a commit. */
export const lineLink = (
  repository: Addressed | null,
  { commit, line, path }: { readonly commit: string; readonly path: string; readonly line: number | null },
): string | null => {
  const template = lineTemplate(repository, { commit })
  return template === null ? null : fillLineUrl(template, path, line)
}
