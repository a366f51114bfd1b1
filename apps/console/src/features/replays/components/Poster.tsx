import {
  getReplayPicture,
  REPLAY_PICTURE_HEIGHT,
  REPLAY_PICTURE_LEAST_WIDTH,
  REPLAY_PICTURE_WIDTH,
  type ReplayPlayback,
} from '@firsthand/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { api } from '../../../lib/api.ts'
import { momentOf } from '../model/replay-search.ts'
import { usePlayerValue } from '../player/use-player.ts'
import type { OpenedReplay } from '../player/use-replay.ts'
import styles from './Poster.module.css'

const ROUTE = '/signed-in/organizations/$org/replays/$replay'
/** What comes sooner needs no stand-in. Milliseconds. */
const AFTER_MS = 200

interface PosterProps {
  readonly playback: ReplayPlayback
  readonly opened: OpenedReplay
  readonly scale: number
  /** Of the recorded page in its window. */
  readonly top: number
}

/** The small page that lists show of this moment, as large as the recording will be: until that is drawn. */
export function Poster(props: PosterProps) {
  const opens = usePlayerValue(
    props.opened.player,
    ({ pictureFrom, state }) => state === 'loading' && pictureFrom === null,
  )
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return opens && isDue ? <Page {...props} /> : null
}

function Page({ playback, opened: { size }, scale, top }: PosterProps) {
  const { org } = useParams({ from: ROUTE })
  const at = momentOf(useSearch({ from: ROUTE }), playback.startedAt, playback.finishedAt)
  const fitting = Math.min(REPLAY_PICTURE_WIDTH / size.width, REPLAY_PICTURE_HEIGHT / size.height)
  /** As small as the server made the page, and where it put it. */
  const small = Math.max(fitting, REPLAY_PICTURE_LEAST_WIDTH / size.width)
  const larger = scale / small
  const left = ((REPLAY_PICTURE_WIDTH - size.width * small) / 2) * larger
  return (
    <div className={styles.poster} style={{ top, height: size.height * scale }} aria-hidden="true" inert>
      <iframe
        className={styles.frame}
        src={api.url(getReplayPicture, {
          params: { org, replay: playback.replay.id },
          query: at === null ? {} : { at: Math.round(at) },
        })}
        sandbox=""
        title="The page at this moment"
        tabIndex={-1}
        width={REPLAY_PICTURE_WIDTH}
        height={REPLAY_PICTURE_HEIGHT}
        style={{ left: -left, transform: `scale(${larger})` }}
      />
    </div>
  )
}
