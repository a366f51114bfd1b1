import { listIssues, listReleases } from '@firsthand/contract'
import { formatText } from '@firsthand/search-syntax'
import { api } from '../../lib/api.ts'
import type { Find } from '../../shell/feature.ts'
import { BookmarkIcon, type Command, IssuesIcon, ProjectIcon } from '../../ui/index.ts'
import { badgeOf, titleParts } from './model/index.ts'
import { DEFAULT_SEARCH, compactUrl } from './model/stream-search.ts'
import { keptOf, savedSearchesQuery } from './saved-searches.ts'
import { holdsWords } from '../../lib/holds-words.ts'
import { plainVisible } from '../../lib/visible-text.ts'

const MOST_ISSUES = 6
const MOST_RELEASES = 4
const MOST_SAVED = 4
/** The list of saved searches changes rarely; while one types it is not asked for again. */
const SAVED_FRESH_MS = 30_000
/** A short id, an event id, or one word: it cannot be mistaken for a filter. */
const WORD = /^[\w-]+$/

/**
 * Issues by the words of their title in any order, by short id or event id, whatever their state; saved searches
 * by their names and words; and releases.
 */
export const find: Find = async (text, { org, navigate, client, signal }) => {
  const words = text.split(/\s+/)
  const [saved, issues, releases] = await Promise.all([
    client.fetchQuery({ ...savedSearchesQuery(org), staleTime: SAVED_FRESH_MS }),
    api.call(listIssues, {
      params: { org },
      query: {
        query: WORD.test(text) ? text : words.map(formatText).join(' '),
        shortIdLookup: '1',
        groupStatsPeriod: '',
        limit: MOST_ISSUES,
      },
      signal,
    }),
    api.call(listReleases, { params: { org }, query: { query: text, limit: MOST_RELEASES }, signal }),
  ])
  const savedFound = saved.filter(({ name, query }) => holdsWords(`${name}\n${query}`, text))
  return [
    ...savedFound.slice(0, MOST_SAVED).map((search): Command => {
      const { name, query, sort } = keptOf(search)
      return {
        id: `saved-search-${search.id}`,
        label: plainVisible(name),
        hint: plainVisible(query),
        group: 'Saved searches',
        icon: BookmarkIcon,
        run: () =>
          void navigate({
            to: '/organizations/$org/issues',
            params: { org },
            search: compactUrl({ ...DEFAULT_SEARCH, query, sort }),
          }),
      }
    }),
    ...issues.map((issue): Command => {
      const { lead, rest } = titleParts(issue)
      const state = issue.status === 'unresolved' ? '' : ` · ${badgeOf(issue)?.label ?? ''}`
      return {
        id: `issue-${issue.id}`,
        label: plainVisible(rest === '' ? lead : `${lead}: ${rest}`),
        hint: `${issue.shortId}${state}`,
        group: 'Issues',
        icon: IssuesIcon,
        run: () => void navigate({ to: '/organizations/$org/issues/$issue', params: { org, issue: issue.id } }),
      }
    }),
    ...releases.map(({ version }): Command => ({
      id: `release-${version}`,
      label: plainVisible(version),
      hint: 'what it broke and mended',
      group: 'Releases',
      icon: ProjectIcon,
      run: () => void navigate({ to: '/organizations/$org/releases/$version', params: { org, version } }),
    })),
  ]
}
