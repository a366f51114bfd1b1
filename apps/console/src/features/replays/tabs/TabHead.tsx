import type { ReactNode } from 'react'

import styles from './TabHead.module.css'

/** Where a tab is shown: beside the player, or as the strip below the first one, with what stands in its head. */
export interface TabPlace {
  readonly isStrip: boolean
  /** At the beginning of its head, and at its end. */
  readonly lead: ReactNode
  readonly end: ReactNode
}

export const IN_FRONT: TabPlace = { isStrip: false, lead: null, end: null }

/** The line above what a tab shows. */
export function TabHead({
  place,
  sight = '',
  end,
  children,
}: {
  readonly place: TabPlace
  /** The stretch that is in sight, in words: a strip has no room to say more. */
  readonly sight?: string
  readonly end?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <div className={styles.head} data-strip={place.isStrip}>
      {place.lead}
      {place.isStrip ? <span>{sight}</span> : children}
      <span className={styles.space} />
      {place.isStrip ? null : end}
      {place.end}
    </div>
  )
}
