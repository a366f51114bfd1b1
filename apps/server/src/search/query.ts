/**
 * What a search says, without saying where it is answered. Made by `parseSearch`, read by the two compilers: event terms
 * become ClickHouse SQL (`event-filter.ts`), issue terms conditions of the ledger (`issue-filter.ts`).
 */
export interface SearchQuery {
  /** Null for an empty search, which matches everything. */
  readonly root: SearchNode | null
}

export type SearchNode = { readonly kind: 'and' | 'or'; readonly children: readonly SearchNode[] } | SearchTerm

export type SearchTerm = TextTerm | HasTerm | FieldTerm

/** A word, or a phrase in quotes, anywhere in title or message. */
export interface TextTerm {
  readonly kind: 'text'
  readonly value: Pattern
  readonly position: number
}

export interface HasTerm {
  readonly kind: 'has'
  readonly key: SearchKey
  readonly negated: boolean
  readonly position: number
}

export interface FieldTerm {
  readonly kind: 'field'
  readonly key: SearchKey
  readonly negated: boolean
  readonly operator: Operator
  /** More than one for `key:[a,b]`: any of them matches. Never empty. */
  readonly values: readonly Pattern[]
  readonly position: number
}

export type Operator = '=' | '>' | '>=' | '<' | '<='

export interface SearchKey {
  readonly name: string
  /** Written as `tags[name]`: a tag, even where a field has the same name. */
  readonly tag: boolean
}

/** Literal pieces between wildcards: `a*b` is `['a', 'b']`, `abc` is `['abc']`, `*` is `['', '']`. Never empty. */
export type Pattern = readonly string[]

/** What is wrong with a search. */
export interface SearchError {
  /** Says what to do. */
  readonly message: string
  /** Index into the text. */
  readonly position: number
}

export const isWildcard = (pattern: Pattern): boolean => pattern.length > 1

/** The value as it was meant, for fields that know no wildcards. */
export const textOf = (pattern: Pattern): string => pattern.join('*')
