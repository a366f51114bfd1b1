import { listIssues, listReleases } from '@firsthand/contract'
import { formatFilter, formatText } from '@firsthand/search-syntax'
import { api } from '../../lib/api.ts'
import type { Find } from '../../shell/feature.ts'
import { type Command, IssuesIcon } from '../../ui/index.ts'
import { badgeOf, titleParts } from './model/index.ts'
import { plainVisible } from '../../lib/visible-text.ts'

const MOST_ISSUES = 6
const MOST_RELEASES = 4
/** A short id, an event id, or one word: it cannot be mistaken for a filter. */
const WORD = /^[\w-]+$/

/** Issues by title, short id or event id, whatever their state; and releases, which lead to the issues seen in them. */
export const find: Find = async (text, { org, navigate, signal }) => {
  const [issues, releases] = await Promise.all([
    api.call(listIssues, {
      params: { org },
      query: {
        query: WORD.test(text) ? text : formatText(text),
        shortIdLookup: '1',
        groupStatsPeriod: '',
        limit: MOST_ISSUES,
      },
      signal,
    }),
    api.call(listReleases, { params: { org }, query: { query: text, limit: MOST_RELEASES }, signal }),
  ])
  return [
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
      hint: 'issues seen in it',
      group: 'Releases',
      run: () =>
        void navigate({
          to: '/organizations/$org/issues',
          params: { org },
          search: { query: formatFilter('release', version) },
        }),
    })),
  ]
}
