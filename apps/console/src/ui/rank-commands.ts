import type { Command } from './commands.ts'

/** Commands of one heading, in the order in which the palette shows them. */
export interface CommandSection {
  readonly group: string
  readonly commands: readonly Command[]
}

/** Rows of one heading: what is further down is found by another letter. */
const MOST_OF_A_GROUP = 8

/** How well a command answers, best first; 0: not at all. */
const EXACT = 6
const LABEL_STARTS = 5
const WORD_STARTS = 4
const IN_LABEL = 3
const KEYWORD_STARTS = 2
const IN_KEYWORD = 1

/**
 * The commands that have every word of `text`, by how well they answer: what begins with the text stands before what only
 * holds it, a label before a keyword, a short label before a long one. Headings stand in the order of their best command;
 * those for what is open come first. Without a text everything stands as it was offered.
 */
export function rankCommands(commands: readonly Command[], text: string): readonly CommandSection[] {
  const wanted = plain(text)
  const ranked = commands
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => Number(b.command.isForOpen ?? false) - Number(a.command.isForOpen ?? false) || compare(a, b))
  return [...Map.groupBy(ranked, ({ command }) => command.group)]
    .map(([group, members]) => ({ group, members }))
    .toSorted((a, b) => (wanted === '' ? 0 : bestOf(b.members) - bestOf(a.members)))
    .map(({ group, members }) => ({
      group,
      commands: members.slice(0, MOST_OF_A_GROUP * (wanted === '' ? 2 : 1)).map(({ command }) => command),
    }))

  function compare(a: { command: Command; rank: number }, b: { command: Command; rank: number }): number {
    return wanted === '' ? 0 : b.rank - a.rank || a.command.label.length - b.command.label.length
  }
}

function bestOf(members: readonly { readonly rank: number }[]): number {
  return Math.max(...members.map(({ rank }) => rank))
}

function rankOf({ label, keywords = [] }: Command, wanted: string): number {
  const name = plain(label)
  if (wanted === '' || name === wanted) return EXACT
  if (name.startsWith(wanted)) return LABEL_STARTS
  const words = name.split(' ')
  const others = keywords.map(plain)
  // Several words may stand anywhere; the command answers as well as its worst one does.
  return Math.min(...wanted.split(' ').map((part) => rankOfWord(part, name, words, others)))
}

function rankOfWord(part: string, name: string, words: readonly string[], keywords: readonly string[]): number {
  if (words.some((word) => word.startsWith(part))) return WORD_STARTS
  if (name.includes(part)) return IN_LABEL
  if (keywords.some((keyword) => keyword.startsWith(part))) return KEYWORD_STARTS
  return keywords.some((keyword) => keyword.includes(part)) ? IN_KEYWORD : 0
}

/** Small letters without accents, single blanks. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim().replace(/\s+/g, ' ')
}
