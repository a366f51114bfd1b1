import type { Issue } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { formatCompact } from '../../../lib/format.ts'
import { LevelDot, Link, SkeletonRows, VisibleText, WarningIcon } from '../../../ui/index.ts'
import { compactUrl, titleParts } from '../../issues/model/index.ts'
import { issuesOf } from '../model/findings.ts'
import type { TransactionSearch } from '../model/performance-search.ts'
import { relatedIssuesQuery } from '../queries.ts'
import styles from './RelatedIssues.module.css'
import { WhoWaits } from './WhoWaits.tsx'

/** Unresolved issues with events in this transaction: what went wrong in it, and what was found to be slow; and for whom it is. */
export function RelatedIssues({ org, search }: { readonly org: string; readonly search: TransactionSearch }) {
  const { transaction, op: _, ...scope } = search
  const { data, error } = useQuery(relatedIssuesQuery(org, search))
  const findings = data?.filter(({ issueCategory }) => issueCategory === 'performance') ?? []
  const errors = data?.filter((issue) => !findings.includes(issue)) ?? []
  return (
    <aside className={styles.column} aria-label="Related issues">
      <h2 className={styles.head}>
        <Link
          look="plain"
          className={styles.all}
          to="/organizations/$org/issues"
          params={{ org }}
          search={compactUrl({ ...scope, query: issuesOf(transaction), sort: 'freq' })}
        >
          Related issues
        </Link>
      </h2>
      {data === undefined ? (
        error === null ? (
          <SkeletonRows rows={3} label="Loading the issues" />
        ) : (
          <p className={styles.quiet}>They could not be loaded. {describeError(error).detail}</p>
        )
      ) : errors.length === 0 ? (
        <p className={styles.quiet}>No unresolved error came from it in this time.</p>
      ) : (
        <Rows org={org} issues={errors} />
      )}
      {findings.length === 0 ? null : (
        <>
          <h2 className={styles.head}>Findings</h2>
          <Rows org={org} issues={findings} />
        </>
      )}
      {/* Not before what is above it stands. */}
      {data === undefined && error === null ? null : <WhoWaits org={org} search={search} />}
    </aside>
  )
}

function Rows({ org, issues }: { readonly org: string; readonly issues: readonly Issue[] }) {
  return (
    <ul className={styles.rows}>
      {issues.map((issue) => {
        const { lead, rest } = titleParts(issue)
        return (
          <li key={issue.id}>
            <Link
              look="plain"
              className={styles.issue}
              to="/organizations/$org/issues/$issue"
              params={{ org, issue: issue.id }}
              search={{}}
            >
              <span className={styles.mark}>
                {issue.issueCategory === 'performance' ? (
                  <WarningIcon className={styles.finding} size={12} />
                ) : (
                  <LevelDot level={issue.level} />
                )}
              </span>
              <span className={styles.words}>
                <strong>
                  <VisibleText text={lead} />
                </strong>{' '}
                <span className={styles.id}>{issue.shortId}</span>
                <span className={styles.rest}>
                  <VisibleText text={rest} />
                </span>
              </span>
              <span className={styles.count} title={`${issue.count} events`}>
                {formatCompact(Number(issue.count))}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
