import type { MarkKind } from './mark.ts'

/**
 * What is counted of a replay and how. Lists are sorted and searched in the database, and what they show is written here:
 * each rule has both forms beside each other, and a test compares them.
 */

/** From 1 to 10, as Sentry has it. */
export const activity = {
  of: (errors: number, pages: number): number => Math.min(10, Math.max(1, Math.floor((25 * errors + 5 * pages) / 10))),
  sql: (errors: string, pages: string): string => `greatest(1, least(10, intDiv(25 * ${errors} + 5 * ${pages}, 10)))`,
}

/** Whole seconds, as Sentry counts them: how often the second changed. Given are milliseconds since the epoch. */
export const duration = {
  of: (startedAt: number, finishedAt: number): number =>
    Math.max(0, Math.floor(finishedAt / 1000) - Math.floor(startedAt / 1000)),
  sql: (startedAt: string, finishedAt: string): string =>
    `greatest(0, intDiv(${finishedAt}, 1000) - intDiv(${startedAt}, 1000))`,
}

/** What was reported in a replay is an error, a warning, or a note of any other level. */
export type ReportedAs = 'error' | 'warning' | 'info'

const LEVELS: Readonly<Record<Exclude<ReportedAs, 'info'>, readonly string[]>> = {
  error: ['error', 'fatal'],
  warning: ['warning'],
}

const quoted = (words: readonly string[]): string => `(${words.map((word) => `'${word}'`).join(', ')})`

export const reportedAs = {
  of: (level: string): ReportedAs =>
    LEVELS.error.includes(level) ? 'error' : LEVELS.warning.includes(level) ? 'warning' : 'info',
  sql: (level: string, list: ReportedAs): string =>
    list === 'info'
      ? `${level} NOT IN ${quoted([...LEVELS.error, ...LEVELS.warning])}`
      : `${level} IN ${quoted(LEVELS[list])}`,
}

/**
 * Errors of a replay: what the recorder saw may not have come (yet), or may have been reported as something else; and what
 * came may not have been seen.
 */
export const errors = {
  of: (
    noted: readonly string[],
    reported: { readonly errors: readonly string[]; readonly others: ReadonlySet<string> },
  ): string[] => [...new Set([...noted.filter((id) => !reported.others.has(id)), ...reported.errors])],
  sql: (noted: string, reported: { readonly errors: string; readonly others: readonly string[] }): string =>
    `arrayDistinct(arrayConcat(arrayFilter(
      one -> ${reported.others.map((list) => `NOT has(${list}, one)`).join(' AND ')}, ${noted}), ${reported.errors}))`,
}

/** Ids of what was noted and reported in a replay, by the list that each is in. */
export const reportedIn = (
  noted: readonly string[],
  reported: readonly { readonly eventId: string; readonly level: string }[],
) => {
  const of = (list: ReportedAs): string[] =>
    reported.filter(({ level }) => reportedAs.of(level) === list).map(({ eventId }) => eventId)
  const [warnings, infos] = [of('warning'), of('info')]
  const others = new Set([...warnings, ...infos])
  return { errors: errors.of(noted, { errors: of('error'), others }), warnings, infos }
}

/** Clicks on elements; of those the ones in vain; of those the ones in anger: a rage click is a dead one, too. */
export const CLICK_KINDS = {
  rage: ['rage_click'],
  dead: ['dead_click', 'rage_click'],
  any: ['click', 'dead_click', 'rage_click'],
} as const satisfies Readonly<Record<string, readonly MarkKind[]>>

/** For `kind IN …`. */
export const clickKinds = (which: keyof typeof CLICK_KINDS): string => quoted(CLICK_KINDS[which])
