import type { ReplayPlayback } from '@firsthand/contract'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { Button, Dialog, Field, Input, Notice, SegmentedControl } from '../../../ui/index.ts'
import { MakeLink, type MadeLink } from './MakeLink.tsx'
import { OpenLinks } from './OpenLinks.tsx'
import { saveFile } from './queries.ts'
import { readStretch, stretchFrom, WHOLE } from './stretch.ts'
import styles from './ShareDialog.module.css'

export interface ShareDialogProps {
  readonly playback: ReplayPlayback
  /** Where a stretch begins, until something else is typed. */
  readonly at: number
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** What of a replay people without an account see: by links that end, and as a file. */
export function ShareDialog({ playback, at, open, onOpenChange }: ShareDialogProps) {
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const mayShare = useAccess(org)('event:write')
  const [what, setWhat] = useState<'whole' | 'stretch'>('whole')
  const [typed, setTyped] = useState(() => stretchFrom(at, playback))
  const [made, setMade] = useState<MadeLink | null>(null)
  const [saving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { replay, videos } = playback
  const named = { org, project: replay.project_id, replay: replay.id }
  const { problems, stretch } = what === 'whole' ? { problems: {}, stretch: WHOLE } : readStretch(typed, playback)
  const save = async (): Promise<void> => {
    if (stretch === null) return
    setSaving(true)
    setProblem(null)
    try {
      await saveFile(named, stretch)
    } catch (error) {
      setProblem(describeError(error).detail)
    } finally {
      setSaving(false)
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Share this replay"
      description="Anyone with the link sees this replay without an account, until it ends or is revoked."
    >
      <div className={styles.parts}>
        <SegmentedControl
          aria-label="What is shared"
          value={what}
          onValueChange={setWhat}
          options={[
            { value: 'whole', label: 'Whole replay' },
            { value: 'stretch', label: 'A stretch' },
          ]}
        />
        {what === 'whole' ? null : (
          <div className={styles.stretch}>
            <Field label="From" error={problems.from}>
              <Input mono value={typed.from} onValueChange={(from) => setTyped({ ...typed, from })} />
            </Field>
            <Field label="To" error={problems.to}>
              <Input mono value={typed.to} onValueChange={(to) => setTyped({ ...typed, to })} />
            </Field>
          </div>
        )}
        {videos.length > 0 ? (
          <Notice>
            People see what the phone filmed as well, of a stretch those parts of the film that lie wholly within it.
          </Notice>
        ) : null}
        {mayShare ? (
          <MakeLink replay={named} stretch={stretch} made={made} onMade={setMade} />
        ) : (
          <Notice>
            Your role may watch replays, but not make or revoke links to them. Ask an administrator of the organisation.
          </Notice>
        )}
        <OpenLinks
          replay={named}
          playback={playback}
          mayRevoke={mayShare}
          onRevoked={(id) => setMade((shown) => (shown?.id === id ? null : shown))}
        />
        <section className={styles.file}>
          <div>
            <h3 className={styles.heading}>As a file</h3>
            <p className={styles.quiet}>
              One page that plays without a network. Nobody can revoke it, and it never ends.
            </p>
          </div>
          <Button busy={saving} disabled={stretch === null} onClick={() => void save()}>
            Download as a file
          </Button>
        </section>
        {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  )
}
