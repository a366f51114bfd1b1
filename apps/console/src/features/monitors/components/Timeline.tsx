import type { TimelineCell } from '@firsthand/contract'
import { heightsOf, lookOf, summaryOf } from '../model/cells.ts'
import { PARTS } from '../queries.ts'
import styles from './Timeline.module.css'

interface TimelineProps {
  /** Null while it is asked for. */
  readonly cells: readonly TimelineCell[] | null
  /** What it is of. */
  readonly name: string
}

const HEIGHT = 24

/** Runs over time: the height of a bar is how long one took; an empty frame is one that never came. */
export function Timeline({ cells, name }: TimelineProps) {
  if (cells === null) return <div className={styles.line} aria-hidden="true" />
  const heights = heightsOf(cells)
  const width = widthOf(cells)
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${PARTS} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}: ${summaryOf(cells)}`}
    >
      <line className={styles.ground} x1={0} x2={PARTS} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {cells.map((cell, index) => {
        const height = (heights[index] ?? 0) * (HEIGHT - 2)
        return (
          <rect
            key={cell.at}
            className={styles.bar}
            data-look={lookOf(cell)}
            x={Math.min(cell.at + 0.12, PARTS - width)}
            y={HEIGHT - 1 - height}
            width={width}
            height={height}
            rx={0.15}
          >
            <title>{summaryOf([cell])}</title>
          </rect>
        )
      })}
    </svg>
  )
}

/** A run of a night is not a hair: where there are few, they are wider. */
function widthOf(cells: readonly TimelineCell[]): number {
  let least = PARTS
  for (const [index, cell] of cells.entries()) {
    const before = cells[index - 1]
    if (before !== undefined) least = Math.min(least, cell.at - before.at)
  }
  return Math.min(WIDEST, Math.max(1, least)) - 0.24
}

const WIDEST = 3.4
