import { ApiError } from '@firsthand/contract'
import type { ReactNode } from 'react'
import { Loaded, SkeletonRows } from '../../../ui/index.ts'

const OUTLINED = 14

interface FoundRowsProps<Page, Row> {
  readonly query: {
    readonly data: { readonly pages: readonly Page[] } | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  /** "pages". */
  readonly things: string
  readonly rowsOf: (page: Page) => readonly Row[]
  /** In place of an empty list. */
  readonly none: ReactNode
  readonly children: (rows: readonly Row[], first: Page) => ReactNode
}

/** A list that is loaded page by page, once its first page is there. */
export function FoundRows<Page, Row>({ query, things, rowsOf, none, children }: FoundRowsProps<Page, Row>) {
  return (
    <Loaded
      query={query}
      failed={isRefused(query.error) ? 'This search is not valid' : `The ${things} could not be loaded`}
      outline={<SkeletonRows rows={OUTLINED} label={`Loading the ${things}`} />}
    >
      {({ pages }) => {
        const rows = pages.flatMap(rowsOf)
        const [first] = pages
        return first === undefined || rows.length === 0 ? none : children(rows, first)
      }}
    </Loaded>
  )
}

const isRefused = (error: Error | null): boolean => error instanceof ApiError && error.status === 400
