import type { Release } from '@firsthand/contract'
import { formatFilter } from '@firsthand/search-syntax'
import { formatCount } from '../../../lib/format.ts'
import { HAPPENED, type Happened } from './releases-search.ts'

/** How many issues did what in a release; null where nobody counted. */
export type HappenedCounts = Readonly<Record<Happened, number | null>>

/** Which of them its page lists unless one is asked for: the first that there are any of. */
export const shownFirst = (counts: HappenedCounts): Happened =>
  HAPPENED.find((happened) => (counts[happened] ?? 0) > 0) ?? 'new'

const KEYS = { new: 'firstRelease', regressed: 'regressedIn', resolved: 'resolvedIn' } as const

/** The search for what happened in a release. */
export const searchFor = (happened: Happened, version: string): string => formatFilter(KEYS[happened], version)

/** The events that it sent. */
export const searchInRelease = (version: string): string => formatFilter('release', version)

/** What it brought that waits for somebody. */
export const searchForReview = (version: string): string =>
  `is:unresolved (${searchFor('new', version)} OR ${searchFor('regressed', version)})`

/** A release in one sentence; null until it is counted. */
export function verdictOf(
  { new: isNew, regressed, resolved }: HappenedCounts,
  { lastEvent }: Pick<Release, 'lastEvent'>,
): string | null {
  if (isNew === null || regressed === null || resolved === null) return null
  const parts = [
    ...(isNew === 0 ? [] : [`${issues(isNew)} ${isNew === 1 ? 'is' : 'are'} new in it`]),
    ...(regressed === 0 ? [] : [`${isNew === 0 ? issues(regressed) : formatCount(regressed)} came back`]),
  ]
  const none = lastEvent === null ? 'No event has come of it yet' : 'Nothing new went wrong in it'
  const trouble = parts.length === 0 ? none : parts.join(', ')
  return resolved === 0
    ? `${trouble}.`
    : `${trouble}; ${formatCount(resolved)} ${resolved === 1 ? 'is' : 'are'} resolved.`
}

const issues = (count: number): string => `${formatCount(count)} ${count === 1 ? 'issue' : 'issues'}`

/** By what it is compared with others, which decides what comes back and what is newest. */
export function orderWords({ versionInfo, dateReleased }: Pick<Release, 'versionInfo' | 'dateReleased'>): string {
  if (versionInfo.version.major !== null) {
    return versionInfo.package === null
      ? 'Compared with others by its version.'
      : `Compared with others of ${versionInfo.package} by its version.`
  }
  const what = versionInfo.buildHash === null ? 'is no version' : 'is the hash of a build'
  const by = dateReleased === null ? 'by the day it was first seen' : 'by the day it was released'
  return `Its name ${what}, so that it is compared with others ${by}.`
}
