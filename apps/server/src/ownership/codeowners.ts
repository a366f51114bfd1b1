import { LIMITS } from './limits.ts'
import type { LineProblem, OwnershipLine, ReadLines } from './line.ts'

/**
 * A CODEOWNERS file as GitHub and GitLab read it: patterns of `.gitignore`, then owners. A line without owners says that
 * nobody owns what it matches. In GitLab's sections, `[Name]`, `^[Name]` or `[Name][2]`, the owners behind the name are
 * those of lines that name none. What either of them would not use is a problem with its reason.
 */
export const readCodeowners = (raw: string): ReadLines => {
  const lines: OwnershipLine[] = []
  const problems: LineProblem[] = []
  let section: readonly string[] = []
  for (const [index, written] of raw.split(/\r\n|\r|\n/).entries()) {
    const text = written.trim()
    if (text === '' || text.startsWith('#')) continue
    const number = index + 1
    const refuse = (reason: string): void => {
      problems.push({ source: 'codeowners', number, text: text.slice(0, 200), reason })
    }
    if (number > LIMITS.CODEOWNERS_LINES) {
      refuse(`Only the first ${LIMITS.CODEOWNERS_LINES.toLocaleString('en')} lines are used.`)
      break
    }
    if (text.length > LIMITS.OWNERSHIP_LINE_CHARS) {
      refuse(`A line has at most ${LIMITS.OWNERSHIP_LINE_CHARS.toLocaleString('en')} characters.`)
      continue
    }
    const heading = readHeading(text)
    if (heading !== null) {
      section = heading
      continue
    }
    const [pattern = '', ...names] = words(text)
    const reason = reasonAgainst(pattern)
    if (reason !== null) {
      refuse(reason)
      continue
    }
    const { owners, strange } = readNames(names)
    if (strange !== undefined) refuse(`"${strange}" is not used: an owner is @name, @organisation/team or an e-mail.`)
    const own = names.length === 0 ? section : owners
    // All of its names are unusable: it says nothing, rather than that nobody owns it.
    if (names.length > 0 && own.length === 0) continue
    lines.push({ source: 'codeowners', number, text, kind: 'codeowners', tag: '', pattern, owners: own })
  }
  return { lines, problems }
}

/** Owners behind the heading of a section; null when the line is none. */
const readHeading = (text: string): readonly string[] | null => {
  const [, rest] = /^\^?\[[^\]]{1,200}\](?:\[\d{1,4}\])?(?:\s+(.*))?$/.exec(text) ?? []
  return /^\^?\[/.test(text) && /^\^?\[[^\]]{1,200}\](?:\[\d{1,4}\])?(?:\s|$)/.test(text)
    ? readNames(words(rest ?? '')).owners
    : null
}

/** Words of a line, without what stands behind ` #`. A blank behind a backslash belongs to the word. */
const words = (text: string): string[] => {
  const found: string[] = []
  for (const [word] of text.matchAll(/(?:\\.|\S)+/g)) {
    if (word.startsWith('#')) break
    found.push(word.replaceAll('\\ ', ' '))
  }
  return found
}

const reasonAgainst = (pattern: string): string | null => {
  if (pattern.startsWith('!'))
    return 'Lines that begin with ! do not work in CODEOWNERS files, so this one is not used.'
  if (pattern.startsWith('\\#'))
    return 'A pattern cannot begin with \\# in a CODEOWNERS file, so this line is not used.'
  if (/[[\]]/.test(pattern))
    return 'Ranges of characters, [ ], do not work in CODEOWNERS files, so this line is not used.'
  return null
}

const readNames = (names: readonly string[]): { readonly owners: string[]; readonly strange: string | undefined } => {
  const isOwner = (name: string): boolean => /^@[^\s@]+$|^[^\s@]+@[^\s@]+$/.test(name)
  return {
    owners: names
      .filter(isOwner)
      .slice(0, LIMITS.OWNERSHIP_LINE_OWNERS)
      .map((name) => name.toLowerCase()),
    strange: names.find((name) => !isOwner(name)),
  }
}
