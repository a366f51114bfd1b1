import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { Replay } from '@firsthand/contract'
import { useEffect, useRef } from 'react'

import { clicksSoughtBy } from '../model/replay-search.ts'
import type { OpenedReplay } from '../player/use-replay.ts'
import { firstClickQuery } from '../queries.ts'
import styles from './Lit.module.css'

const ROUTE = '/signed-in/organizations/$org/replays/$replay'
/** It is lit from a little before its click, until so long after it. Milliseconds. */
const BEFORE_MS = 500
const AFTER_MS = 3000

/** Where a link came from a search for clicks: goes to the first one and frames what was clicked. */
export function Lit({
  replay,
  opened: { picture, player },
  scale,
  top,
}: {
  readonly replay: Replay
  readonly opened: OpenedReplay
  readonly scale: number
  /** Of the recorded page in its window. */
  readonly top: number
}) {
  const { org } = useParams({ from: ROUTE })
  const query = clicksSoughtBy(useSearch({ from: ROUTE }))
  const { data: hit = null } = useQuery(firstClickQuery(org, replay, query))
  const frame = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (hit !== null) player.seek(hit.at)
  }, [hit, player])
  useEffect(() => {
    if (hit === null) return undefined
    const place = (): void => {
      const element = frame.current
      const { at } = player.snapshot()
      const isThen = at >= hit.at - BEFORE_MS && at < hit.at + AFTER_MS
      const target = isThen && picture !== null ? picture.placeOf(hit.nodeId) : null
      if (element === null) return
      element.hidden = target === null
      if (target === null) return
      element.style.left = `${target.left * scale}px`
      element.style.top = `${top + target.top * scale}px`
      element.style.width = `${target.width * scale}px`
      element.style.height = `${target.height * scale}px`
    }
    place()
    return player.subscribe(place)
  }, [hit, picture, player, scale, top])
  return hit === null ? null : (
    <span ref={frame} className={styles.lit} role="img" aria-label="What was searched for" hidden />
  )
}
