import type { EventSummary } from '@firsthand/contract'
import { useInfiniteQuery } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import {
  Button,
  EmptyState,
  ErrorState,
  Link,
  RelativeTime,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  Tr,
  VisibleText,
} from '../../../ui/index.ts'
import { SearchBar } from '../../search/index.ts'
import { EVENT_KEYS } from '../../search/model/index.ts'
import { cellText, type EventColumn, eventColumns } from '../model/event-columns.ts'
import type { IssueUrl } from '../model/page-search.ts'
import { type IssueScope, issueEventsQuery } from '../queries.ts'
import styles from './EventsTab.module.css'

export interface EventsTabProps {
  readonly scope: IssueScope
  /** Where there is little room, events that are called the same do not repeat it. */
  readonly issueTitle: string
  readonly project: string
  readonly url: IssueUrl
  readonly onSearch: (query: string) => void
}

const ID_CHARACTERS = 8
/** Of the outline: what follows it starts below the fold, and stays there. */
const FIRST_ROWS = 24

/** All events of the issue, newest first, with a search of their own. */
export function EventsTab({ scope, issueTitle, project, url, onSearch }: EventsTabProps) {
  const query = useInfiniteQuery(issueEventsQuery(scope, url.events ?? ''))
  const events = query.data?.pages.flatMap((page) => page.data) ?? []
  const columns = eventColumns(events)
  const failure = query.error === null ? null : describeError(query.error)
  return (
    <div className={styles.tab}>
      <SearchBar
        label="Search events"
        value={url.events ?? ''}
        onSearch={onSearch}
        keys={EVENT_KEYS}
        scope={{ org: scope.org, project: [project] }}
        refusal={failure?.detail}
        className={styles.search}
      />
      <div className={styles.box}>
        {query.data === undefined && failure === null ? (
          <SkeletonRows rows={FIRST_ROWS} label="Loading events" />
        ) : null}
        {failure === null ? null : (
          <ErrorState
            compact
            title="The events could not be loaded"
            {...failure}
            onRetry={() => void query.refetch()}
          />
        )}
        {query.data !== undefined && events.length === 0 ? (
          <EmptyState compact title="No event matches">
            Search for less, or choose a longer period in the list of issues.
          </EmptyState>
        ) : null}
        {events.length === 0 ? null : (
          <>
            {columns.constant.length === 0 ? null : (
              <p className={styles.constants}>
                In all of these:
                {columns.constant.map(({ label, value }) => (
                  <span key={label} className={styles.constant}>
                    <VisibleText text={label} />{' '}
                    <span className={styles.word}>
                      <VisibleText text={value} />
                    </span>
                  </span>
                ))}
              </p>
            )}
            <Table caption="Events" minWidth={700} stacksBelow={700} className={styles.table}>
              <Thead>
                <Th className={styles.idColumn}>Event</Th>
                <Th className={styles.whenColumn}>When</Th>
                {columns.varying.map(({ key, label }) => (
                  <Th key={key} className={cx(styles.cell, (key === 'title' || key === 'user') && styles.wideColumn)}>
                    <VisibleText text={label} />
                  </Th>
                ))}
              </Thead>
              <Tbody>
                {events.map((event) => (
                  <EventRow
                    key={event.eventID}
                    event={event}
                    columns={columns.varying}
                    scope={scope}
                    url={url}
                    issueTitle={issueTitle}
                  />
                ))}
              </Tbody>
            </Table>
          </>
        )}
        {query.hasNextPage ? (
          <div className={styles.more}>
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Older events
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  )
}

function EventRow({
  event,
  columns,
  scope,
  url,
  issueTitle,
}: Pick<EventsTabProps, 'scope' | 'url' | 'issueTitle'> & {
  readonly event: EventSummary
  readonly columns: readonly EventColumn[]
}) {
  return (
    <Tr>
      <Td mono>
        <Link
          look="quiet"
          to="/organizations/$org/issues/$issue"
          params={{ org: scope.org, issue: scope.issue }}
          search={eventUrl(url, event.eventID)}
        >
          {event.eventID.slice(0, ID_CHARACTERS)}
        </Link>
      </Td>
      <Td quiet className={styles.when}>
        <RelativeTime time={event.dateCreated} />
      </Td>
      {columns
        .map((column) => ({ ...column, text: cellText(column, event) }))
        .map(({ key, text }) => (
          <Td
            key={key}
            quiet={key !== 'title'}
            className={cx(
              styles.cell,
              (key === 'title' || key === 'user') && styles.long,
              (text === '' || (key === 'title' && event.title === issueTitle)) && styles.same,
            )}
          >
            <VisibleText text={text || '–'} />
          </Td>
        ))}
    </Tr>
  )
}

function eventUrl({ tab: _tab, events: _events, ...stream }: IssueUrl, event: string): IssueUrl {
  return { ...stream, event }
}
