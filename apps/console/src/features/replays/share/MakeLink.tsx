import { type Answer, type createReplayLink, REPLAY_LINK_DAYS } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { Button, CopyButton, Notice, SegmentedControl } from '../../../ui/index.ts'
import type { NamedReplay } from '../keeping/queries.ts'
import { linksQuery, makeLink } from './queries.ts'
import type { SharedStretch } from './stretch.ts'
import styles from './ShareDialog.module.css'

const ENDS = REPLAY_LINK_DAYS.map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` }))

/** A link with its address, which no later answer has. */
export type MadeLink = Answer<typeof createReplayLink>

/** Makes a link, and shows its address once. */
export function MakeLink({
  replay,
  stretch,
  made,
  onMade,
}: {
  readonly replay: NamedReplay
  /** Null while what is typed is none. */
  readonly stretch: SharedStretch | null
  /** That was made last, while it opens the replay. */
  readonly made: MadeLink | null
  readonly onMade: (link: MadeLink) => void
}) {
  const client = useQueryClient()
  const [days, setDays] = useState(String(REPLAY_LINK_DAYS[1]))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const make = async (): Promise<void> => {
    if (stretch === null) return
    setBusy(true)
    setProblem(null)
    try {
      onMade(await makeLink(replay, Number(days), stretch))
      void client.invalidateQueries({ queryKey: linksQuery(replay).queryKey })
    } catch (error) {
      setProblem(describeError(error).detail)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className={styles.make}>
        <span className={styles.ends}>
          <span className={styles.label}>Ends after</span>
          <SegmentedControl aria-label="The link ends after" value={days} onValueChange={setDays} options={ENDS} />
        </span>
        <Button variant="primary" busy={busy} disabled={stretch === null} onClick={() => void make()}>
          Make a link
        </Button>
      </div>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      <div role="status" className={made === null ? styles.silent : undefined}>
        {made === null ? null : (
          <>
            <div className={styles.link}>
              <code>{made.url}</code>
              <CopyButton key={made.id} text={made.url} label="link" withText />
            </div>
            <p className={styles.quiet}>Copy it now; only its fingerprint is kept.</p>
          </>
        )}
      </div>
    </>
  )
}
