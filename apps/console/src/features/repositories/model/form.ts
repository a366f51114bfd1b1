import {
  COMMIT_PLACE,
  PATH_PLACE,
  type createRepository,
  type BodyInput,
  type Repository,
  type RepositoryHost,
} from '@firsthand/contract'
import type { FieldErrors } from '../../../lib/use-form.ts'

export interface RepositoryForm {
  readonly name: string
  readonly url: string
  /** '': told by the address. */
  readonly host: RepositoryHost | ''
  readonly commitUrl: string
  readonly lineUrl: string
}

export const HOST_OPTIONS: readonly { readonly value: RepositoryForm['host']; readonly label: string }[] = [
  { value: '', label: 'As its address says' },
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'gitea', label: 'Gitea or Forgejo' },
  { value: 'bitbucket', label: 'Bitbucket' },
  { value: 'other', label: 'Another: write its addresses' },
]

export const startOf = (repository: Repository | null): RepositoryForm => ({
  name: repository?.name ?? '',
  url: repository?.url ?? '',
  host: repository?.host ?? '',
  commitUrl: repository?.commitUrl ?? '',
  lineUrl: repository?.lineUrl ?? '',
})

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text)

const NO_ADDRESS = 'An address begins with http:// or https://.'

export const problemsOf = ({ commitUrl, host, lineUrl, name, url }: RepositoryForm): FieldErrors<RepositoryForm> => ({
  ...(name.trim() === '' && { name: 'Write its name as builds call it: owner/name.' }),
  ...(url.trim() !== '' && !isAddress(url.trim()) && { url: NO_ADDRESS }),
  ...(host === 'other' && { ...wrongPattern('commitUrl', commitUrl, COMMIT_PLACE, 'the hash of the commit') }),
  ...(host === 'other' && { ...wrongPattern('lineUrl', lineUrl, PATH_PLACE, 'the path of the file') }),
})

const wrongPattern = (
  field: 'commitUrl' | 'lineUrl',
  pattern: string,
  place: string,
  what: string,
): FieldErrors<RepositoryForm> => {
  const text = pattern.trim()
  if (text === '') return {}
  if (!isAddress(text)) return { [field]: NO_ADDRESS }
  return text.includes(place) ? {} : { [field]: `Write ${place} where ${what} goes.` }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** Everything that the form holds: what was emptied is taken away. */
export const bodyOf = ({
  commitUrl,
  host,
  lineUrl,
  name,
  url,
}: RepositoryForm): BodyInput<typeof createRepository> => ({
  name: name.trim(),
  url: orNull(url),
  host: host === '' ? null : host,
  commitUrl: orNull(commitUrl),
  lineUrl: orNull(lineUrl),
})
