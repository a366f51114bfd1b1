import type { Replay } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { formatMoment } from '../../../lib/moments.ts'
import { ChevronLeftIcon, ChevronRightIcon, Link } from '../../../ui/index.ts'
import { placeIn } from '../model/journey.ts'
import { journeyQuery } from '../queries.ts'
import styles from './Journey.module.css'

/** The same visitor in other tabs, before and after. Nothing where there is only this one. */
export function Journey({ replay }: { readonly replay: Replay }) {
  const { org } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { data } = useQuery(journeyQuery(org, replay.id))
  const place = data === undefined ? null : placeIn(data.replays, replay)
  if (data === undefined || place === null) return null
  const { count, next, number, previous } = place
  const who = data.by === 'address' ? 'from this address' : 'by this visitor'
  const about =
    data.by === 'address'
      ? 'Replays from the same address and browser. Several people may share them.'
      : 'Tabs and visits of one person, with half an hour between at most.'
  return (
    <nav className={styles.journey} aria-label="Journey">
      <Step org={org} to={previous} word="Before">
        <ChevronLeftIcon />
      </Step>
      <span title={about}>
        {number} of {count}
        <span className={styles.who}> {who}</span>
      </span>
      <Step org={org} to={next} word="After">
        <ChevronRightIcon />
      </Step>
    </nav>
  )
}

function Step({
  org,
  to,
  word,
  children,
}: {
  readonly org: string
  readonly to: Replay | null
  readonly word: string
  readonly children: ReactNode
}) {
  if (to === null) return <span className={styles.none}>{children}</span>
  const label = `${word}: ${[formatMoment('clock', Date.parse(to.started_at ?? '')), to.urls[0] ?? ''].filter(Boolean).join(', ')}`
  return (
    <Link
      look="plain"
      className={styles.step}
      to="/organizations/$org/replays/$replay"
      params={{ org, replay: to.id }}
      aria-label={label}
      title={label}
    >
      {children}
    </Link>
  )
}
