import type { IssueDetail, SimilarIssue } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useAccess } from '../../../lib/shared-queries.ts'
import { Button, Link, Num, RelativeTime, Skeleton, VisibleText } from '../../../ui/index.ts'
import { useIssueActions } from '../../issues/index.ts'
import { similarQuery } from '../queries.ts'
import { PartFailed } from './PartFailed.tsx'
import { Part } from './SideColumn.tsx'
import styles from './SimilarIssues.module.css'

interface SimilarProps {
  readonly org: string
  readonly issue: IssueDetail
}

/** Issues that may be the same problem, beside the issue: in what they are alike, and a button that makes them one. */
export function SimilarIssues({ org, issue }: SimilarProps) {
  const { data, error, refetch } = useQuery(similarQuery(org, issue.id))
  const known = [issue, ...(data ?? []).map((similar) => similar.issue)]
  const { busy, merge } = useIssueActions(org, known)
  const mayMerge = useAccess(org)('event:write')
  return (
    <Part title="Similar issues">
      {data === undefined && error === null ? <Skeleton height={48} /> : null}
      {error === null || data !== undefined ? null : (
        <PartFailed what="Similar issues could not be looked for." error={error} onRetry={refetch} />
      )}
      {data?.length === 0 ? <p className={styles.muted}>No other issue of this project is like it.</p> : null}
      {data === undefined || data.length === 0 ? null : (
        <ul>
          {data.map((similar) => (
            <li key={similar.issue.id} className={styles.similar}>
              <Similar org={org} similar={similar} />
              {mayMerge ? (
                <Button
                  size="small"
                  disabled={busy}
                  aria-label={`Merge with ${similar.issue.shortId}`}
                  onClick={() => void merge([issue.id, similar.issue.id])}
                >
                  Merge
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function Similar({ org, similar }: { readonly org: string; readonly similar: SimilarIssue }) {
  const [isOpen, setOpen] = useState(false)
  const { isTakenApart, issue, onlyHere, onlyThere, percent, shared } = similar
  return (
    <div className={styles.main}>
      <Link to="/organizations/$org/issues/$issue" params={{ org, issue: issue.id }} className={styles.name}>
        <VisibleText text={issue.title} />
      </Link>
      <p className={styles.muted}>
        {percent} % alike · {issue.shortId} · <Num value={Number(issue.count)} compact />{' '}
        {issue.count === '1' ? 'event' : 'events'} · <RelativeTime time={issue.lastSeen} />
      </p>
      {isTakenApart ? <p className={styles.muted}>Somebody took the two apart after they had been merged.</p> : null}
      {shared.length + onlyHere.length + onlyThere.length === 0 ? null : (
        <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen
            ? 'Hide the functions'
            : `${shared.length} of ${shared.length + onlyThere.length} functions in common`}
        </button>
      )}
      {isOpen ? (
        <div className={styles.functions}>
          <Functions label="In both" names={shared} />
          <Functions label="Only here" names={onlyHere} />
          <Functions label="Only there" names={onlyThere} />
        </div>
      ) : null}
    </div>
  )
}

function Functions({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div>
      <h3 className={styles.label}>{label}</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <code className={styles.code}>
              <VisibleText text={name} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}
