import type { Project } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLiveFacts } from '../../issues/live/index.ts'
import { Button, ButtonLink, LevelDot, Link, OkIcon, RelativeTime } from '../../../ui/index.ts'
import { isTestIssue } from '../model/test-event.ts'
import { newestIssuesQuery, projectQuery } from '../queries.ts'
import styles from './FirstEvent.module.css'

/** Without live updates (a proxy may cut them) the wait asks this often by itself. */
const ASK_EVERY_MS = 4000

/**
 * "Waiting for the first event…", which turns into the event as soon as it is there. A test event shows that the way works;
 * the wait for the application goes on.
 */
export function FirstEvent({
  org,
  project,
  action,
}: {
  readonly org: string
  readonly project: Project
  /** Beside the wait. */
  readonly action?: ReactNode
}) {
  const [arrivedIssue, setArrivedIssue] = useState<string>()
  // Only the very first arrival is announced as such; a project that already has events shows its newest.
  const [wasWaiting, setWasWaiting] = useState(project.firstEvent === null)
  const isSilent = project.firstEvent === null && arrivedIssue === undefined
  const { refetch } = useQuery({
    ...projectQuery(org, project.slug),
    refetchInterval: isSilent ? ASK_EVERY_MS : false,
  })
  const newest = useQuery({
    ...newestIssuesQuery(org, project.id),
    enabled: !isSilent,
    refetchInterval: ({ state }) => (!isSilent && state.data?.every(isTestIssue) ? ASK_EVERY_MS : false),
  })
  const issue = newest.data?.find((seen) => !isTestIssue(seen))
  const isTested = issue === undefined && newest.data?.some(isTestIssue) === true
  const waiting = isSilent || isTested || (wasWaiting && newest.data === undefined)
  if (isTested && !wasWaiting) setWasWaiting(true)
  useLiveFacts((fact) => {
    if (fact.projectId !== project.id) return
    setArrivedIssue(fact.issueIds[0])
    void newest.refetch()
    if (isSilent) void refetch()
  })

  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!waiting && wasWaiting) box.current?.scrollIntoView({ block: 'nearest' })
  }, [waiting, wasWaiting])

  return (
    <div ref={box} className={styles.box} data-arrived={!waiting || undefined} role="status">
      {waiting ? (
        <>
          <span className={styles.pulse} aria-hidden="true" />
          <div>
            <p className={styles.title}>
              {isTested ? 'The way works. Waiting for your application…' : 'Waiting for the first event…'}
            </p>
            <p className={styles.text}>
              This page shows it the moment it arrives. Sent it and nothing happens?{' '}
              <Link to="/organizations/$org/receipts" params={{ org }} search={{ project: project.id }}>
                Check the receipts
              </Link>
              .
            </p>
          </div>
          {action}
        </>
      ) : (
        <>
          <OkIcon size={20} className={styles.ok} />
          <div className={styles.content}>
            <p className={styles.title}>{wasWaiting ? 'The first event has arrived' : 'Events are arriving'}</p>
            {issue === undefined ? (
              <p className={styles.text}>Looking it up…</p>
            ) : (
              <p className={styles.event}>
                <LevelDot level={issue.level} /> <strong className={styles.issue}>{issue.title}</strong>{' '}
                <RelativeTime time={issue.lastSeen} />
              </p>
            )}
          </div>
          {issue === undefined ? (
            <Button variant="primary" disabled>
              Open the issue
            </Button>
          ) : (
            <ButtonLink
              variant="primary"
              to="/organizations/$org/issues/$issue"
              params={{ org, issue: issue.id }}
              preload="viewport"
            >
              Open the issue
            </ButtonLink>
          )}
        </>
      )}
    </div>
  )
}
