import { useQuery } from '@tanstack/react-query'

import { projectsQuery } from '../../../lib/shared-queries.ts'
import { Button, ButtonLink, CodeBlock, EmptyState, FeedbackIcon, OkIcon, SearchIcon } from '../../../ui/index.ts'
import { DEFAULT_INBOX, type InboxSearch, isNarrowed, MAILBOXES } from '../model/inbox-search.ts'
import type { MailboxCounts } from './InboxFilters.tsx'
import styles from './NothingSaid.module.css'

/** An empty list says why: the widget is nowhere yet, everything is done, or the search is too narrow. */
export function NothingSaid({
  org,
  search,
  counts,
  onChange,
}: {
  readonly org: string
  readonly search: InboxSearch
  readonly counts: MailboxCounts | undefined
  readonly onChange: (change: Partial<InboxSearch>) => void
}) {
  const { data: projects = [] } = useQuery(projectsQuery(org))
  if (isNarrowed(search)) {
    return (
      <EmptyState
        compact
        icon={SearchIcon}
        title="No report matches"
        action={
          <Button onClick={() => onChange({ ...DEFAULT_INBOX, mailbox: search.mailbox, sort: search.sort })}>
            Without search and filters
          </Button>
        }
      >
        All words must occur in message, name, e-mail or page.
      </EmptyState>
    )
  }
  const total = counts === undefined ? 1 : Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total > 0) {
    const label = MAILBOXES.find(({ value }) => value === search.mailbox)?.label.toLowerCase() ?? search.mailbox
    return (
      <EmptyState compact icon={OkIcon} title={`Nothing is ${label}`}>
        New reports appear here by themselves.
      </EmptyState>
    )
  }
  const [project] = projects
  return (
    <EmptyState
      icon={FeedbackIcon}
      title="Nobody has said anything yet"
      action={
        project === undefined ? undefined : (
          <ButtonLink
            variant="primary"
            to="/organizations/$org/settings/projects/$project"
            params={{ org, project: project.slug }}
            search={{ tab: 'keys' }}
          >
            Show the DSN
          </ButtonLink>
        )
      }
    >
      <p>Put the widget on your pages, without a bundler:</p>
      <div className={styles.code}>
        <CodeBlock
          title="HTML"
          code={`<script src="${location.origin}/sdk.js"\n  data-dsn="…" data-feedback async></script>`}
        />
      </div>
      <p>
        With an SDK of Sentry, <code>Sentry.feedbackIntegration()</code> sends here as well.
      </p>
    </EmptyState>
  )
}
