/** What serves a repository, by which its addresses are made. */
type Host = 'github' | 'gitlab' | 'gitea' | 'bitbucket'

const HOSTS: readonly (readonly [RegExp, Host])[] = [
  [/github/, 'github'],
  [/gitlab/, 'gitlab'],
  [/bitbucket/, 'bitbucket'],
  [/gitea|forgejo|codeberg/, 'gitea'],
]

/** Null for an address that nobody can make others of: not https, or of a host that is not known by its name. */
const readRepository = (url: string | null): { readonly base: string; readonly host: Host } | null => {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null || parsed.protocol !== 'https:') return null
  const host = HOSTS.find(([pattern]) => pattern.test(parsed.hostname))?.[1]
  const path = parsed.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return host === undefined || path === '' ? null : { base: `https://${parsed.host}${path}`, host }
}

/** The page of a commit. */
export const commitLink = (url: string | null, commit: string): string | null => {
  const repository = readRepository(url)
  if (repository === null) return null
  const { base, host } = repository
  const id = encodeURIComponent(commit)
  switch (host) {
    case 'github':
    case 'gitea':
      return `${base}/commit/${id}`
    case 'gitlab':
      return `${base}/-/commit/${id}`
    case 'bitbucket':
      return `${base}/commits/${id}`
  }
}

/** A line of a file as it was at a commit. */
export const lineLink = (
  url: string | null,
  { commit, path, line }: { readonly commit: string; readonly path: string; readonly line: number | null },
): string | null => {
  const repository = readRepository(url)
  if (repository === null) return null
  const { base, host } = repository
  const id = encodeURIComponent(commit)
  const file = path.split('/').map(encodeURIComponent).join('/')
  const at = line === null ? '' : host === 'bitbucket' ? `#lines-${line}` : `#L${line}`
  switch (host) {
    case 'github':
      return `${base}/blob/${id}/${file}${at}`
    case 'gitlab':
      return `${base}/-/blob/${id}/${file}${at}`
    case 'gitea':
      return `${base}/src/commit/${id}/${file}${at}`
    case 'bitbucket':
      return `${base}/src/${id}/${file}${at}`
  }
}
