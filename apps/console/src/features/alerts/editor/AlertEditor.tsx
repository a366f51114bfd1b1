import { ApiError, type AlertDraft, type AlertRule } from '@firsthand/contract'
import { type ReactNode, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { Button, Notice, SegmentedControl, useShortcut } from '../../../ui/index.ts'
import { withSource } from '../model/draft.ts'
import { useNames } from '../names.ts'
import { DryRunPanel } from './DryRunPanel.tsx'
import { EditorHeader } from './EditorHeader.tsx'
import { Preview } from './Preview.tsx'
import { ReceiverPanel } from './ReceiverPanel.tsx'
import { Sentence } from './Sentence.tsx'
import { type DraftWork, useDraft } from './use-draft.ts'
import { useDryRun } from './use-dry-run.ts'
import styles from './AlertEditor.module.css'

interface Props {
  readonly org: string
  /** As it is saved; null for a new one. */
  readonly rule: AlertRule | null
  /** What it is before anything is changed. */
  readonly beginning: AlertDraft
  readonly onSaved: (saved: AlertRule) => void
  /** Beside "Save". @param isDirty what is shown is not what is saved */
  readonly renderActions?: (isDirty: boolean) => ReactNode
  /** Below what is written: what came of it so far. */
  readonly children?: ReactNode
}

const SOURCES = [
  { value: 'happened', label: 'Something happens' },
  { value: 'measured', label: 'How much' },
  { value: 'silence', label: 'Nothing arrives' },
] as const

/** An alert, written as a sentence over what it would have said, with its messages beside. */
export function AlertEditor({ org, rule, beginning, onSaved, renderActions, children }: Props) {
  const mayWrite = useAccess(org)('event:write')
  const work = useDraft(org, rule, beginning, onSaved)
  const { draft, change } = work
  const names = useNames(org)
  const dryRun = useDryRun(org, draft, rule?.id ?? null)
  const [shown, setShown] = useState(0)
  useShortcut('mod+Enter', work.save, { label: 'Save', group: 'Alert', inInputs: true, enabled: mayWrite })
  const refusal =
    dryRun.error instanceof ApiError && dryRun.error.status === 400 ? describeError(dryRun.error).detail : undefined
  return (
    <>
      <EditorHeader org={org} work={work} names={names} isNew={rule === null} mayWrite={mayWrite}>
        {renderActions?.(work.isDirty)}
      </EditorHeader>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Failure work={work} />
          {mayWrite ? null : (
            <Notice tone="info">
              You may look at alerts and try them out here. Changing one takes the right to change issues.
            </Notice>
          )}
          {/* What a saved one is about stays: its incidents and evaluations are of that. */}
          {mayWrite && rule === null ? (
            <SegmentedControl
              aria-label="What it waits for"
              value={draft.trigger.source}
              options={SOURCES}
              onValueChange={(source) => change(withSource(draft, source))}
            />
          ) : null}
          <Sentence org={org} draft={draft} names={names} onChange={change} refusal={refusal} mayWrite={mayWrite} />
          <DryRunPanel
            draft={draft}
            work={dryRun}
            shown={shown}
            mayWrite={mayWrite}
            onChange={change}
            onShow={setShown}
          />
          <div className={styles.panels}>
            <ReceiverPanel
              org={org}
              draft={draft}
              names={names}
              run={dryRun.run}
              mayWrite={mayWrite}
              onChange={change}
            />
            {children}
          </div>
        </div>
        <aside className={styles.side} aria-label="Messages">
          <Preview org={org} run={dryRun.run} shown={shown} onShow={setShown} />
        </aside>
      </div>
    </>
  )
}

/** Why it was not saved, and what to do then. */
function Failure({ work }: { readonly work: DraftWork }) {
  if (work.failure === null) return null
  return (
    <Notice tone="error">
      {work.failure}
      {work.isOutdated ? (
        <span className={styles.choices}>
          <Button size="small" onClick={work.discard}>
            Take what is saved
          </Button>
          <Button size="small" onClick={work.saveOver}>
            Save mine over it
          </Button>
        </span>
      ) : null}
    </Notice>
  )
}
