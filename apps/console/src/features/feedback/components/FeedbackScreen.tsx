import { useParams, useSearch } from '@tanstack/react-router'
import { type Ref, useCallback, useMemo, useRef } from 'react'

import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { EmptyState, ErrorState, SpeechIcon } from '../../../ui/index.ts'
import { inboxChanges } from '../inbox-changes.ts'
import { useFocusReturn, useReadWhenOpen } from '../inbox-effects.ts'
import { useInboxKeys } from '../inbox-keys.ts'
import { type InboxWork, useInboxWork } from '../inbox-work.ts'
import { useReportCommands } from '../report-commands.ts'
import { type InboxSearch, readInbox, readInboxUrl } from '../model/inbox-search.ts'
import { FeedbackList, type FeedbackListHandle } from './FeedbackList.tsx'
import { InboxDialogs } from './InboxDialogs.tsx'
import { ListOutline } from './InboxOutlines.tsx'
import { InboxFilters } from './InboxFilters.tsx'
import { HeldReports } from './HeldReports.tsx'
import { NothingSaid } from './NothingSaid.tsx'
import { ReportPane } from './ReportPane.tsx'
import styles from './FeedbackScreen.module.css'

/** The inbox: the list, and beside it the report that is open. */
export function FeedbackScreen() {
  usePageTitle('Feedback')
  const { org = '' } = useParams({ strict: false })
  const raw = useSearch({ strict: false })
  const url = JSON.stringify(readInboxUrl(raw))
  const search = useMemo(() => readInbox(JSON.parse(url) as Record<string, unknown>), [url])
  return <Inbox key={org} org={org} search={search} />
}

function Inbox({ org, search }: { readonly org: string; readonly search: InboxSearch }) {
  const list = useRef<FeedbackListHandle>(null)
  const scrollTo = useCallback((id: string) => list.current?.scrollTo(id), [])
  const work = useInboxWork(org, search, scrollTo)
  const changes = inboxChanges(work)
  useInboxKeys(work, changes)
  useReportCommands(work, changes)
  useReadWhenOpen(work)
  useFocusReturn(search.report, scrollTo)
  const isEmpty = work.query.isSuccess && work.rows.length === 0 && !work.isOpen
  return (
    <div data-whole-window className={cx(styles.screen, work.isOpen && styles.reading)}>
      <InboxFilters org={org} search={search} counts={work.counts} onChange={work.narrow} />
      <div className={cx(styles.panes, isEmpty && styles.empty)}>
        <Reports work={work} list={list} />
        {work.isOpen ? (
          <ReportPane
            key={search.report}
            org={org}
            report={search.report}
            actions={work.actions}
            onStatus={changes.setStatusOfOpen}
            onAssign={work.setAssigning}
            onClose={work.close}
            onDelete={() => work.setDeleting(true)}
          />
        ) : isEmpty ? null : (
          <div className={styles.nothing}>
            {work.rows.length === 0 ? null : (
              <EmptyState compact icon={SpeechIcon} title="No report selected">
                Choose one from the list, or press j.
              </EmptyState>
            )}
          </div>
        )}
      </div>
      <InboxDialogs work={work} changes={changes} />
    </div>
  )
}

/** The list, or what stands in its place: loading, failed, nothing. */
function Reports({ work, list }: { readonly work: InboxWork; readonly list: Ref<FeedbackListHandle> }) {
  const { org, query, rows, search } = work
  return (
    <section aria-label="Reports" className={styles.list} aria-busy={query.isPending || query.isPlaceholderData}>
      <HeldReports
        count={search.mailbox === 'spam' ? 0 : (work.counts?.held ?? 0)}
        onLook={() => work.narrow({ mailbox: 'spam' })}
      />
      {query.isPending ? <ListOutline /> : null}
      {query.error === null ? null : (
        <ErrorState
          compact
          title="The reports could not be loaded"
          {...describeError(query.error)}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isSuccess && rows.length === 0 ? (
        <NothingSaid org={org} search={search} counts={work.counts} onChange={work.narrow} />
      ) : null}
      {rows.length === 0 ? null : (
        <FeedbackList
          ref={list}
          org={org}
          rows={rows}
          hits={work.hits}
          search={search}
          current={work.current}
          selection={work.selected}
          outdated={query.isPlaceholderData}
          hasMore={query.hasNextPage}
          loadsMore={query.isFetchingNextPage}
          onLoadMore={() => void query.fetchNextPage()}
          onOpen={work.setCurrent}
          onSelect={work.select}
        />
      )}
    </section>
  )
}
