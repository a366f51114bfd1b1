import type { Replay } from '@firsthand/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { ChevronLeftIcon, ChevronRightIcon, Kbd, useShortcut, VisibleText } from '../../../ui/index.ts'
import { type FoundReplay, placeInFound, rememberReplay } from '../found-replays.ts'
import styles from './Journey.module.css'

const GROUP = 'Replay'

/** The other replays of the list from which somebody came, before and after. Back leads to the list from each of them. */
export function Found({ replay }: { readonly replay: Replay }) {
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { show } = useSearch({ from: '/signed-in/organizations/$org/replays/$replay' })
  const navigate = useNavigate()
  const place = placeInFound(org, replay)
  const open = (to: FoundReplay | null | undefined): void => {
    if (to === null || to === undefined) return
    rememberReplay(to.key)
    void navigate({
      to: '/organizations/$org/replays/$replay',
      params: { org, replay: to.id },
      search: { ...to.lead, ...(show !== undefined && { show }) },
      replace: true,
    })
  }
  const enabled = place !== null
  useShortcut('j', () => open(place?.next), { label: 'Next replay of the list', group: GROUP, enabled })
  useShortcut('k', () => open(place?.previous), { label: 'Previous replay of the list', group: GROUP, enabled })
  if (place === null) return null
  const { count, hasMore, next, number, previous, query } = place
  return (
    <nav className={styles.journey} aria-label="The list">
      <Step label="Previous replay of the list (k)" enabled={previous !== null} onClick={() => open(previous)}>
        <ChevronLeftIcon />
      </Step>
      <span className={styles.place} title={hasMore ? `The list goes on after these ${count}` : undefined}>
        {number} of {formatCount(count)}
        {hasMore ? '+' : ''}
        {query === '' ? (
          <span className={styles.who}> in the list</span>
        ) : (
          <span className={styles.who}>
            {' with '}
            <code title={query}>
              <VisibleText text={query} />
            </code>
          </span>
        )}
      </span>
      <Step label="Next replay of the list (j)" enabled={next !== null} onClick={() => open(next)}>
        <ChevronRightIcon />
      </Step>
      <span className={styles.keys}>
        <Kbd keys="k" /> <Kbd keys="j" />
      </span>
    </nav>
  )
}

function Step({
  label,
  enabled,
  onClick,
  children,
}: {
  readonly label: string
  readonly enabled: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}) {
  if (!enabled) return <span className={styles.none}>{children}</span>
  return (
    <button type="button" className={styles.step} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  )
}
