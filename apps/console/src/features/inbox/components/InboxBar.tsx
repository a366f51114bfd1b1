import { useNavigate } from '@tanstack/react-router'
import { formatCount } from '../../../lib/format.ts'
import {
  Button,
  ButtonLink,
  FloatBar,
  FloatBarButton,
  Input,
  PageHeader,
  SearchIcon,
  SegmentedControl,
} from '../../../ui/index.ts'
import type { InboxWork } from '../inbox-work.ts'
import { compactInbox, VIEWS } from '../model/inbox-search.ts'
import { SnoozeMenu } from './SnoozeMenu.tsx'
import styles from './InboxBar.module.css'

/** The top of the inbox: which lines, what they tell, and all of them at once. */
export function InboxBar({ work }: { readonly work: InboxWork }) {
  const { counts, org, rows, search } = work
  const navigate = useNavigate()
  const numbers = { unread: counts?.unread, snoozed: counts?.snoozed, all: undefined, done: undefined }
  const told = rows.reduce((sum, row) => sum + row.told, 0)
  return (
    <PageHeader
      title="Inbox"
      actions={
        <>
          <ButtonLink
            variant="ghost"
            to="/organizations/$org/settings/notifications"
            params={{ org }}
            className={styles.wide}
          >
            What reaches me
          </ButtonLink>
          <Button
            kbd="shift+e"
            className={styles.all}
            disabled={(counts?.unread ?? 0) === 0}
            onClick={() => void work.readAll()}
          >
            Mark all read
          </Button>
        </>
      }
    >
      <SegmentedControl
        aria-label="Lines"
        value={search.show}
        onValueChange={(show) => work.narrow({ show })}
        options={VIEWS.map(({ value, label }) => {
          const count = numbers[value]
          return { value, label: count === undefined || count === 0 ? label : `${label} ${formatCount(count)}` }
        })}
      />
      <Input
        type="search"
        aria-label="Find in the inbox"
        placeholder="Find"
        icon={SearchIcon}
        className={styles.search}
        value={search.query}
        onValueChange={(query) =>
          void navigate({
            to: '/organizations/$org/inbox',
            params: { org },
            search: compactInbox({ ...search, query, entry: '' }),
            replace: true,
          })
        }
      />
      {told > rows.length && !work.query.hasNextPage ? (
        <p className={styles.sum}>
          {formatCount(told)} things, told in {rows.length === 1 ? '1 line' : `${formatCount(rows.length)} lines`}
        </p>
      ) : null}
      {work.selected.size === 0 ? null : <Selected work={work} />}
    </PageHeader>
  )
}

/** What can be done with the selected lines. */
function Selected({ work }: { readonly work: InboxWork }) {
  const { busy, clear, done, readOrNot, search, selected } = work
  return (
    <FloatBar things="lines" count={selected.size} busy={busy} mayDelete={false} onDelete={() => {}} onClose={clear}>
      <FloatBarButton kbd="e" onClick={() => done()}>
        {search.show === 'done' ? 'Put back' : 'Done'}
      </FloatBarButton>
      <FloatBarButton kbd="u" onClick={readOrNot}>
        Read or unread
      </FloatBarButton>
      <SnoozeMenu work={work} entry={null} trigger={<FloatBarButton kbd="h">Snooze</FloatBarButton>} />
    </FloatBar>
  )
}
