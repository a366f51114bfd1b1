import { LIMITS } from './limits.ts'
import type { LineKind, LineProblem, OwnershipLine, ReadLines } from './line.ts'

/**
 * Rules in the syntax of Sentry: `[type:]pattern owner…` a line, `#` before a comment. A pattern with blanks stands in
 * quotes. An owner is the e-mail of a member or `#` and the slug of a team.
 */
export const readRules = (raw: string): ReadLines => {
  const lines: OwnershipLine[] = []
  const problems: LineProblem[] = []
  for (const [index, written] of raw.split(/\r\n|\r|\n/).entries()) {
    const text = written.trim()
    if (text === '' || text.startsWith('#')) continue
    const number = index + 1
    const read = number > LIMITS.OWNERSHIP_RULES_LINES ? TOO_MANY : readLine(text)
    if (typeof read === 'string') problems.push({ source: 'rules', number, text: shortened(text), reason: read })
    else lines.push({ source: 'rules', number, text, ...read })
  }
  return { lines, problems }
}

const TOO_MANY = `Only the first ${LIMITS.OWNERSHIP_RULES_LINES.toLocaleString('en')} lines are used.`

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text)

type Read = Pick<OwnershipLine, 'kind' | 'tag' | 'pattern' | 'owners'>

const TYPES: Readonly<Record<string, LineKind>> = {
  path: 'path',
  module: 'module',
  url: 'url',
  codeowners: 'codeowners',
}

/** What a line says, or why it says nothing. */
const readLine = (text: string): Read | string => {
  if (text.length > LIMITS.OWNERSHIP_LINE_CHARS)
    return `A line has at most ${LIMITS.OWNERSHIP_LINE_CHARS.toLocaleString('en')} characters.`
  const { kind, tag, rest } = readType(text)
  const pattern = readPattern(rest)
  if (pattern === null) return 'The quotes around the pattern are not closed.'
  if (pattern.value === '') return 'A pattern is missing after the colon.'
  const owners = readOwners(pattern.rest)
  return typeof owners === 'string' ? owners : { kind, tag, pattern: pattern.value, owners }
}

const readType = (text: string): { readonly kind: LineKind; readonly tag: string; readonly rest: string } => {
  const [, tag, behindTag] = /^tags\.([^:]{1,200}):(.*)$/.exec(text) ?? []
  if (tag !== undefined && behindTag !== undefined) return { kind: 'tag', tag: unquoted(tag.trim()), rest: behindTag }
  const [, type = '', rest] = /^([a-z]+):(.*)$/.exec(text) ?? []
  const kind = TYPES[type]
  // `https://…` or `C:\…` are patterns of paths.
  return kind === undefined || rest === undefined ? { kind: 'path', tag: '', rest: text } : { kind, tag: '', rest }
}

const unquoted = (text: string): string => (/^".*"$/.test(text) ? text.slice(1, -1) : text)

const readPattern = (text: string): { readonly value: string; readonly rest: string } | null => {
  if (!text.startsWith('"')) {
    const [value = ''] = /^\S*/.exec(text) ?? []
    return { value, rest: text.slice(value.length) }
  }
  const [whole, value] = /^"((?:[^"\\]|\\.)*)"/.exec(text) ?? []
  if (whole === undefined || value === undefined) return null
  return { value: value.replaceAll(/\\(["\\])/g, '$1'), rest: text.slice(whole.length) }
}

const readOwners = (text: string): readonly string[] | string => {
  const [before = ''] = /^(?:\s+#?[^\s#]\S*)*/.exec(text) ?? []
  const owners = before.split(/\s+/).filter((owner) => owner !== '')
  if (owners.length === 0)
    return 'An owner is missing: write the e-mail of a member, or # and the slug of a team, behind the pattern.'
  if (owners.length > LIMITS.OWNERSHIP_LINE_OWNERS)
    return `A line names at most ${LIMITS.OWNERSHIP_LINE_OWNERS} owners.`
  const strange = owners.find((owner) => !/^#[^\s#]+$|^[^\s@#]+@[^\s@]+$/.test(owner))
  if (strange !== undefined)
    return `"${strange}" is no owner: write the e-mail of a member, or # and the slug of a team.`
  return owners.map((owner) => owner.toLowerCase())
}
