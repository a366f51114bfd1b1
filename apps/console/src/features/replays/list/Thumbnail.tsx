import { getReplayPicture, getReplayVideo } from '@firsthand/contract'
import { useEffect, useRef, useState } from 'react'

import { api } from '../../../lib/api.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { EyeOffIcon, ReplayIcon } from '../../../ui/index.ts'
import { previewMoments } from './replay-row.ts'
import type { ReplayRow } from './queries.ts'
import { createTurns } from './turns.ts'
import styles from './Thumbnail.module.css'

const NEXT_MOMENT_MS = 1200

interface ThumbnailProps {
  readonly org: string
  readonly replay: ReplayRow
  /** Milliseconds since the epoch; null for the usual one. */
  readonly at: number | null
  /** `2:31`; null where the picture is of no moment in particular. */
  readonly label: string | null
  /** Outlined on the page; '' for none. */
  readonly words: string
  /** Only few are at once. */
  readonly isDrawn: boolean
  /** Somebody points at it: it shows some moments, one after the other. */
  readonly isPreviewed: boolean
}

/** What was seen in a replay, small. */
export function Thumbnail(props: ThumbnailProps) {
  const { first_video: segment, has_picture: hasPicture } = props.replay
  return segment !== null && !hasPicture ? <FilmThumbnail {...props} segment={segment} /> : <PageThumbnail {...props} />
}

/** The first that a phone filmed of its screen. The browser asks for as much of the video as it takes to draw it. */
function FilmThumbnail({ org, replay, label, isDrawn, segment }: ThumbnailProps & { readonly segment: number }) {
  const params = { org, project: replay.project_id, replay: replay.id, segment: String(segment) }
  const wanted = isDrawn ? `${api.url(getReplayVideo, { params })}#t=0.01` : null
  const { isDue, ended } = useTurn(wanted)
  return (
    <div className={styles.box} aria-hidden="true" inert>
      <ReplayIcon size={16} className={styles.placeholder} />
      {wanted !== null && isDue ? (
        <video
          key={wanted}
          className={styles.film}
          src={wanted}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
          onLoadedData={ended}
          onError={ended}
        />
      ) : null}
      {label === null ? null : <span className={styles.label}>{label}</span>}
    </div>
  )
}

/**
 * A recorded page: a page of the server's own in which nothing runs and for which nothing is fetched, in a frame of no
 * origin.
 */
function PageThumbnail({ org, replay, at, label, words, isDrawn, isPreviewed }: ThumbnailProps) {
  const moment = usePreview(replay, isDrawn && isPreviewed) ?? at
  const query = {
    ...(moment !== null && { at: Math.round(moment) }),
    ...(words !== '' && moment === at && { words }),
  }
  const wanted =
    isDrawn && replay.has_picture ? api.url(getReplayPicture, { params: { org, replay: replay.id }, query }) : null
  const { isDue, ended } = useTurn(wanted)
  const [shown, setShown] = useState<string | null>(null)
  const PlaceholderIcon = replay.has_picture ? ReplayIcon : EyeOffIcon
  return (
    <div
      className={styles.box}
      title={replay.has_picture ? undefined : 'No page of this replay was recorded'}
      aria-hidden="true"
      inert
    >
      <PlaceholderIcon size={16} className={styles.placeholder} />
      {framesOf(shown, isDue ? wanted : null, wanted !== null).map((src) => (
        // The one that is shown stays until the next one has come.
        <iframe
          key={src}
          className={styles.frame}
          src={src}
          sandbox=""
          title="Recorded page"
          tabIndex={-1}
          onLoad={() => {
            setShown(src)
            if (src === wanted) ended()
          }}
        />
      ))}
      {label === null || moment !== at ? null : <span className={styles.label}>{label}</span>}
    </div>
  )
}

const framesOf = (shown: string | null, next: string | null, isDrawn: boolean): readonly string[] =>
  isDrawn ? [...new Set([shown, next].filter((src) => src !== null))] : []

const turns = createTurns()

/** Whether it is this one's turn to be loaded; it stays so until another one is wanted. */
function useTurn(wanted: string | null): { readonly isDue: boolean; readonly ended: () => void } {
  const [due, setDue] = useState<string | null>(null)
  const end = useRef<() => void>(() => undefined)
  useEffect(() => {
    if (wanted === null) return undefined
    const leave = turns.take(() => setDue(wanted))
    end.current = leave
    return leave
  }, [wanted])
  return { isDue: wanted !== null && due === wanted, ended: () => end.current() }
}

/** The moment of a replay that is shown now; null while nobody points at it. */
function usePreview(replay: ReplayRow, isOn: boolean): number | null {
  const isCalm = useMedia('(prefers-reduced-motion: reduce)')
  const [step, setStep] = useState(-1)
  const moves = isOn && !isCalm
  useEffect(() => {
    if (!moves) return undefined
    const timer = setInterval(() => setStep((now) => now + 1), NEXT_MOMENT_MS)
    return () => {
      clearInterval(timer)
      setStep(-1)
    }
  }, [moves])
  const moments = previewMoments(replay)
  return moves && step >= 0 ? (moments[step % moments.length] ?? null) : null
}
