import type { Ownership } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { Button, Field, Notice, Panel, Textarea, toast } from '../../../ui/index.ts'
import { ownershipQuery, saveOwnership } from '../queries.ts'
import { Problems } from './Problems.tsx'
import styles from './ProjectOwnership.module.css'

const EXAMPLE =
  'path:src/checkout/* #payments\nurl:https://shop.example/admin/* anna@shop.example\ntags.plan:enterprise #success'

interface RulesProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly ownership: Ownership
  readonly draft: string
  readonly mayWrite: boolean
  readonly onDraft: (draft: string) => void
}

/** The rules as text. */
export function RulesPanel({ org, project, ownership, draft, mayWrite, onDraft }: RulesProps) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const before = ownership.raw ?? ''
  /** @returns whether it was done */
  const save = async (raw: string): Promise<boolean> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const saved = await saveOwnership(org, project, { raw })
      showSaved(client, ownershipQuery(org, project).queryKey, saved)
      onDraft(saved.raw ?? '')
      return true
    } catch (error) {
      setFailure(describeError(error).detail)
      return false
    } finally {
      setBusy(false)
    }
  }
  const submit = async (): Promise<void> => {
    if (!(await save(draft))) return
    toast({ title: 'Rules saved', tone: 'ok', action: { label: 'Undo', run: () => void save(before) } })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Panel
        title="Rules"
        subtitle="who looks after what"
        footer={
          mayWrite ? (
            <>
              <Button type="submit" variant="primary" busy={isBusy} disabled={draft === before}>
                Save
              </Button>
              <Button variant="ghost" disabled={draft === before} onClick={() => onDraft(before)}>
                Discard changes
              </Button>
            </>
          ) : undefined
        }
      >
        <Field
          label="Rules, one a line"
          wide
          help={
            <>
              A pattern, then who owns what matches: the e-mail of a member, or # and a team. <code>path:</code>,{' '}
              <code>module:</code>, <code>url:</code>, <code>codeowners:</code> and <code>tags.NAME:</code> say what is
              compared; without one of them it is the path. The last line that matches wins.
            </>
          }
        >
          <Textarea
            mono
            rows={10}
            className={styles.text}
            placeholder={EXAMPLE}
            value={draft}
            disabled={!mayWrite}
            onValueChange={(text) => {
              onDraft(text)
              setFailure(undefined)
            }}
          />
        </Field>
        {failure === undefined ? null : <Notice tone="error">{failure}</Notice>}
        <Problems problems={ownership.problems.filter(({ source }) => source === 'rules')} />
      </Panel>
    </form>
  )
}
