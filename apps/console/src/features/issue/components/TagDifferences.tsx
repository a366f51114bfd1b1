import { MAX_COMPARED_TAGS } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { Skeleton, VisibleText } from '../../../ui/index.ts'
import { type Difference, MIN_COMPARED_EVENTS, differences, tellsWhoMetIt } from '../model/differences.ts'
import { formatShare } from '../model/distribution.ts'
import { shownValue } from '../model/graph.ts'
import { type IssueScope, tagComparisonQuery } from '../queries.ts'
import styles from './TagDifferences.module.css'

/** Lines that have their room kept while the server compares, so that nothing below them moves. */
const MOST = 2
const MAX_KEY_CHARACTERS = 200

export interface Compared {
  readonly isWorth: boolean
  readonly otherEvents: number | undefined
  readonly failed: boolean
  readonly found: readonly Difference[]
}

/**
 * What sets the issue's events apart from the others of the project. It is asked once the tags are there.
 *
 * @param events of the issue
 * @param keys what is compared; undefined until the tags are known
 */
export function useDifferences(scope: IssueScope, events: number, keys: readonly string[] | undefined): Compared {
  const compared = (keys ?? [])
    .filter((key) => tellsWhoMetIt(key) && key.length <= MAX_KEY_CHARACTERS)
    .slice(0, MAX_COMPARED_TAGS)
  const isWorth = events >= MIN_COMPARED_EVENTS && (keys === undefined || compared.length > 0)
  const { data, error } = useQuery({
    ...tagComparisonQuery(scope, compared),
    enabled: isWorth && compared.length > 0,
  })
  return {
    isWorth,
    otherEvents: data?.otherEvents,
    failed: error !== null,
    found: data === undefined ? [] : differences(data).slice(0, MOST),
  }
}

export interface TagDifferencesProps {
  readonly compared: Compared
  /** Opens all values of a tag. */
  readonly onOpen: (key: string) => void
}

export function TagDifferences({ compared: { isWorth, otherEvents, failed, found }, onOpen }: TagDifferencesProps) {
  if (!isWorth) return null
  return (
    <div className={styles.differences}>
      {otherEvents === undefined && !failed ? <Skeleton /> : null}
      {failed ? <p className={styles.quiet}>The project’s other events could not be compared.</p> : null}
      {otherEvents === undefined ? null : (
        <p className={styles.quiet}>
          {otherEvents < MIN_COMPARED_EVENTS
            ? 'The project has too few other events to compare with.'
            : found.length === 0
              ? 'No different from the project’s other events.'
              : 'Unlike the project’s other events:'}
        </p>
      )}
      {found.map((difference) => (
        <Line key={difference.key} difference={difference} onOpen={onOpen} />
      ))}
    </div>
  )
}

function Line({
  difference: { key, value, share, elsewhere },
  onOpen,
}: {
  readonly difference: Difference
  readonly onOpen: (key: string) => void
}) {
  return (
    <button type="button" className={styles.line} title="All values" onClick={() => onOpen(key)}>
      <span className={styles.name}>
        <span className={styles.value}>
          <VisibleText text={shownValue(key, value)} />
        </span>{' '}
        <span className={styles.key}>
          <VisibleText text={key} />
        </span>
      </span>
      <span className={styles.shares}>
        {formatShare(share)} <span className={styles.quiet}>elsewhere {formatShare(elsewhere)}</span>
      </span>
    </button>
  )
}
