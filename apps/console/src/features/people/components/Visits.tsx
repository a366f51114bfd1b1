import { useState } from 'react'

import { formatMoment } from '../../../lib/moments.ts'
import type { VisitRow } from '../model/visits.ts'
import { VisitItem } from './VisitItem.tsx'
import styles from './Visits.module.css'

/** Visits by day, newest first; stretches without trouble are one line. */
export function Visits({ org, rows }: { readonly org: string; readonly rows: readonly VisitRow[] }) {
  const days = Map.groupBy(rows, (row) => formatMoment('weekday', momentOf(row)))
  return (
    <ol className={styles.days}>
      {[...days].map(([day, own]) => (
        <li key={day}>
          <h2 className={styles.day}>{day}</h2>
          <ol className={styles.visits}>
            {own.map((row) =>
              row.kind === 'visit' ? (
                <li key={row.visit.key}>
                  <VisitItem org={org} visit={row.visit} />
                </li>
              ) : (
                <li key={row.key}>
                  <Quiet org={org} row={row} />
                </li>
              ),
            )}
          </ol>
        </li>
      ))}
    </ol>
  )
}

const momentOf = (row: VisitRow): number => (row.kind === 'visit' ? row.visit.from : (row.visits[0]?.from ?? 0))

function Quiet({ org, row }: { readonly org: string; readonly row: Extract<VisitRow, { kind: 'quiet' }> }) {
  const [isOpen, setIsOpen] = useState(false)
  const moments = row.visits.map(({ from }) => from)
  const [first, last] = [Math.min(...moments), Math.max(...moments)].map((at) => formatMoment('date', at))
  return (
    <>
      <button type="button" className={styles.quiet} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <span>{first === last ? first : `${first} to ${last}`}</span>
        <span className={styles.words}>{row.visits.length} quiet visits, nothing went wrong, nothing was said</span>
      </button>
      {isOpen ? (
        <ol className={styles.visits}>
          {row.visits.map((visit) => (
            <li key={visit.key}>
              <VisitItem org={org} visit={visit} />
            </li>
          ))}
        </ol>
      ) : null}
    </>
  )
}
