import type { Feedback, FeedbackDetail } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'

import { useAccess, useSession } from '../../../lib/shared-queries.ts'
import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { isFocusLost } from '../../../shell/focus.ts'
import { LoadFailed } from '../../../shell/load-failed.tsx'
import {
  Avatar,
  Badge,
  Button,
  ChevronLeftIcon,
  IconButton,
  Kbd,
  Menu,
  MenuItem,
  MoreIcon,
  Notice,
  RelativeTime,
  TrashIcon,
  CloseIcon,
  VisibleText,
} from '../../../ui/index.ts'
import type { FeedbackActions } from '../actions.ts'
import { pathOf, reporterOf, SPAM_WORDS, saysTheSame } from '../model/report.ts'
import { reportQuery } from '../queries.ts'
import { Answer } from './Answer.tsx'
import { AlsoSaid } from './AlsoSaid.tsx'
import { ReportOutline } from './InboxOutlines.tsx'
import { Pictures } from './Pictures.tsx'
import { ReportFacts } from './ReportFacts.tsx'
import { Trail } from './Trail.tsx'
import styles from './ReportPane.module.css'

export interface ReportPaneProps {
  readonly org: string
  /** Id or event id. */
  readonly report: string
  readonly actions: FeedbackActions
  readonly onStatus: (status: Feedback['status']) => void
  /** The button is where the list of people opens. */
  readonly onAssign: (button: Element) => void
  readonly onClose: () => void
  readonly onDelete: () => void
}

const STATUS_WORDS: Readonly<Record<Feedback['status'], string>> = {
  open: 'Open',
  resolved: 'Resolved',
  spam: 'Spam',
  archived: 'Archived',
}

/** One report: what was said and seen, the conversation about it, and where it came from. */
export function ReportPane(props: ReportPaneProps) {
  const { org, report, onClose } = props
  const { data, error, refetch } = useQuery(reportQuery(org, report))
  if (data === undefined && error === null) return <ReportOutline onClose={onClose} />
  if (data === undefined) {
    return (
      <section aria-label="Report" className={styles.pane}>
        <div className={styles.body}>
          <LoadFailed title="The report could not be loaded" error={error} onRetry={() => void refetch()} />
          <Button icon={ChevronLeftIcon} onClick={onClose}>
            All reports
          </Button>
        </div>
      </section>
    )
  }
  return <Report {...props} data={data} />
}

type ReportProps = ReportPaneProps & { readonly data: FeedbackDetail }

function Report(props: ReportProps) {
  const { org, actions, data } = props
  const write = useAccess(org)('event:write')
  const same = data.merged.filter((child) => saysTheSame(child.message, data.message))
  return (
    <article aria-label={`Report of ${reporterOf(data)}`} className={styles.pane}>
      <div className={styles.main}>
        <Head {...props} />
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Conversation">
          {data.spam.reasons.length > 0 ? <Suspicion data={data} /> : null}
          <Said data={data} />
          <Trail report={data} />
          <AlsoSaid
            org={org}
            reports={same}
            // The list has the first hundred; what was merged by hand says something else.
            count={data.mergedCount - (data.merged.length - same.length)}
            onSeparate={write ? (id) => void actions.separate(data.id, id) : undefined}
          />
          {data.merged
            .filter((child) => !same.includes(child))
            .map((child) => (
              <section key={child.id} className={styles.card} aria-label="Merged report">
                <Signature name={reporterOf(child)} detail="merged into this one" time={child.dateCreated}>
                  {write ? (
                    <Button size="small" variant="ghost" onClick={() => void actions.separate(data.id, child.id)}>
                      Separate
                    </Button>
                  ) : null}
                </Signature>
                <p className={styles.message} dir="auto">
                  <VisibleText text={child.message} />
                </p>
              </section>
            ))}

          <Conversation data={data} actions={actions} mayWrite={write} />
        </div>
        {write ? <Answer key={data.id} org={org} report={data} actions={actions} /> : null}
      </div>
      <ReportFacts org={org} report={data} actions={actions} mayWrite={write} />
    </article>
  )
}

