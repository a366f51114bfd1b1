/** A page of statements by the letter before their numbers; `path` is its file. */
export const PAGES: readonly {
  readonly letter: string
  readonly last: number
  readonly file: string
  readonly path: string
}[]
/** Numbers at the beginning of titles in the text of a file with tests. */
export function numbersIn(letter: string, text: string): number[]
/** Letter → number → files whose tests name it. */
export function found(): Map<string, Map<number, string[]>>
/** What is wrong with the page, one sentence each. */
export function complaintsOf(letter: string, page: string, tests: ReadonlyMap<number, readonly string[]>): string[]
/** The page with the files of the tests. */
export function written(letter: string, page: string, tests: ReadonlyMap<number, readonly string[]>): string
