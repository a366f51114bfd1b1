import type { PersonEntry } from '@firsthand/contract'

/** The pages of a person's time: entries of several sources as one list, newest first. */

/** An entry, with its moment as a number. */
export interface TimedEntry {
  readonly at: number
  readonly entry: PersonEntry
}

/** Where a page begins: at this moment, after so many entries of it that were given already. */
export interface TimeCursor {
  readonly at: number
  readonly passed: number
}

/** Null for what is no cursor of ours. */
export const readTimeCursor = (text: string, mostPassed: number): TimeCursor | null => {
  const [, at, passed] = /^(\d{1,15}):(\d{1,6}):0$/.exec(text) ?? []
  if (at === undefined || passed === undefined || Number(passed) > mostPassed) return null
  return { at: Number(at), passed: Number(passed) }
}

const ORDER: Readonly<Record<PersonEntry['kind'], number>> = {
  told: 0,
  message: 1,
  report: 2,
  error: 3,
  log: 4,
  transaction: 5,
  replay: 6,
}

/** Those of one kind and moment stay as their source has them: where it was cut, nothing else comes before. */
const inOrder = (one: TimedEntry, other: TimedEntry): number =>
  other.at - one.at || ORDER[one.entry.kind] - ORDER[other.entry.kind]

/**
 * @param entries of each source, in an order that is always the same, the newest from `cursor` on: as many as are passed, a
 * page, and one more
 * @returns the page, and where the next one begins; null when this is the last
 */
export const pageOfTime = (
  entries: readonly TimedEntry[],
  cursor: TimeCursor,
  limit: number,
): { readonly page: readonly PersonEntry[]; readonly next: string | null } => {
  const all = entries.toSorted(inOrder)
  const ofItsMoment = all.filter(({ at }) => at === cursor.at).length
  const rest = all.slice(Math.min(cursor.passed, ofItsMoment))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  if (last === undefined || rest.length <= limit) return { page: page.map(({ entry }) => entry), next: null }
  const alike = page.filter(({ at }) => at === last.at).length
  const passed = last.at === cursor.at ? cursor.passed + alike : alike
  return { page: page.map(({ entry }) => entry), next: `${last.at}:${passed}:0` }
}