/** The title, and what can be done with the report. */
function Head(props: ReportProps) {
  const { org, onClose, data } = props
  const write = useAccess(org)('event:write')
  const title = useRef<HTMLHeadingElement>(null)
  // On a narrow screen the list, and with it what had the focus, is gone.
  useEffect(() => {
    if (isFocusLost()) title.current?.focus()
  }, [])
  return (
    <header className={styles.head}>
      <IconButton className={styles.back} icon={ChevronLeftIcon} label="All reports" onClick={onClose} />
      <h2 ref={title} tabIndex={-1} className={styles.title}>
        <VisibleText text={reporterOf(data)} />
        {data.url === '' ? null : (
          <span className={styles.page}>
            {' '}
            on {pathOf(data.url) === '/' ? 'the home page' : <VisibleText text={pathOf(data.url)} />}
          </span>
        )}
      </h2>
      {data.status === 'open' ? null : (
        <Badge tone={data.status === 'resolved' ? 'ok' : 'neutral'}>{STATUS_WORDS[data.status]}</Badge>
      )}
      <div className={styles.actions}>
        {write ? <Changes {...props} /> : null}
        <IconButton className={styles.close} icon={CloseIcon} label="Close the report" kbd="Esc" onClick={onClose} />
      </div>
    </header>
  )
}

function Changes({ org, actions, onStatus, onAssign, onDelete, data }: ReportProps) {
  const may = useAccess(org)
  const isPhone = useMedia(PHONE)
  const spamLabel = data.status === 'spam' ? 'Not spam' : 'Spam'
  return (
    <>
      {data.status === 'resolved' || data.status === 'archived' ? (
        <Button size="small" onClick={() => onStatus('open')}>
          Reopen
        </Button>
      ) : (
        <Button size="small" onClick={() => onStatus('resolved')}>
          Resolve <Kbd keys="e" />
        </Button>
      )}
      {isPhone ? null : (
        <Button size="small" onClick={() => onStatus(data.status === 'spam' ? 'open' : 'spam')}>
          {spamLabel} <Kbd keys="s" />
        </Button>
      )}
      <button
        type="button"
        data-assign=""
        className={styles.assign}
        title={data.assignedTo?.name ?? 'Assign'}
        aria-label={data.assignedTo === null ? 'Assign' : `Assigned to ${data.assignedTo.name}: change`}
        onClick={(event) => onAssign(event.currentTarget)}
      >
        <Avatar name={data.assignedTo?.name ?? null} />
      </button>
      <Menu align="end" trigger={<IconButton icon={MoreIcon} label="More" />}>
        {isPhone ? (
          <MenuItem onSelect={() => onStatus(data.status === 'spam' ? 'open' : 'spam')}>{spamLabel}</MenuItem>
        ) : null}
        <MenuItem onSelect={() => void actions.change([data.id], { isRead: !data.isRead }, true)} kbd="u">
          {data.isRead ? 'Mark as unread' : 'Mark as read'}
        </MenuItem>
        {data.status === 'archived' ? null : (
          <MenuItem onSelect={() => onStatus('archived')} kbd="i">
            Archive
          </MenuItem>
        )}
        {may('event:admin') ? (
          <MenuItem icon={TrashIcon} danger onSelect={onDelete} kbd="⌫">
            Delete
          </MenuItem>
        ) : null}
      </Menu>
    </>
  )
}

