import type { AlertDraft, AlertDryRun } from '@firsthand/contract'

import { formatExact } from '../../../lib/format.ts'
import { formatMoment, isMidnight } from '../../../lib/moments.ts'
import { cx } from '../../../lib/cx.ts'
import {
  bandPoints,
  dayTicks,
  firingMarks,
  type FiringMark,
  handleTop,
  type Scale,
  scaleOf,
  ticksOf,
  worstPoints,
} from '../model/chart.ts'
import { limitOf } from '../model/draft.ts'
import { quantityOf, type Quantity, valueText } from '../model/quantities.ts'
import { Ladder } from './Ladder.tsx'
import { LimitHandle } from './LimitHandle.tsx'
import { useWidth } from '../../../lib/use-width.ts'
import styles from './DryRunChart.module.css'

const HEIGHT = 210

interface Props {
  readonly draft: AlertDraft
  readonly run: AlertDryRun
  /** Place of the firing whose messages are shown. */
  readonly shown: number
  readonly mayWrite: boolean
  readonly onLimit: (limit: number) => void
  readonly onShow: (place: number) => void
}

const counted = (noun: string): Quantity => ({
  dataset: 'errors',
  aggregate: 'count()',
  label: '',
  noun,
  form: 'count',
})

/** What the height of a bar is. */
function measuredBy({ trigger }: AlertDraft): Quantity {
  if (trigger.source === 'measured') return quantityOf(trigger.dataset, trigger.aggregate)
  return counted(trigger.source === 'silence' ? 'minutes' : 'times')
}

/** The last 14 days with the limit as a handle: what is over it is red, each number is a message. */
export function DryRunChart({ draft, run, shown, mayWrite, onLimit, onShow }: Props) {
  const { ref, width } = useWidth()
  const { trigger } = draft
  const limit = limitOf(draft)
  const quantity = measuredBy(draft)
  const isBelow = trigger.source === 'measured' && trigger.comparison.direction === 'below'
  const hangs = isBelow && quantity.form === 'share'
  const scale = scaleOf(run, limit ?? run.limit, { width, height: HEIGHT }, hangs)
  const marks = firingMarks(run, scale)
  return (
    <div className={cx(styles.chart, limit === null && styles.alone)}>
      <div className={styles.axis} aria-hidden="true">
        {ticksOf(scale).map((value) => (
          <span key={value} className={styles.tick} style={{ top: scale.y(value) }}>
            {valueText(quantity, value)}
          </span>
        ))}
      </div>
      <div className={styles.plot}>
        <div ref={ref} className={styles.canvas} style={{ height: HEIGHT }}>
          {width === 0 ? null : (
            <>
              <Drawing run={run} scale={scale} limit={limit ?? run.limit} isBelow={isBelow} />
              <Marks run={run} marks={marks} shown={shown} onShow={onShow} />
              {limit === null ? null : (
                <LimitHandle
                  scale={scale}
                  limit={limit}
                  text={valueText(quantity, limit)}
                  isWhole={quantity.form === 'count'}
                  top={handleTop(scale.y(limit), marks, scale)}
                  disabled={!mayWrite}
                  onLimit={onLimit}
                />
              )}
            </>
          )}
        </div>
        <div className={styles.days} aria-hidden="true">
          {dayTicks(scale, startOfDay).map((day) => (
            <span key={day} className={styles.day} style={{ left: scale.x(day) }}>
              {formatMoment('weekday', day).replace(/ \S+$/, '')}
            </span>
          ))}
          <span className={styles.now}>now</span>
        </div>
      </div>
      {limit === null ? null : (
        <Ladder run={run} scale={scale} limit={limit} quantity={quantity} disabled={!mayWrite} onLimit={onLimit} />
      )}
    </div>
  )
}

const HALF_HOUR_MS = 1_800_000

