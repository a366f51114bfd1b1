import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import {
  Button,
  Checkbox,
  Dialog,
  ErrorState,
  LevelDot,
  RelativeTime,
  SkeletonRows,
  VisibleText,
} from '../../../ui/index.ts'
import { type BulkChange, type FrozenIssues, frozenQuery, issuesText, useBulkChange } from '../bulk.ts'
import { type BulkFailure, bulkFailureOf, bulkHeading } from '../model/bulk-failure.ts'
import { isResolving, tellLabel } from '../model/told.ts'
import styles from './BulkPreview.module.css'

interface BulkPreviewProps {
  readonly org: string
  readonly bulk: BulkChange
  readonly onClose: () => void
  /** It was done. */
  readonly onDone: () => void
}

/** Shows what a change of everything that matches would reach, before it is made. */
export function BulkPreview({ org, bulk, onClose, onDone }: BulkPreviewProps) {
  const frozen = useQuery(frozenQuery(org, bulk))
  const { busy, change, failure, leave } = useBulkChange(org)
  const { data } = frozen
  const [tells, setTells] = useState(true)
  const hearers = data !== undefined && isResolving(bulk.change) ? data.reporterCount : 0
  const failed = failure === null ? null : bulkFailureOf(failure)
  const heading = bulkHeading(issuesText(data?.count ?? 0), bulk.done, failed)
  const run = async (): Promise<void> => {
    if (data === undefined || data.count === 0 || busy || failed?.mayGoOn === false) return
    if (!(await change(data, bulk, hearers > 0 && !tells))) return
    onDone()
    onClose()
  }
  const close = (): void => {
    if (data !== undefined) leave(data)
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) close()
      }}
      size="medium"
      title={data === undefined ? (frozen.isFetching ? 'Looking what matches' : 'Nothing is changed') : heading.title}
      description={heading.description}
      onSubmit={() => void run()}
      footer={
        <>
          <Button onClick={close}>{failed === null ? 'Cancel' : failed.mayGoOn ? 'Leave it so' : 'Close'}</Button>
          {failed?.mayGoOn === false ? null : (
            <Button type="submit" variant="primary" busy={busy} disabled={data === undefined || data.count === 0}>
              {failed !== null ? 'Try again' : data === undefined ? 'Change them' : `Change ${issuesText(data.count)}`}
            </Button>
          )}
        </>
      }
    >
      {data === undefined && frozen.isFetching ? <SkeletonRows rows={5} /> : null}
      {frozen.error === null || frozen.isFetching ? null : (
        <ErrorState
          compact
          title="It could not be found out what matches"
          {...describeError(frozen.error)}
          onRetry={() => void frozen.refetch()}
        />
      )}
      {failed === null ? null : <Failure error={failure} failed={failed} />}
      {data === undefined ? null : (
        <>
          <Examples frozen={data} />
          {hearers === 0 ? null : (
            <div className={styles.told}>
              <Checkbox
                label={tellLabel(hearers, bulk.change)}
                checked={tells}
                onCheckedChange={setTells}
                // Going on has to be the same change.
                disabled={busy || failure !== null}
              />
              <p>
                {tells
                  ? 'Each gets the text of its project, which may say otherwise. Until then, undoing tells nobody.'
                  : 'Nobody is told by this; whoever writes later may be.'}
              </p>
            </div>
          )}
        </>
      )}
    </Dialog>
  )
}

function Failure({ error, failed }: { readonly error: unknown; readonly failed: BulkFailure }) {
  return (
    <div className={styles.failure}>
      <ErrorState compact title={failed.title} {...describeError(error)} />
      {failed.mayGoOn ? <p>Trying again goes on where it stopped: each issue is changed once.</p> : null}
    </div>
  )
}

function Examples({ frozen: { count, examples } }: { readonly frozen: FrozenIssues }) {
  return (
    <>
      <ul className={styles.examples} aria-label="Examples">
        {examples.map((issue) => (
          <li key={issue.id} className={styles.example}>
            <LevelDot level={issue.level} />
            <span className={styles.title}>
              <VisibleText text={issue.title} />
            </span>
            <span className={styles.id}>{issue.shortId}</span>
            <RelativeTime time={issue.lastSeen} />
          </li>
        ))}
      </ul>
      {count > examples.length ? <p className={styles.more}>and {issuesText(count - examples.length)} more</p> : null}
    </>
  )
}