/** What the reporter wrote, with the answers to further questions and the pictures. */
function Said({ data }: { readonly data: FeedbackDetail }) {
  return (
    <section className={styles.card} aria-label="What was said">
      <Signature name={reporterOf(data)} detail={data.name === '' ? '' : data.email} time={data.dateCreated} />
      <p className={styles.message} dir="auto">
        <VisibleText text={data.message} />
      </p>
      {data.fields.length === 0 ? null : (
        <dl className={styles.fields}>
          {data.fields.map((field) => (
            <div key={field.key}>
              <dt>
                <VisibleText text={field.label} />
              </dt>
              <dd>
                <VisibleText text={field.value === '' ? '–' : field.value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Pictures attachments={data.attachments} />
    </section>
  )
}

/**
 * What one has just written is seen; what others write does not move the page under one's eyes.
 *
 * @param count how many entries there are
 * @param isOwn the last of them is one's own
 * @returns goes to an element below the last entry
 */
function useSeen(count: number, isOwn: boolean): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null)
  const shown = useRef(count)
  useEffect(() => {
    const isNew = count > shown.current
    shown.current = count
    if (isNew && isOwn) end.current?.scrollIntoView({ block: 'nearest' })
  }, [count, isOwn])
  return end
}

/** Messages and notes in the order in which they were written. */
function Conversation({
  data,
  actions,
  mayWrite,
}: {
  readonly data: FeedbackDetail
  readonly actions: FeedbackActions
  readonly mayWrite: boolean
}) {
  const { user } = useSession()
  const entries = [
    ...data.thread.map((message) => ({ kind: 'message' as const, at: message.dateCreated, message })),
    ...data.notes.map((note) => ({ kind: 'note' as const, at: note.dateCreated, note })),
  ].toSorted((a, b) => a.at.localeCompare(b.at))
  const last = entries.at(-1)
  const author = last?.kind === 'note' ? last.note.user?.id : last?.message.user?.id
  const end = useSeen(entries.length, user !== null && author === user.id)
  const cards = entries.map((entry) => {
    if (entry.kind === 'note') {
      const { note } = entry
      const text = typeof note.data['text'] === 'string' ? note.data['text'] : ''
      return (
        <section key={`note-${note.id}`} className={styles.note} aria-label="Note">
          <Signature
            name={note.user?.name || note.user?.email || 'A token'}
            detail="note for the team"
            time={note.dateCreated}
          >
            {mayWrite && user !== null && note.user?.id === user.id ? (
              <Button size="small" variant="ghost" onClick={() => void actions.removeNote(data.id, note.id)}>
                Delete
              </Button>
            ) : null}
          </Signature>
          <p className={styles.message} dir="auto">
            <VisibleText text={text} />
          </p>
        </section>
      )
    }
    const { message } = entry
    const own = message.from !== 'reporter'
    return (
      <section key={`message-${message.id}`} className={own ? styles.reply : styles.card} aria-label="Message">
        <Signature
          name={own ? message.user?.name || message.user?.email || 'Firsthand' : reporterOf(data)}
          detail={own ? deliveryWords(message) : ''}
          time={message.dateCreated}
        />
        <p className={styles.message} dir="auto">
          <VisibleText text={message.text} />
        </p>
        {message.delivery?.state === 'failed' ? (
          <Notice tone="error">The mail could not be delivered: {message.delivery.error}</Notice>
        ) : null}
      </section>
    )
  })
  return (
    <>
      {data.noteCount > data.notes.length ? (
        <Notice>Only the newest {data.notes.length} notes are shown.</Notice>
      ) : null}
      {cards}
      <div ref={end} className={styles.end} />
    </>
  )
}

function deliveryWords({ delivery }: FeedbackDetail['thread'][number]): string {
  switch (delivery?.state) {
    case 'queued':
      return delivery.attempts === 0
        ? 'sending'
        : `not sent yet, tried ${delivery.attempts === 1 ? 'once' : `${delivery.attempts} times`}`
    case 'sent':
      return 'to the reporter, by e-mail'
    case 'failed':
      return 'not delivered'
    case 'page':
    case undefined:
      return 'to the reporter, on their private page'
  }
}

function Signature({
  name,
  detail,
  time,
  children,
}: {
  readonly name: string
  readonly detail: string
  readonly time: string
  readonly children?: React.ReactNode
}) {
  return (
    <div className={styles.signature}>
      <b>
        <VisibleText text={name} />
      </b>
      {detail === '' ? null : (
        <span className={styles.detail}>
          <VisibleText text={detail} />
        </span>
      )}
      <span className={styles.when}>
        {children}
        <RelativeTime time={time} />
      </span>
    </div>
  )
}

/** Why it is (or was) taken for spam. What is not enough for that is told as it is, without a verdict. */
function Suspicion({ data }: { readonly data: FeedbackDetail }) {
  const { spam, status } = data
  const byPerson = spam.decidedBy === 'person'
  if (status !== 'spam') {
    return byPerson ? null : (
      <ul className={styles.remarks}>
        {spam.reasons.map(({ reason, detail }) => (
          <li key={reason}>
            <VisibleText text={detail} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <details className={styles.suspicion} open={!byPerson}>
      <summary>Marked as spam{byPerson ? ' by a person' : ''}</summary>
      <ul>
        {spam.reasons.map(({ reason, detail }) => (
          <li key={reason}>
            <span>{SPAM_WORDS[reason]}</span>
            <span className={styles.reason}>
              <VisibleText text={detail} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