/** When the day of a moment began, for the reader: looked for in half hours, as zones differ by no less. */
function startOfDay(timeMs: number): number {
  const begun = Math.floor(timeMs / HALF_HOUR_MS) * HALF_HOUR_MS
  for (let step = 0; step < 52; step += 1) {
    const moment = begun - step * HALF_HOUR_MS
    if (isMidnight(moment)) return moment
  }
  return begun
}

/** That nothing is missing is seen as well. */
const LEAST_BAR = 1

function Drawing({
  run,
  scale,
  limit,
  isBelow,
}: {
  readonly run: AlertDryRun
  readonly scale: Scale
  readonly limit: number | null
  readonly isBelow: boolean
}) {
  const bar = Math.max(1, scale.width / Math.max(1, (scale.toMs - scale.fromMs) / 1000 / run.interval) - 0.5)
  const isOver = (value: number): boolean => limit !== null && (isBelow ? value < limit : value > limit)
  return (
    <svg className={styles.drawing} width={scale.width} height={scale.height} role="img" aria-label={spoken(run)}>
      {ticksOf(scale).map((value) => (
        <line key={value} x1={0} x2={scale.width} y1={scale.y(value)} y2={scale.y(value)} className={styles.grid} />
      ))}
      {run.band === null ? null : <polygon points={bandPoints(run, scale)} className={styles.band} />}
      {worstPoints(run, isBelow).map(([seconds, value]) => (
        <rect
          key={seconds}
          x={scale.x(seconds * 1000)}
          y={scale.hangs ? 0 : scale.y(value)}
          width={bar}
          height={scale.hangs ? Math.max(LEAST_BAR, scale.y(value)) : Math.max(0, scale.height - scale.y(value))}
          className={isOver(value) ? styles.over : styles.bar}
        />
      ))}
    </svg>
  )
}

/** What the chart says, for who does not see it. */
function spoken(run: AlertDryRun): string {
  const firings = run.firings.slice(0, 10).map(({ at, sentence }) => `${formatExact(Date.parse(at))}: ${sentence}`)
  const count = `In the last 14 days ${run.messages} messages of ${run.incidents} incidents.`
  return [count, ...firings].join(' ')
}

/**
 * Numbers are messages, a dashed ring is one that nobody would have got. One mark of several shows one of them after the
 * other.
 */
function Marks({
  run,
  marks,
  shown,
  onShow,
}: {
  readonly run: AlertDryRun
  readonly marks: readonly FiringMark[]
  readonly shown: number
  readonly onShow: (place: number) => void
}) {
  return (
    <ul className={styles.marks} aria-label="When it would have fired">
      {marks.map(({ places, text, x, y }) => {
        const firings = places.flatMap((place) => run.firings[place] ?? [])
        const words = markWords(firings)
        const isShown = places.includes(shown)
        return (
          <li key={places[0]} className={styles.place} style={{ left: x, top: y }}>
            <button
              type="button"
              className={cx(
                styles.mark,
                firings.every(({ number }) => number === null) && styles.held,
                isShown && styles.shown,
              )}
              aria-label={words}
              aria-pressed={isShown}
              title={words}
              onClick={() => {
                const next = places[(places.indexOf(shown) + 1) % places.length]
                if (next !== undefined) onShow(next)
              }}
            >
              {text}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

type Firing = AlertDryRun['firings'][number]

const momentOf = ({ at }: Firing): string => formatExact(Date.parse(at))

function markWords(firings: readonly Firing[]): string {
  const [first] = firings
  const last = firings.at(-1)
  if (first === undefined || last === undefined) return ''
  if (firings.length === 1) {
    const what = first.number === null ? 'Held back' : `Message ${first.number}`
    return `${what}, ${momentOf(first)}: ${first.sentence}`
  }
  const held = firings.filter(({ number }) => number === null).length
  const what = held === 0 ? '' : `, ${held} of them held back`
  return `Fired ${firings.length} times${what}, ${momentOf(first)} to ${momentOf(last)}. Press again for the next one.`
}
