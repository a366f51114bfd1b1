import type { ReplayPlayback } from '@firsthand/contract'
import { useState } from 'react'

import { useNow } from '../../../lib/now.ts'
import styles from './Live.module.css'

/** Of a recording that is heard of, something comes every few seconds. */
const QUIET_MS = 60_000

/** That the replay goes on while it is watched, and then that it ended; nothing for one that was over before. */
export function Live({ playback: { complete, finishedAt } }: { readonly playback: ReplayPlayback }) {
  const [ran] = useState(!complete)
  const quiet = useNow(QUIET_MS / 6) - finishedAt
  if (!ran) return null
  const isLive = !complete && quiet < QUIET_MS
  return (
    <span className={styles.live} data-live={isLive} role="status">
      {complete ? 'Ended' : isLive ? 'Live' : 'Maybe still recording'}
    </span>
  )
}
