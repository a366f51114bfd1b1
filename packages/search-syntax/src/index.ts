/**
 * The language of searches, which is Sentry's: `key:value`, `!key:value`, `key:>5`, `key:[a,b]`, `has:key`,
 * `tags[key]:value`, `tags[key,number]:>5`, wildcards `*` (`\*` is a star), the operators Contains, StartsWith and
 * EndsWith as Sentry's links carry them, quoted values, free text, and `AND`, `OR` (which binds weaker) and
 * parentheses. Terms beside one another mean AND. Words that somebody pasted are text, even where a colon or a quotation
 * mark stands in them. The server answers by the tree, the console draws and edits by the
 * tokens; both are read here, so that a search means what it looks like.
 */
export { SEARCH_BOUNDS } from './bounds.ts'
export { formatFilter, formatText, formatValue } from './format.ts'
export { parseSearch, type ParsedSearch } from './parse.ts'
export { tokenize } from './tokenize.ts'
export {
  isWildcard,
  textOf,
  type FieldTerm,
  type FilterToken,
  type HasTerm,
  type Operator,
  type Pattern,
  type SearchKey,
  type SearchNode,
  type SearchProblem,
  type SearchTerm,
  type SearchToken,
  type TextTerm,
} from './types.ts'
