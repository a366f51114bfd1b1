import { type FieldTerm, type Pattern, textOf } from '@firsthand/search-syntax'

/** Projects that a search names by their slugs or ids: `project:[shop,ware*]`. */

interface NamedProject {
  readonly id: number
  readonly slug: string
}

const matches = (pattern: Pattern, text: string): boolean => {
  const [first = '', ...rest] = pattern
  if (rest.length === 0) return text === first
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > text.length - last.length) return false
    at = found + part.length
  }
  return true
}

/** @param unknown names of which there is none are added */
export const projectsNamed = (
  { values }: Pick<FieldTerm, 'values'>,
  projects: readonly NamedProject[],
  unknown: Set<string>,
): number[] =>
  values.flatMap((value) => {
    const found = projects.filter(({ id, slug }) => matches(value, slug) || textOf(value) === String(id))
    if (found.length === 0) unknown.add(textOf(value))
    return found.map(({ id }) => id)
  })

/** What is said of such names; null when all are known. */
export const unknownProjects = (unknown: ReadonlySet<string>): string | null =>
  unknown.size === 0
    ? null
    : `Invalid query. Project(s) ${[...unknown].join(', ')} do not exist or are not actively selected.`
