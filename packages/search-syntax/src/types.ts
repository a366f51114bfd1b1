/** What a search says, without saying where it is answered. */
export type SearchNode = { readonly kind: 'and' | 'or'; readonly children: readonly SearchNode[] } | SearchTerm

export type SearchTerm = TextTerm | HasTerm | FieldTerm

/** A word, or a phrase in quotes, anywhere in title or message. */
export interface TextTerm {
  readonly kind: 'text'
  readonly value: Pattern
  /** Index into the text, as everywhere here. */
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
  /** More than one for `key:[a,b]`: any of them matches. None for `key:[]`: nothing matches. */
  readonly values: readonly Pattern[]
  readonly position: number
}

export type Operator = '=' | '>' | '>=' | '<' | '<='

export interface SearchKey {
  readonly name: string
  /** Written as `tags[name]`: a tag, even where a field has the same name. */
  readonly tag: boolean
  /** Written as `tags[name,number]`: the tag's values are compared as numbers. */
  readonly number?: true
  /** Written as `tags[name,boolean]`: 1 and 0 are true and false. */
  readonly boolean?: true
}

/** Literal pieces between wildcards: `a*b` is `['a', 'b']`, `abc` is `['abc']`, `*` is `['', '']`. Never empty. */
export type Pattern = readonly string[]

/** What is wrong with a search. */
export interface SearchProblem {
  /** Says what to do. */
  readonly message: string
  readonly position: number
  /** Index behind the last character that is at fault. */
  readonly end: number
}

/** What is wrong with one token. `parseSearch` has a sentence for each; who only edits a search needs none of them. */
export interface Fault extends Span {
  readonly kind: 'quote' | 'list' | 'listEntry' | 'listLength' | 'comparedList' | 'value' | 'presence'
}

/** A piece of the text. Tokens do not overlap, stand in order, and leave out nothing but the blanks between them. */
export type SearchToken = FilterToken | TextToken | WordToken | ParenthesisToken

interface Span {
  readonly start: number
  /** Index behind the last character. */
  readonly end: number
}

/** `key:value`, and what can be read of it while somebody is still typing. */
export interface FilterToken extends Span {
  readonly kind: 'filter'
  readonly negated: boolean
  readonly key: SearchKey
  /** Index of the colon. */
  readonly keyEnd: number
  readonly operator: Operator
  /** Where the value begins, behind the sign of a comparison or the name of an operator. Equal to `end` when there is none yet. */
  readonly valueStart: number
  /** One or, for `key:[a,b]`, each of the list. Empty when there is none yet. */
  readonly values: readonly Pattern[]
  /** Of `has:key`: the key that is to be there. Null for all other filters. */
  readonly presence: SearchKey | null
  readonly fault: Fault | null
}

export interface TextToken extends Span {
  readonly kind: 'text'
  readonly value: Pattern
  /** A quotation mark that is never closed; the word behind it is searched for all the same. */
  readonly fault: Fault | null
}

export interface WordToken extends Span {
  readonly kind: 'and' | 'or'
}

export interface ParenthesisToken extends Span {
  readonly kind: 'open' | 'close'
}

export const isWildcard = (pattern: Pattern): boolean => pattern.length > 1

/** The value as it was meant, for fields that know no wildcards. */
export const textOf = (pattern: Pattern): string => pattern.join('*')
