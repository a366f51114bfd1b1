/** Where a line stands: CODEOWNERS come first, and what comes later wins. */
export type LineSource = 'codeowners' | 'rules'

export type LineKind = 'path' | 'module' | 'url' | 'codeowners' | 'tag'

/** One line that says whose something is. */
export interface OwnershipLine {
  readonly source: LineSource
  /** Of the text it stands in; the first is 1. */
  readonly number: number
  /** As it is written. */
  readonly text: string
  readonly kind: LineKind
  /** Name of the tag, of lines about one; '' for all others. */
  readonly tag: string
  readonly pattern: string
  /** As they are written. A line without any excludes what it matches. */
  readonly owners: readonly string[]
}

/** A line that cannot be used, and why. */
export interface LineProblem {
  readonly source: LineSource
  readonly number: number
  readonly text: string
  readonly reason: string
}

export interface ReadLines {
  readonly lines: readonly OwnershipLine[]
  readonly problems: readonly LineProblem[]
}
