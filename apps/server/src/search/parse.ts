import { parseSearch as readSearch, type SearchNode, type SearchProblem } from '@firsthand/search-syntax'
import { err, ok, type Result } from '../lib/result.ts'

/** A search that was understood. What it is asked of decides what it means. */
export interface SearchQuery {
  /** Null for an empty search, which matches everything. */
  readonly root: SearchNode | null
}

/** What is wrong with a search: a sentence that says what to do, and the index into the text. */
export type SearchError = Pick<SearchProblem, 'message' | 'position'>

/**
 * Bounded by `SEARCH_CHARACTERS`, `SEARCH_TERMS`, `SEARCH_DEPTH` and `SEARCH_LIST_VALUES`; linear in the text.
 *
 * @param isField whether a name is a field; a colon and a blank behind any other name make a word of it
 */
export const parseSearch = (text: string, isField?: (name: string) => boolean): Result<SearchQuery, SearchError> => {
  const { root, problem } = readSearch(text, isField)
  return problem === null ? ok({ root }) : err({ message: problem.message, position: problem.position })
}
