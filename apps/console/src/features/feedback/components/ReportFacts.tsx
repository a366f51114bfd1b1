import type { FeedbackDetail } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { PHONE, useMedia } from '../../../lib/use-media.ts'
import {
  Button,
  ChevronDownIcon,
  CloseIcon,
  CopyButton,
  ExternalLink,
  IconButton,
  Input,
  lazyPart,
  LevelDot,
  Link,
  RelativeTime,
  Skeleton,
  VisibleText,
} from '../../../ui/index.ts'
import { PersonLink, personOf } from '../../people/links/index.ts'
import { ReportReplay, VisitorReplays } from '../../replays/links/index.ts'
import type { FeedbackActions } from '../actions.ts'
import { SOURCE_WORDS, activityWords, isWebAddress, pathOf } from '../model/report.ts'
import { activityQuery } from '../queries.ts'
import { LinkIssueDialog } from './LinkIssueDialog.tsx'
import styles from './ReportFacts.module.css'

/** What the reporter hears of it: the way that a reply goes. */
const WHEN_RESOLVED: Readonly<Record<FeedbackDetail['reply']['by'], string>> = {
  email: 'When it is resolved, the reporter is told by e-mail.',
  page: 'When it is resolved, the reporter’s private page says so.',
  none: 'The reporter cannot be told when it is resolved.',
}

/** Beside the conversation: what belongs to the report, and where it came from. */
export function ReportFacts({
  org,
  report,
  actions,
  mayWrite,
}: {
  readonly org: string
  readonly report: FeedbackDetail
  readonly actions: FeedbackActions
  readonly mayWrite: boolean
}) {
  const visitor = visitorOf(report)
  const person = personOf(visitor)
  return (
    <aside aria-label="About this report" className={styles.side}>
      {report.replay === null ? null : (
        <Part title="Replay at the moment of sending">
          <p className={styles.copied}>
            <code className={styles.id}>{report.replay.replayId}</code>
            <CopyButton text={report.replay.replayId} label="replay id" />
          </p>
          {report.replay.offsetMs === null ? (
            <p>Nothing of it came, so there is nothing to play.</p>
          ) : (
            <p>
              <ReportReplay org={org} replay={report.replay.replayId} offsetMs={report.replay.offsetMs} />
            </p>
          )}
        </Part>
      )}
      {person === null ? null : <PersonLink org={org} user={person} label="All of this person" />}
      <VisitorReplays org={org} project={report.project.id} visitor={visitor} />
      <LinkedIssue org={org} report={report} actions={actions} mayWrite={mayWrite} />
      <Part title="Tickets">
        <Tickets
          org={org}
          subject={{ kind: 'report', id: report.id }}
          name="this report"
          fallback={<Skeleton height={30} />}
        />
      </Part>
      <Part title="Where" gist={[pathOf(report.url), report.browser].filter((part) => part !== '').join(' · ')}>
        <Facts report={report} />
      </Part>
      <TagsPart report={report} actions={actions} mayWrite={mayWrite} />
      <Activity org={org} report={report} />
    </aside>
  )
}

const Tickets = lazyPart(async () => (await import('../../trackers/tickets/index.ts')).Tickets)

function Part({
  title,
  actions,
  gist,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  /** What a phone shows of it until it is opened; a part without one is always open. */
  readonly gist?: string
  readonly children: ReactNode
}) {
  const isPhone = useMedia(PHONE)
  if (isPhone && gist !== undefined) {
    return (
      <details className={styles.folded}>
        <summary className={styles.summary}>
          <h3>{title}</h3>
          <span className={styles.gist}>
            <VisibleText text={gist} />
          </span>
          <ChevronDownIcon className={styles.chevron} />
        </summary>
        <div className={styles.part}>{children}</div>
      </details>
    )
  }
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h3>{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  )
}

function LinkedIssue({
  org,
  report,
  actions,
  mayWrite,
}: {
  readonly org: string
  readonly report: FeedbackDetail
  readonly actions: FeedbackActions
  readonly mayWrite: boolean
}) {
  const [choosing, setChoosing] = useState(false)
  const { issue, associatedEvent } = report
  return (
    <Part
      title={issue === null ? 'Issue' : 'Linked issue'}
      actions={
        issue !== null && mayWrite ? (
          <Button size="small" variant="ghost" onClick={() => void actions.unlink(report.id, issue)}>
            Unlink
          </Button>
        ) : undefined
      }
    >
      {issue === null ? (
        mayWrite ? (
          <div className={styles.buttons}>
            <Button size="small" onClick={() => setChoosing(true)}>
              Link issue
            </Button>
            <Button size="small" busy={actions.busy} onClick={() => void actions.makeIssue(report.id)}>
              Create issue
            </Button>
          </div>
        ) : (
          <p>None</p>
        )
      ) : (
        <>
          <Link
            look="plain"
            className={styles.issue}
            to="/organizations/$org/issues/$issue"
            params={{ org, issue: issue.id }}
            search={{}}
          >
            <LevelDot level={issue.level} />
            <span className={styles.words}>
              <VisibleText text={issue.title} /> <span className={styles.quiet}>{issue.shortId}</span>
            </span>
          </Link>
          <p>{issue.status === 'resolved' ? 'Resolved' : WHEN_RESOLVED[report.reply.by]}</p>
        </>
      )}
      {associatedEvent === null ? null : (
        <p>
          sent about event{' '}
          {associatedEvent.issue === null ? (
            <code>{associatedEvent.eventId.slice(0, 8)}</code>
          ) : (
            <Link
              look="text"
              to="/organizations/$org/issues/$issue"
              params={{ org, issue: associatedEvent.issue.id }}
              search={{ event: associatedEvent.eventId }}
            >
              <code>{associatedEvent.eventId.slice(0, 8)}</code>
            </Link>
          )}
        </p>
      )}
      {choosing ? (
        <LinkIssueDialog
          org={org}
          project={report.project.id}
          onClose={() => setChoosing(false)}
          onChoose={async (chosen) => {
            if (await actions.link(report.id, chosen)) setChoosing(false)
          }}
        />
      ) : null}
    </Part>
  )
}

