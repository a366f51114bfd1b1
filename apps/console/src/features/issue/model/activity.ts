import type { Activity } from '@firsthand/contract'

import { formatDay } from '../../../lib/format.ts'
import { shortVersion } from '../../../lib/short-version.ts'

/** One line of an issue's history in words; `quote` is a note, shown as it was written. */
export interface ActivityLine {
  readonly text: string
  readonly quote: string | null
}

export function activityLine(activity: Activity): ActivityLine {
  const data = (key: string) => {
    const value = activity.data[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  if (activity.type === 'note') return { text: '', quote: data('text') }
  return { text: sentence(activity.type, data, shortIdsOf(activity.data.issues)), quote: null }
}

function sentence(type: string, data: (key: string) => string, merged: string): string {
  const version = shortVersion(data('version') || data('inRelease') || data('release'))
  switch (type) {
    case 'first_seen':
      return version === '' ? 'First seen' : `First seen in ${version}`
    case 'set_resolved':
      return version === '' ? 'Resolved' : `Resolved in ${version}`
    case 'set_resolved_in_release':
      return version === '' ? 'Resolved in the next release' : `Resolved in ${version}`
    case 'set_unresolved':
      return reopened(data)
    case 'people_told':
      return `${data('people') === '1' ? '1 person was' : `${data('people')} people were`} told${version === '' ? '' : ` that it is resolved in ${version}`}`
    case 'set_regression':
      return regressed(version, data)
    case 'set_escalating':
      return 'Escalating'
    case 'set_ignored':
      return `Archived${archivedUntil(data)}`
    case 'assigned':
      return `Assigned to ${data('assigneeName') || data('assigneeEmail') || data('name') || data('assignee') || 'somebody'}`
    case 'unassigned':
      return 'Unassigned'
    case 'merge':
      return `Merged with ${merged || countOf(data('count')) || 'other issues'}`
    case 'unmerge':
    case 'unmerge_source':
    case 'unmerge_destination':
      return 'Unmerged'
    case 'set_priority':
      return data('reason') === '' ? `Priority ${data('priority')}` : `Priority ${data('reason')}`
    case 'archived_growth':
      return `Stays archived, though a day brought ${data('events')} events; its busiest before had ${data('dailyPeak')}`
    default:
      return type.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
  }
}

/** Short ids of the issues that a merge took in; '' when it names none. */
function shortIdsOf(issues: unknown): string {
  if (!Array.isArray(issues)) return ''
  return issues
    .flatMap((issue: unknown) =>
      typeof issue === 'object' && issue !== null && 'shortId' in issue && typeof issue.shortId === 'string'
        ? [issue.shortId]
        : [],
    )
    .join(', ')
}

/** By whom or by what. */
function reopened(data: (key: string) => string): string {
  switch (data('reason')) {
    case 'escalating':
      return data('limit') === ''
        ? 'Escalated'
        : `Escalated: ${data('events')} events in an hour, above its limit of ${data('limit')}`
    case 'until_events':
      return `Came back: ${data('untilEvents')} more events came`
    case 'until_users':
      return `Came back: ${data('untilUsers')} more users met it`
    case 'until_timestamp':
      return 'Came back: its time had come'
    case 'still_happens':
      return 'Reopened: somebody who wrote says that it still happens'
    default:
      return 'Reopened'
  }
}

function archivedUntil(data: (key: string) => string): string {
  if (data('ignoreUntil') !== '') return ` until ${formatDay(Date.parse(data('ignoreUntil')))}`
  if (data('ignoreCount') !== '') return ` until ${data('ignoreCount')} more events`
  if (data('ignoreUserCount') !== '') return ` until ${data('ignoreUserCount')} more users`
  return ''
}

function countOf(count: string): string {
  if (count === '' || !/^\d+$/.test(count)) return ''
  return count === '1' ? '1 other issue' : `${count} other issues`
}

/** With the release in which it was resolved, and by what the two were compared. */
function regressed(version: string, data: (key: string) => string): string {
  if (version === '') return 'Regressed'
  const resolvedIn = shortVersion(data('resolved_in'))
  switch (data('compared_by')) {
    case 'name':
      return `Regressed in ${version}, in which it was resolved`
    case 'version':
      return `Regressed in ${version}, a higher version than ${resolvedIn}, in which it was resolved`
    case 'date':
      return `Regressed in ${version}, which came after ${resolvedIn}, in which it was resolved`
    default:
      return `Regressed in ${version}`
  }
}
