import type { ReactNode } from 'react'

import { Button, Link, VisuallyHidden } from '../../../ui/index.ts'
import { type Names, projectsText } from '../model/sentence.ts'
import type { DraftWork } from './use-draft.ts'
import styles from './EditorHeader.module.css'

interface Props {
  readonly org: string
  readonly work: DraftWork
  readonly names: Names
  readonly isNew: boolean
  readonly mayWrite: boolean
  /** Between what discards and what saves. */
  readonly children?: ReactNode
}

const MAX_NAME = 128

/** Where one is, what the alert is called, and whether it is saved. */
export function EditorHeader({ org, work, names, isNew, mayWrite, children }: Props) {
  const { draft, isDirty } = work
  const name = draft.name.trim() === '' ? 'New alert' : draft.name
  return (
    <header className={styles.header}>
      <div className={styles.names}>
        <p className={styles.crumb}>
          <Link look="quiet" to="/organizations/$org/alerts" params={{ org }}>
            Alerts
          </Link>{' '}
          / {projectsText(draft.projects, names)}
        </p>
        <h1>
          <VisuallyHidden>{name}</VisuallyHidden>
        </h1>
        <input
          className={styles.name}
          aria-label="Name of the alert"
          placeholder="Give it a name"
          maxLength={MAX_NAME}
          autoComplete="off"
          spellCheck={false}
          value={draft.name}
          readOnly={!mayWrite}
          onChange={(event) => work.change({ name: event.target.value })}
        />
      </div>
      <div className={styles.actions}>
        <span className={styles.standing} role="status">
          {isNew ? 'Not saved yet' : isDirty ? 'Edited, not saved yet' : ''}
        </span>
        {isDirty ? (
          <Button variant="ghost" onClick={work.discard}>
            Discard
          </Button>
        ) : null}
        {children}
        {mayWrite ? (
          <Button variant="primary" kbd="mod+Enter" busy={work.busy} disabled={!isNew && !isDirty} onClick={work.save}>
            Save
          </Button>
        ) : null}
      </div>
    </header>
  )
}