/** Who sent it: as the page knows them, or by the address that they gave. */
const visitorOf = ({ email, user }: FeedbackDetail) => ({
  id: user?.id ?? '',
  email: user?.email || email || '',
  username: user?.username ?? '',
})

function Facts({ report }: { readonly report: FeedbackDetail }) {
  const { user } = report
  const rows: readonly (readonly [string, ReactNode])[] = [
    ['Project', report.project.name],
    [
      'Page',
      report.url === '' ? null : isWebAddress(report.url) ? (
        <ExternalLink look="quiet" href={report.url} title={report.url}>
          <span className={styles.long}>
            <VisibleText text={pathOf(report.url)} />
          </span>
        </ExternalLink>
      ) : (
        <VisibleText text={report.url} />
      ),
    ],
    ['Browser', text(report.browser)],
    ['System', text(report.os)],
    ['Environment', text(report.environment)],
    ['Release', text(report.release)],
    ['Language', text(report.locale)],
    ['User', text(user === null ? '' : user.email || user.username || user.id)],
    ['IP address', text(user?.ipAddress ?? '')],
    ['Sent with', SOURCE_WORDS[report.source]],
    [
      'SDK',
      report.sdk === null ? null : text(`${report.sdk.name.replace('sentry.javascript.', '')} ${report.sdk.version}`),
    ],
    [
      'Trace',
      report.traceId === null ? null : (
        <span className={styles.copied}>
          <code>{`${report.traceId.slice(0, 4)}…${report.traceId.slice(-2)}`}</code>
          <CopyButton text={report.traceId} label="trace id" />
        </span>
      ),
    ],
    [
      'Report',
      <span key="id" className={styles.copied}>
        <code>{`${report.eventId.slice(0, 4)}…${report.eventId.slice(-2)}`}</code>
        <CopyButton text={report.eventId} label="event id" />
      </span>,
    ],
  ]
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

const text = (value: string): ReactNode => (value === '' ? null : <VisibleText text={value} />)

function TagsPart({
  report,
  actions,
  mayWrite,
}: {
  readonly report: FeedbackDetail
  readonly actions: FeedbackActions
  readonly mayWrite: boolean
}) {
  const [typed, setTyped] = useState('')
  const [isRefused, setRefused] = useState(false)
  const at = typed.indexOf(':')
  const key = typed.slice(0, at).trim()
  const value = typed.slice(at + 1).trim()
  if (!mayWrite && report.tags.length === 0) return null
  return (
    <Part title="Tags" gist={report.tags.map((tag) => `${tag.key} ${tag.value}`).join(' · ')}>
      {report.tags.length === 0 ? null : (
        <ul className={styles.tags}>
          {report.tags.map((tag) => (
            <li key={tag.key}>
              <span className={styles.words}>
                <span className={styles.quiet}>
                  <VisibleText text={tag.key} />
                </span>{' '}
                <VisibleText text={tag.value} />
              </span>
              {mayWrite ? (
                <IconButton
                  size="small"
                  icon={CloseIcon}
                  label={`Remove ${tag.key}`}
                  onClick={() => void actions.tag(report, { removeTags: [tag.key] })}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {mayWrite ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setRefused(key === '' || value === '')
            if (key === '' || value === '') return
            void actions.tag(report, { addTags: [{ key, value }] })
            setTyped('')
          }}
        >
          <Input
            aria-label="Add a tag, as key:value"
            placeholder="Add key:value"
            value={typed}
            aria-invalid={isRefused || undefined}
            onValueChange={(text) => {
              setTyped(text)
              setRefused(false)
            }}
          />
          <p role="status">{isRefused ? 'Write a tag as key:value, like area:checkout' : ''}</p>
        </form>
      ) : null}
    </Part>
  )
}

function Activity({ org, report }: { readonly org: string; readonly report: FeedbackDetail }) {
  const { data } = useQuery(activityQuery(org, report.id))
  const entries = data?.activity.map((entry) => activityWords(entry, report.issue)) ?? []
  if (entries.length === 0) return null
  return (
    <Part title="Activity" gist={[entries[0]?.who, entries[0]?.what].join(' ')}>
      <ul className={styles.crumbs}>
        {entries.map((entry) => (
          <li key={entry.id}>
            {entry.who} {entry.what} <RelativeTime time={entry.at} className={styles.quiet} />
          </li>
        ))}
      </ul>
      {data?.truncated === true ? <p className={styles.quiet}>Older entries are not shown.</p> : null}
    </Part>
  )
}
