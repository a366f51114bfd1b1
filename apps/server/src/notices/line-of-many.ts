import type { Message } from '../channels/index.ts'

/** What a message tells of one by one, where it tells of several: each is a thing of the line. */
export interface ManyThings {
  /** What one, and what several of them are called: `new issue`, `new issues`. */
  readonly words: readonly [one: string, many: string]
  /** Where all of them were; '' for here and there. */
  readonly place: string
  readonly things: readonly ThingTold[]
  /** How many more there were, which are not named. */
  readonly unnamed: number
}

export interface ThingTold {
  readonly level: Message['level']
  /** What it is called among others. */
  readonly name: string
  readonly text: string
  readonly path: string
  readonly reportId: number | null
}

const NAMED = 2
const MIXED = ['thing', 'things'] as const

/**
 * What a line is called that tells of many: `12 new issues in shop: TypeError, OrderError and 10 more`.
 *
 * @param names of the newest things, the newest first
 * @param isMixed it has others in it, which came before
 */
export const titleOfMany = (
  { place, words }: Pick<ManyThings, 'place' | 'words'>,
  { count, isMixed, names }: { readonly count: number; readonly names: readonly string[]; readonly isMixed: boolean },
): string => {
  const [one, many] = isMixed ? MIXED : words
  const said = [...new Set(names.filter((name) => name !== ''))].slice(0, NAMED)
  const rest = count - said.length
  const list = rest > 0 ? `${said.join(', ')} and ${rest} more` : said.join(' and ')
  const where = place === '' ? '' : ` in ${place}`
  return `${count} ${count === 1 ? one : many}${where}${said.length === 0 ? '' : `: ${list}`}`
}
