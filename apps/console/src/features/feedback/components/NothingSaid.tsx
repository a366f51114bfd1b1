import { useQuery } from '@tanstack/react-query'

import { projectsQuery } from '../../../lib/shared-queries.ts'
import { keysQuery } from '../../projects/queries.ts'
import { Button, ButtonLink, CodeBlock, EmptyState, SpeechIcon, OkIcon, SearchIcon } from '../../../ui/index.ts'
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
            Clear filters
          </Button>
        }
      >
        {search.query === ''
          ? 'The filters leave none. New reports that fit them appear here automatically.'
          : 'Every word must appear in the message, name, e-mail address or page.'}
      </EmptyState>
    )
  }
  const total = counts === undefined ? 1 : Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total > 0) {
    const label = MAILBOXES.find(({ value }) => value === search.mailbox)?.label.toLowerCase() ?? search.mailbox
    return (
      <EmptyState compact icon={OkIcon} title={`No ${label} reports`}>
        New reports appear here automatically.
      </EmptyState>
    )
  }
  return <NoneYet org={org} project={projects[0]?.slug} />
}

/** Where a DSN sends to, `https://host/prefix`: the script is there as well. */
const serverOf = (dsn: string): string => dsn.replace(/\/\/[^@]*@/, '//').replace(/\/\d+$/, '')

/** Nobody has said anything, so the widget is nowhere: how it gets onto a page, with the DSN of the first project. */
function NoneYet({ org, project }: { readonly org: string; readonly project: string | undefined }) {
  const { data: keys = [] } = useQuery({ ...keysQuery(org, project ?? ''), enabled: project !== undefined })
  const key = keys.find((candidate) => candidate.isActive)
  return (
    <EmptyState
      icon={SpeechIcon}
      title="No feedback yet"
      action={
        project === undefined ? undefined : (
          <ButtonLink
            variant="primary"
            to="/organizations/$org/projects/$project/getting-started"
            params={{ org, project }}
          >
            Set up the widget
          </ButtonLink>
        )
      }
    >
      <p>Put the widget on your pages, without a bundler:</p>
      {key === undefined ? null : (
        <div className={styles.code}>
          <CodeBlock
            wrap
            title={`HTML, with the DSN of ${project}`}
            code={`<script src="${serverOf(key.dsn.public)}/sdk.js"\n  data-dsn="${key.dsn.public}"\n  data-feedback async></script>`}
          />
        </div>
      )}
      <p>
        An SDK of Sentry with <code>feedbackIntegration()</code> and this DSN sends here as well.
      </p>
    </EmptyState>
  )
}
