import { Button } from './Button.tsx'
import styles from './ShowMore.module.css'

interface ShowMoreProps {
  /** A query that is loaded page by page. */
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** The end of a list in a panel, while there is more of it. */
export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ShowMoreProps) {
  if (!hasNextPage) return null
  return (
    <div className={styles.more}>
      <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </Button>
    </div>
  )
}
