import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { Button, Dialog, Field, Input, LevelDot, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { linkableIssuesQuery } from '../queries.ts'
import styles from './LinkIssueDialog.module.css'

/** Finds the issue that a report belongs to: by short id, or by words of its title. */
export function LinkIssueDialog({
  org,
  project,
  onChoose,
  onClose,
}: {
  readonly org: string
  readonly project: string
  readonly onChoose: (issue: string) => Promise<void>
  readonly onClose: () => void
}) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const { data = [], isPending } = useQuery(linkableIssuesQuery(org, project, text.trim()))
  const choose = async (issue: string) => {
    setBusy(true)
    await onChoose(issue)
    setBusy(false)
  }
  const isShortId = /^[\w-]+-[0-9A-Z]+$/i.test(text.trim())
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Link an issue"
      description="The reporter is notified when it is resolved, unless the project’s settings say otherwise."
      onSubmit={() => {
        const [first] = data
        if (isShortId) void choose(text.trim())
        else if (first !== undefined) void choose(first.id)
      }}
    >
      <Field label="Short ID, or words from the title">
        <Input value={text} onValueChange={setText} placeholder="SHOP-WEB-4K" />
      </Field>
      {isPending ? <SkeletonRows rows={4} /> : null}
      <ul className={styles.issues}>
        {data.map((issue) => (
          <li key={issue.id}>
            <button type="button" className={styles.issue} disabled={busy} onClick={() => void choose(issue.id)}>
              <LevelDot level={issue.level} />
              <span className={styles.title}>
                <VisibleText text={issue.title} />
              </span>
              <span className={styles.id}>{issue.shortId}</span>
            </button>
          </li>
        ))}
      </ul>
      {!isPending && data.length === 0 ? (
        <p className={styles.none}>
          No issue of this project matches.{' '}
          {isShortId ? (
            <Button size="small" type="submit" busy={busy}>
              Link {text.trim().toUpperCase()} all the same
            </Button>
          ) : null}
        </p>
      ) : null}
    </Dialog>
  )
}
