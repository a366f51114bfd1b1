import type { FieldTerm, SearchKey } from '@firsthand/search-syntax'
import type { Quantity } from './values.ts'

/** Whether letters of either case are the same: in no value, in all, or in those with wildcards only, as Sentry has it. */
export type IgnoredCase = boolean | 'in-wildcards'

/**
 * How a search key is answered by a table of telemetry. `sql` is a column, qualified with its table, or an expression
 * over columns.
 */
export type SearchField =
  | { readonly kind: 'text'; readonly sql: string; readonly ignoreCase?: IgnoredCase }
  /** Text that is one of these, in lower case. */
  | { readonly kind: 'choice'; readonly sql: string; readonly values: readonly string[] }
  /**
   * Text of so many hexadecimal characters. `of`: what has such an id, with its article. `longer`: a column of UUIDs, in
   * which an id of 32 characters is looked for.
   */
  | HexField
  /** Matches when the value is anywhere in the searched text of the row, whatever the case. `sql` is what is shown of it. */
  | { readonly kind: 'words'; readonly sql: string }
  | { readonly kind: 'list'; readonly sql: string; readonly ignoreCase?: IgnoredCase }
  | { readonly kind: 'boolean'; readonly sql: string }
  | { readonly kind: 'time'; readonly sql: string }
  /** `of`: what has such an id, with its article. */
  | { readonly kind: 'uuid'; readonly sql: string; readonly of: string }
  /** `nullable`: the expression is null where a row has no such number. `quantity`: what units a value may have. */
  | { readonly kind: 'number'; readonly sql: string; readonly nullable?: true; readonly quantity?: Quantity }
  /**
   * Something that rows have as a text, a number or a truth, as it was sent: each of these as a part of its own. The text is
   * '' and the others are null where a row has none of the kind.
   */
  | { readonly kind: 'attribute'; readonly text: string; readonly number: string; readonly flag: string }
  /** Something about any of several things of a row, such as the frames of its stacks. */
  | NestedField
  | { readonly kind: 'tag'; readonly name: string }
  /** A part of a column: text. */
  | { readonly kind: 'part'; readonly sql: string; readonly ignoreCase?: IgnoredCase }
  /** A version, which has an order: 1.10 comes after 1.9, and 2.0-beta before 2.0. */
  | { readonly kind: 'version'; readonly sql: string }

export interface HexField {
  readonly kind: 'hex'
  readonly sql: string
  readonly characters: number
  readonly of: string
  readonly longer?: string
}

export interface NestedField {
  readonly kind: 'nested'
  /** Of one thing: its field, over columns that `any` provides. */
  readonly of: Extract<SearchField, { readonly kind: 'number' | 'boolean' | 'part' }>
  /** One thing's condition → the row's: whether any of its things fulfils it. */
  readonly any: (condition: string, bind: BindProjects) => string
}

/** Binds the ids of the projects that are searched; answers the parameter. */
export type BindProjects = () => string

/** Values that stand for those of a term, which only the caller can look up: ids for names. */
export type LookedUp =
  | { readonly sql: string; readonly type: 'Array(UInt64)'; readonly values: readonly number[] }
  | { readonly sql: string; readonly type: 'Array(String)'; readonly values: readonly string[] }

/** A table of telemetry as searches see it: the capability that has the table declares it. */
export interface SearchedTable {
  /** Every key has an answer: what is no field is a tag. */
  readonly fieldOf: (key: SearchKey) => SearchField
  /** Ids of the projects that are searched, for nested fields that are looked up in a second table. */
  readonly projectIds?: readonly number[]
  /** A column of the text that free words are looked for in; it holds lower case. */
  readonly words: string
  /** A map of tags, and an array of each as `key=value`; null for a table whose fields are never tags. */
  readonly tags: { readonly map: string; readonly pairs: string } | null
  /** Null for a term that says by itself what it means. */
  readonly lookUp?: (term: FieldTerm) => LookedUp | null
  /** A sentence about a key that cannot be asked here; null for all others. */
  readonly refuse?: (key: SearchKey) => string | null
}
