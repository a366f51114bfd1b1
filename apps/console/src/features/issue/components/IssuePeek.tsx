import type { Issue } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button, Dialog, Notice, RelativeTime, SkeletonRows, useShortcut, VisibleText } from '../../../ui/index.ts'
import { titleParts } from '../../issues/model/index.ts'
import { readEvent } from '../model/read-event.ts'
import { type IssueScope, issueEventQuery } from '../queries.ts'
import { MessagePanel } from './EventPanels.tsx'
import { StackTracePanel } from './StackTracePanel.tsx'
import styles from './IssuePeek.module.css'

export interface IssuePeekProps {
  readonly org: string
  readonly issue: Issue
  readonly time: IssueScope['time']
  readonly environment: readonly string[]
  readonly onClose: () => void
  readonly onOpen: () => void
  /** Goes so many rows down in the list below, and looks there. */
  readonly onMove: (step: number) => void
}

const group = 'Peek'
const OPEN = { group, inInputs: true } as const

/** A look at the newest event of an issue without leaving the list. The same key that opened it closes it. */
export function IssuePeek({ org, issue, time, environment, onClose, onOpen, onMove }: IssuePeekProps) {
  const { lead, rest } = titleParts(issue)
  const scope = { org, issue: issue.id, time, environment }
  const { data, error } = useQuery(issueEventQuery(scope, 'latest'))
  const event = useMemo(() => (data === undefined ? null : readEvent(data)), [data])
  const count = Number(issue.count)
  useShortcut(' ', onClose, { ...OPEN, label: 'Close', unlessOn: 'button, summary, pre' })
  useShortcut('j', () => onMove(1), { ...OPEN, label: 'Next issue' })
  useShortcut('k', () => onMove(-1), { ...OPEN, label: 'Previous issue' })
  useShortcut('Enter', onOpen, { ...OPEN, label: 'Open', unlessOn: 'button, summary, a' })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="large"
      title={<VisibleText text={lead} />}
      description={
        <span className={styles.facts}>
          {rest === '' ? null : (
            <span className={styles.message}>
              <VisibleText text={rest} />
            </span>
          )}
          <span>
            {issue.shortId} · {formatCount(count)} {count === 1 ? 'event' : 'events'}
            {issue.userCount === 0
              ? ''
              : ` · ${formatCount(issue.userCount)} ${issue.userCount === 1 ? 'user' : 'users'}`}{' '}
            · <RelativeTime time={issue.lastSeen} />
          </span>
        </span>
      }
      footer={
        <Button variant="primary" kbd="Enter" onClick={onOpen}>
          Open the issue
        </Button>
      }
    >
      {error === null ? null : <Notice tone="error">{describeError(error).detail}</Notice>}
      {event === null && error === null ? <SkeletonRows rows={8} label="Loading the event" /> : null}
      {event === null ? null : (
        <>
          <MessagePanel event={event} said={{ lead, rest }} />
          <StackTracePanel key={event.id} event={event} said={{ lead, rest }} org={null} />
          {event.exceptions.length === 0 && event.stack === null && event.message === '' ? (
            <p className={styles.none}>Its newest event has no message and no stack trace.</p>
          ) : null}
        </>
      )}
    </Dialog>
  )
}
