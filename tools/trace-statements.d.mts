/** Numbers at the beginning of titles in the text of a file with tests. */
export function numbersIn(text: string): number[]
/** Number → files whose tests name it. */
export function found(): Map<number, string[]>
/** What is wrong with the page, one sentence each. */
export function complaintsOf(page: string, tests: ReadonlyMap<number, readonly string[]>): string[]
/** The page with the files of the tests. */
export function written(page: string, tests: ReadonlyMap<number, readonly string[]>): string
