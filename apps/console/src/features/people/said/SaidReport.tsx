import type { IssueReport } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { issueKeys } from '../../issues/model/index.ts'
import { formatExact } from '../../../lib/format.ts'
import { readableAddress } from '../../../lib/readable-address.ts'
import {
  Avatar,
  Badge,
  Button,
  IconButton,
  Link,
  Menu,
  MenuItem,
  MoreIcon,
  RelativeTime,
  Textarea,
  toast,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { ReportReplay } from '../../replays/links/index.ts'
import { languageWords, linkedWords, writerName } from '../model/said-words.ts'
import { sendReply } from './queries.ts'
import styles from './WhatPeopleSaid.module.css'

/** Where the browser finds a file that came with a report. */
const fileAddress = (url: string): string => `/api/0${url}`

/** What one person said, and what was said to them since. */
export function SaidReport({
  org,
  report,
  mayWrite,
  onUnlink,
}: {
  readonly org: string
  readonly report: IssueReport
  readonly mayWrite: boolean
  readonly onUnlink: () => void
}) {
  const [isBroken, setIsBroken] = useState(false)
  const name = writerName(report)
  const language = languageWords(report.language)
  return (
    <article className={styles.one} aria-label={`What ${name} said`}>
      <Avatar name={name === 'anonymous' ? null : name} />
      <div className={styles.words}>
        <p className={styles.by}>
          <Writer org={org} report={report} name={name} />
          <span title={formatExact(Date.parse(report.dateCreated))}>
            <RelativeTime time={report.dateCreated} form="ago" />
          </span>
          {language === '' ? null : <span>{language}</span>}
          {report.status === 'resolved' ? <Badge>Report resolved</Badge> : null}
          {report.awaitsReply ? <Badge tone="warning">Waits for an answer</Badge> : null}
          {mayWrite ? (
            <Menu
              align="end"
              trigger={<IconButton size="small" icon={MoreIcon} label={`More about what ${name} said`} />}
            >
              <MenuItem onSelect={onUnlink}>It is not about this issue</MenuItem>
            </Menu>
          ) : null}
        </p>
        <blockquote className={styles.quote} dir="auto" lang={report.language || undefined}>
          <VisibleText text={`“${report.message}”`} />
        </blockquote>
        <p className={styles.facts}>
          {report.replay === null || report.replay.offsetMs === null ? null : (
            <ReportReplay org={org} replay={report.replay.replayId} offsetMs={report.replay.offsetMs} />
          )}
          <span>{linkedWords(report)}</span>
          {report.under === null ? null : <span>said the same as another</span>}
          {report.url === '' ? null : (
            <span className={styles.page}>
              <VisibleText text={readableAddress(report.url)} />
            </span>
          )}
          <Link to="/organizations/$org/feedback" params={{ org }} search={{ mailbox: 'all', report: report.id }}>
            Open the report
          </Link>
        </p>
        <Thread report={report} />
        {mayWrite ? <Reply org={org} report={report} name={name} /> : null}
      </div>
      {report.picture === null || isBroken ? null : (
        <Link
          to="/organizations/$org/feedback"
          params={{ org }}
          search={{ mailbox: 'all', report: report.id }}
          className={styles.picture}
          aria-label={`The picture that ${name} sent`}
        >
          {/* What is called a picture need not be one. */}
          <img src={fileAddress(report.picture.url)} alt="" loading="lazy" onError={() => setIsBroken(true)} />
        </Link>
      )}
    </article>
  )
}

function Writer({
  org,
  report,
  name,
}: {
  readonly org: string
  readonly report: IssueReport
  readonly name: string
}): ReactNode {
  if (report.user === null) return <strong>{name}</strong>
  return (
    <strong>
      <Link look="plain" to="/organizations/$org/people" params={{ org }} search={{ user: report.user }}>
        {name}
      </Link>
    </strong>
  )
}

const DELIVERIES: Readonly<Record<string, string>> = {
  queued: 'on its way',
  sent: 'sent',
  failed: 'could not be sent',
  page: 'on their page',
}

function Thread({ report }: { readonly report: IssueReport }) {
  if (report.thread.length === 0) return null
  return (
    <ol className={styles.thread}>
      {report.replyCount > report.thread.length ? (
        <li className={styles.earlier}>{report.replyCount - report.thread.length} earlier messages</li>
      ) : null}
      {report.thread.map((message) => (
        <li key={message.id} className={message.from === 'reporter' ? styles.theirs : styles.ours}>
          <span className={styles.text} dir="auto">
            <VisibleText text={message.text} />
          </span>
          <span className={styles.when}>
            {message.from === 'agent' && message.user !== null ? `${message.user.name || message.user.email}, ` : ''}
            <RelativeTime time={message.dateCreated} form="ago" />
            {message.delivery === null ? '' : `, ${DELIVERIES[message.delivery.state] ?? message.delivery.state}`}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Reply({ org, report, name }: { readonly org: string; readonly report: IssueReport; readonly name: string }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const { busy, during } = useChanges(() => void client.invalidateQueries({ queryKey: issueKeys.pages(org) }))
  if (!report.reply.canReply) return <p className={styles.noWay}>{report.reply.reason}</p>
  const way = report.reply.by === 'email' ? 'by e-mail' : 'on their private page'
  const send = async (): Promise<void> => {
    if (text.trim() === '' || busy) return
    if ((await during('The reply', () => sendReply(org, report.id, text.trim()))) === null) return
    setText('')
    toast({ title: `Reply to ${name} sent`, description: 'Once it is sent nothing takes it back.' })
  }
  return (
    <form
      className={styles.reply}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Textarea
        aria-label={`Reply to ${name}, ${way}`}
        placeholder={`Reply to ${name}, who reads it ${way}`}
        rows={1}
        className={styles.field ?? ''}
        maxLength={10_000}
        value={text}
        dir="auto"
        spellCheck
        onValueChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send()
        }}
      />
      {text.trim() === '' ? null : (
        <Button type="submit" size="small" busy={busy}>
          Send reply
        </Button>
      )}
    </form>
  )
}
