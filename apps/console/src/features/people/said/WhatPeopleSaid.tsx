import type { Feedback, IssueDetail } from '@firsthand/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import {
  Button,
  EmptyState,
  ErrorState,
  ShowMore,
  SkeletonRows,
  SpeechIcon,
  toast,
  useChanges,
  useShortcut,
} from '../../../ui/index.ts'
import { toldUsWords } from '../../issues/model/index.ts'
import { dotsOf, dotWords, peopleWords, plannedWords } from '../model/said-words.ts'
import { Dots } from './Dots.tsx'
import { LinkReport } from './LinkReport.tsx'
import { SaidReport } from './SaidReport.tsx'
import { cancelTelling, linkReport, saidQuery, tellingQuery } from './queries.ts'
import styles from './WhatPeopleSaid.module.css'

/** What people said about an issue: their words first, how many they are, and what they will hear. */
export function WhatPeopleSaid({
  org,
  issue,
  onEditTelling,
}: {
  readonly org: string
  readonly issue: IssueDetail
  readonly onEditTelling: () => void
}) {
  const client = useQueryClient()
  const mayWrite = useAccess(org)('event:write')
  const [linking, setLinking] = useState(false)
  const query = useInfiniteQuery(saidQuery(org, issue.id))
  const { during, undo } = useChanges(() => void client.invalidateQueries({ queryKey: organizationKeys.all(org) }))
  const reports = query.data?.pages.flatMap((page) => page.data) ?? []

  const link = async ({ id, issue: before }: Feedback): Promise<void> => {
    if ((await during('Linking', () => linkReport(org, id, issue.id))) === null) return
    setLinking(false)
    const title = `Report linked to ${issue.shortId}`
    toast({ title, action: undo(title, () => linkReport(org, id, before?.id ?? null)) })
  }
  const unlink = async (report: string): Promise<void> => {
    if ((await during('Unlinking', () => linkReport(org, report, null))) === null) return
    const title = `Report unlinked from ${issue.shortId}`
    toast({ title, action: undo(title, () => linkReport(org, report, issue.id)) })
  }

  const box = useRef<HTMLDivElement>(null)
  // Of the report that has the focus, else of the newest.
  const reply = (): void => {
    const one = document.activeElement?.closest('article')
    const within = one !== null && box.current?.contains(one ?? null) === true ? one : box.current
    within?.querySelector<HTMLElement>('textarea')?.focus()
  }
  useShortcut('r', reply, { label: 'Reply', group: 'What people said', enabled: mayWrite && reports.length > 0 })
  useShortcut('l', () => setLinking(true), { label: 'Link a report', group: 'What people said', enabled: mayWrite })

  return (
    <div ref={box} className={styles.said}>
      <Head issue={issue} onLink={mayWrite ? () => setLinking(true) : undefined} />
      <Waiting org={org} issue={issue} mayWrite={mayWrite} onEdit={onEditTelling} />
      {query.error !== null && query.data === undefined ? (
        <ErrorState
          compact
          title="What people said could not be loaded"
          {...describeError(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : query.data === undefined ? (
        <SkeletonRows rows={4} />
      ) : reports.length === 0 ? (
        <EmptyState
          icon={SpeechIcon}
          title="Nobody has written about it"
          action={mayWrite ? <Button onClick={() => setLinking(true)}>Link a report …</Button> : undefined}
        >
          Reports come here by the event or the trace that they name. Any other can be linked by hand.
        </EmptyState>
      ) : (
        <ol className={styles.reports}>
          {reports.map((report) => (
            <li key={report.id} className={styles.report}>
              <SaidReport org={org} report={report} mayWrite={mayWrite} onUnlink={() => void unlink(report.id)} />
            </li>
          ))}
        </ol>
      )}
      <ShowMore query={query} />
      {linking ? (
        <LinkReport org={org} project={issue.project.id} onChoose={link} onClose={() => setLinking(false)} />
      ) : null}
    </div>
  )
}

function Head({ issue, onLink }: { readonly issue: IssueDetail; readonly onLink: (() => void) | undefined }) {
  const { reporterCount, userCount } = issue
  const first = issue.firstRelease
  return (
    <header className={styles.head}>
      {userCount + reporterCount === 0 ? null : <Dots people={userCount} wrote={reporterCount} />}
      <div className={styles.counts}>
        <h2>
          {userCount === 0
            ? toldUsWords(reporterCount)
            : `${peopleWords(userCount)} ran into it, ${reporterCount.toLocaleString('en-US')} told us`}
        </h2>
        <p>
          {userCount === 0 ? 'Nothing that came says who ran into it.' : dotWords(dotsOf(userCount, reporterCount))}
          {first === null ? '' : ` First seen in ${first.shortVersion}.`}
        </p>
      </div>
      {onLink === undefined ? null : (
        <Button size="small" kbd="l" className={styles.link} onClick={onLink}>
          Link a report …
        </Button>
      )}
    </header>
  )
}

/** That people are about to be told, as long as it can be taken back. */
function Waiting({
  org,
  issue,
  mayWrite,
  onEdit,
}: {
  readonly org: string
  readonly issue: IssueDetail
  readonly mayWrite: boolean
  readonly onEdit: () => void
}) {
  const client = useQueryClient()
  const { data } = useQuery({ ...tellingQuery(org, issue.id), enabled: issue.reporterCount > 0 })
  const { busy, during } = useChanges(() => void client.invalidateQueries({ queryKey: organizationKeys.all(org) }))
  if (data === undefined) return null
  if (data.planned === null) {
    if (data.told === 0) return null
    return (
      <p className={styles.told}>
        {peopleWords(data.told)} {data.told === 1 ? 'was' : 'were'} told that it is resolved.
      </p>
    )
  }
  const cancel = async (): Promise<void> => {
    if ((await during('Taking it back', () => cancelTelling(org, issue.id).then(() => true))) === null) return
    toast({ title: 'Nobody is told', description: 'Nothing of what waited is sent.' })
  }
  return (
    <div className={styles.waiting} role="status">
      <p>
        {peopleWords(data.total)} {data.total === 1 ? 'is' : 'are'} told {plannedWords(data.planned)}.
        {data.planned.user === null && data.planned.when !== 'person' ? ' The project does so by itself.' : ''}
      </p>
      {mayWrite ? (
        <span className={styles.buttons}>
          <Button size="small" onClick={onEdit}>
            Edit …
          </Button>
          <Button size="small" variant="ghost" busy={busy} onClick={() => void cancel()}>
            Tell nobody
          </Button>
        </span>
      ) : null}
    </div>
  )
}
