import type { InboxEntry } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useSession } from '../../../lib/shared-queries.ts'
import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { EmptyState, ErrorState, InboxIcon, Kbd, Link } from '../../../ui/index.ts'
import { useInboxKeys } from '../inbox-keys.ts'
import { type InboxWork, useInboxWork } from '../inbox-work.ts'
import { type InboxSearch, readInbox, readInboxUrl } from '../model/inbox-search.ts'
import { entryQuery } from '../queries.ts'
import { useLineActions } from '../use-line-actions.ts'
import { EntryPane } from './EntryPane.tsx'
import { InboxBar } from './InboxBar.tsx'
import { InboxList } from './InboxList.tsx'
import { InboxOutline } from './InboxOutline.tsx'
import { NothingTold } from './NothingTold.tsx'
import styles from './InboxScreen.module.css'

/** What one was told: the lines, and beside them the one that is open. */
export function InboxScreen() {
  usePageTitle('Inbox')
  const { org = '' } = useParams({ strict: false })
  const raw = useSearch({ strict: false })
  const url = JSON.stringify(readInboxUrl(raw))
  const search = useMemo(() => readInbox(JSON.parse(url) as Record<string, unknown>), [url])
  return <Inbox key={org} org={org} search={search} />
}

function Inbox({ org, search }: { readonly org: string; readonly search: InboxSearch }) {
  const work = useInboxWork(org, search)
  const isOpen = search.entry !== ''
  const { data: detail, error, refetch } = useQuery({ ...entryQuery(org, search.entry), enabled: isOpen })
  const open = isOpen && detail?.id === search.entry ? detail : undefined
  const actions = useLineActions(org, open ?? null)
  useInboxKeys(work, { ...actions, isShown: (id) => id === open?.id })
  useReadWhenOpen(work, work.rows.find(({ id }) => id === search.entry) ?? open)
  const isEmpty = work.query.isSuccess && work.rows.length === 0 && !isOpen
  return (
    <div data-whole-window className={cx(styles.screen, isOpen && styles.reading)}>
      <InboxBar work={work} />
      <div className={cx(styles.panes, isEmpty && styles.empty)}>
        <Lines work={work} />
        {isOpen ? (
          <EntryPane work={work} actions={actions} entry={open} error={error} onRetry={() => void refetch()} />
        ) : isEmpty ? null : (
          <div className={styles.nothing}>
            {work.rows.length === 0 ? null : (
              <EmptyState compact icon={InboxIcon} title="No line selected">
                Choose one from the list, or press j.
              </EmptyState>
            )}
          </div>
        )}
      </div>
      <Keys org={org} />
    </div>
  )
}

/** Who opens a line has read it. Marked as unread while it is open, it stays so. */
function useReadWhenOpen({ read, keptUnread, keepUnread }: InboxWork, open: InboxEntry | undefined): void {
  const marked = useRef<string | null>(null)
  useEffect(() => {
    if (marked.current !== (open?.id ?? null)) marked.current = null
    if (open === undefined || open.isRead || marked.current === open.id) return
    marked.current = open.id
    if (open.id === keptUnread) keepUnread(null)
    else read(open)
  }, [open, read, keptUnread, keepUnread])
}

/** The lines, or what stands in their place: loading, failed, nothing. */
function Lines({ work }: { readonly work: InboxWork }) {
  const { query, rows } = work
  return (
    <section aria-label="Lines" className={styles.list} aria-busy={query.isPending || query.isPlaceholderData}>
      {query.isPending ? <InboxOutline /> : null}
      {query.error === null ? null : (
        <ErrorState
          compact
          title="The inbox could not be loaded"
          {...describeError(query.error)}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isSuccess && rows.length === 0 ? <NothingTold work={work} /> : null}
      {rows.length === 0 ? null : <InboxList work={work} />}
    </section>
  )
}

/** The keys at the foot, and by which way one is told. */
function Keys({ org }: { readonly org: string }) {
  const isPhone = useMedia(PHONE)
  const { user } = useSession()
  if (isPhone) return null
  return (
    <footer data-key-bar className={styles.keys}>
      <span>
        <Kbd keys="j" /> <Kbd keys="k" /> move
      </span>
      <span>
        <Kbd keys="e" /> done
      </span>
      <span>
        <Kbd keys="u" /> unread
      </span>
      <span>
        <Kbd keys="h" /> snooze
      </span>
      <span>
        <Kbd keys="a" /> take it
      </span>
      <span>
        <Kbd keys="m" /> mute this kind
      </span>
      <span>
        <Kbd keys="x" /> select
      </span>
      <span>
        <Kbd keys="z" /> undo
      </span>
      <span className={styles.told}>
        Told here, and by e-mail to {user?.email} as{' '}
        <Link to="/organizations/$org/settings/notifications" params={{ org }}>
          you set it
        </Link>
      </span>
    </footer>
  )
}
