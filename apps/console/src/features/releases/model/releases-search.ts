import { urlText } from '../../../lib/url-search.ts'

/** What the list of releases shows, as its address says it. */
export interface ReleasesSearch {
  /** A part of the version. */
  readonly query: string
  /** Project ids. */
  readonly project: readonly string[]
  readonly status: ShownStatus
}

export const STATUSES = ['open', 'archived', 'all'] as const
export type ShownStatus = (typeof STATUSES)[number]

export type ReleasesUrl = { readonly [Key in keyof ReleasesSearch]?: ReleasesSearch[Key] }

const DEFAULT: ReleasesSearch = { query: '', project: [], status: 'open' }
const MOST_PROJECTS = 100
const MOST_CHARACTERS = 250

export function readReleasesUrl(raw: Readonly<Record<string, unknown>>): ReleasesUrl {
  const given: readonly unknown[] = Array.isArray(raw.project) ? raw.project : [raw.project]
  return compactReleases({
    query: urlText(raw.query).slice(0, MOST_CHARACTERS),
    project: [...new Set(given.map(urlText))].filter((id) => /^\d{1,15}$/.test(id)).slice(0, MOST_PROJECTS),
    status: STATUSES.find((status) => status === urlText(raw.status)) ?? DEFAULT.status,
  })
}

export const fromReleasesUrl = (url: ReleasesUrl): ReleasesSearch => ({ ...DEFAULT, ...url })

export const compactReleases = ({ project, query, status }: ReleasesSearch): ReleasesUrl => ({
  ...(query !== '' && { query }),
  ...(project.length > 0 && { project }),
  ...(status !== DEFAULT.status && { status }),
})

/** Which issues of a release its page lists. */
export const HAPPENED = ['new', 'regressed', 'resolved'] as const
export type Happened = (typeof HAPPENED)[number]

/** What the page of one release shows. */
export interface ReleaseUrl {
  /** Absent: those that there are. */
  readonly show?: Happened
}

export function readReleaseUrl(raw: Readonly<Record<string, unknown>>): ReleaseUrl {
  const asked = urlText(raw.show)
  const show = HAPPENED.find((happened) => happened === asked)
  return show === undefined ? {} : { show }
}
