import type { Feedback } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { Dialog, Field, Input, Notice, RelativeTime, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { writerName } from '../model/said-words.ts'
import { linkableReportsQuery } from './queries.ts'
import styles from './LinkReport.module.css'

/** Finds the report that is about an issue, though it names neither an event nor a trace of it. */
export function LinkReport({
  org,
  project,
  onChoose,
  onClose,
}: {
  readonly org: string
  readonly project: string
  readonly onChoose: (report: Feedback) => Promise<void>
  readonly onClose: () => void
}) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const { data, error } = useQuery(linkableReportsQuery(org, project, text.trim()))
  const choose = async (report: Feedback): Promise<void> => {
    setBusy(true)
    await onChoose(report)
    setBusy(false)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Link a report"
      description="Whoever wrote it counts among those who told us, and is told when the issue is resolved."
    >
      <Field label="Words of what was said, a name or an address">
        <Input value={text} onValueChange={setText} placeholder="voucher" />
      </Field>
      {error === null ? null : <Notice tone="error">{describeError(error).detail}</Notice>}
      {data === undefined && error === null ? <SkeletonRows rows={4} /> : null}
      <ul className={styles.reports}>
        {(data ?? []).map((report) => (
          <li key={report.id}>
            <button type="button" className={styles.report} disabled={busy} onClick={() => void choose(report)}>
              <span className={styles.message}>
                <VisibleText text={report.message} />
              </span>
              <span className={styles.by}>
                {writerName(report)}, <RelativeTime time={report.dateCreated} form="ago" />
                {report.issue === null ? '' : `, now with ${report.issue.shortId}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data?.length === 0 ? <p className={styles.none}>No report of this project has these words.</p> : null}
    </Dialog>
  )
}
