import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useMemo } from 'react'

import { formatCount } from '../../../lib/format.ts'
import {
  countKinds,
  type KindCounts,
  ofKinds,
  readKinds,
  readReplayPage,
  ROW_KINDS,
  type RowKind,
  withKind,
} from '../model/row-kinds.ts'
import { Events } from './Events.tsx'
import styles from './Everything.module.css'

const ROUTE = '/signed-in/organizations/$org/replays/$replay'

const NAMES: Readonly<Record<RowKind, string>> = {
  clicks: 'Clicks',
  navigation: 'Navigation',
  console: 'Console',
  network: 'Network',
  errors: 'Errors',
  feedback: 'Feedback',
  vitals: 'Vitals',
}

/** All moments, or those of some kinds, which the address names. */
export function Everything({ rows, place, nothing, ...events }: ComponentProps<typeof Events>) {
  const { show = '' } = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: '/organizations/$org/replays/$replay' })
  const kinds = useMemo(() => (place.isStrip ? [] : readKinds(show)), [place.isStrip, show])
  const counts = useMemo(() => countKinds(rows), [rows])
  const shown = useMemo(() => ofKinds(rows, kinds), [rows, kinds])
  const choose = (kind: RowKind): void => {
    const next = withKind(kinds, kind).join()
    void navigate({
      search: (before) => readReplayPage({ ...before, show: next }),
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <>
      {place.isStrip ? null : <Kinds counts={counts} kinds={kinds} onChoose={choose} />}
      <Events
        {...events}
        rows={shown}
        place={place}
        nothing={kinds.length === 0 ? nothing : 'Nothing of this kind was noted.'}
      />
    </>
  )
}

/** Those of which there are any, and those that are chosen. */
function Kinds({
  counts,
  kinds,
  onChoose,
}: {
  readonly counts: KindCounts
  readonly kinds: readonly RowKind[]
  readonly onChoose: (kind: RowKind) => void
}) {
  const offered = ROW_KINDS.filter((kind) => counts[kind] > 0 || kinds.includes(kind))
  if (offered.length < 2 && kinds.length === 0) return null
  return (
    <div className={styles.kinds} role="group" aria-label="Show only">
      {offered.map((kind) => (
        <button
          key={kind}
          type="button"
          className={styles.kind}
          aria-pressed={kinds.includes(kind)}
          onClick={() => onChoose(kind)}
        >
          {NAMES[kind]} <span className={styles.count}>{formatCount(counts[kind])}</span>
        </button>
      ))}
    </div>
  )
}
