import type { Erasure } from '@firsthand/contract'
import { formatCount } from '../../../lib/format.ts'

/** Deletions of all that is kept of a person, in words. */

/** One of it, several. What a server counts that this console does not know is called as it is. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  errors: ['error', 'errors'],
  reports: ['report', 'reports'],
  replays: ['replay', 'replays'],
  spans: ['span', 'spans'],
  logs: ['log line', 'log lines'],
  metrics: ['measured value', 'measured values'],
  sessions: ['session', 'sessions'],
  alerts: ['mention in alerts', 'mentions in alerts'],
  notices: ['mention in inboxes and mails that wait', 'mentions in inboxes and mails that wait'],
  messages: ['mention in messages to your team', 'mentions in messages to your team'],
  facts: ['note of what happened', 'notes of what happened'],
}

interface Counted {
  readonly what: string
  /** Null where counting takes too long. */
  readonly count: number | null
}

const oneWord = ({ what, count }: Counted): string => {
  const [one, several] = WORDS[what] ?? [what, what]
  if (count === null) return `${several} that take too long to count`
  return `${formatCount(count)} ${count === 1 ? one : several}`
}

/** "12 errors, 3 reports and 1 replay"; "nothing" where there is nothing. */
export function countWords(counts: readonly Counted[]): string {
  const words = counts.filter(({ count }) => count !== 0).map(oneWord)
  const last = words.at(-1)
  if (last === undefined) return 'nothing'
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** Why a deletion does not go on; when it is tried again follows. */
export const failureWords = ({
  attempts,
  error,
}: Pick<NonNullable<Erasure['failure']>, 'attempts' | 'error'>): string =>
  `It failed ${attempts === 1 ? 'once' : `${formatCount(attempts)} times in a row`}. ${error} It is tried again`

/** Whether the names may be those of several people. */
export const areSeveral = (names: readonly string[]): boolean =>
  names.filter((name) => name.startsWith('id:')).length > 1 || names.some((name) => name.startsWith('ip:'))

/** What is chosen before anybody chose: of what may be of several people, the name alone by which the page was opened. */
export const namesToBegin = (names: readonly string[], user: string): readonly string[] => {
  const own = names.filter((name) => folded(name) === folded(user))
  return areSeveral(names) && own.length > 0 ? own : names
}

/** Under way, of somebody with one of these names. */
export const openErasure = (erasures: readonly Erasure[], names: readonly string[]): Erasure | undefined => {
  const known = new Set(names.map(folded))
  return erasures.find(
    (erasure) =>
      (erasure.state === 'planned' || erasure.state === 'running') &&
      erasure.names.some((name) => known.has(folded(name))),
  )
}

/** An address is the same whatever its case. */
const folded = (name: string): string => (name.startsWith('email:') ? name.toLowerCase() : name)
