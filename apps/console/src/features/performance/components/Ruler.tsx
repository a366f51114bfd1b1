import type { Change } from '../model/change.ts'
import { placeOn, type RulerScale } from '../model/ruler.ts'
import styles from './Ruler.module.css'

const HEIGHT = 22
const WIDTH = 160
const SIDE = 5

/** Ring p50, bar to p95, whisker p99; an arrow from the p95 before when it moved. The numbers stand beside it. */
export function Ruler({
  scale,
  p50,
  p95,
  p99,
  before,
  verdict,
}: {
  readonly scale: RulerScale
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** p95 of the period before. */
  readonly before: number | undefined
  readonly verdict: Change['verdict']
}) {
  const x = (value: number): number => SIDE + placeOn(scale, value) * (WIDTH - 2 * SIDE)
  const moved = verdict !== 'same' && before !== undefined ? x(before) : null
  const tip = x(p95)
  const head = verdict === 'worse' ? -4 : 4
  return (
    <svg
      className={styles.ruler}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      data-verdict={verdict}
    >
      <path className={styles.whisker} d={`M${tip} 9H${x(p99)}M${x(p99)} 6v6`} />
      <path className={styles.bar} d={`M${x(p50)} 9H${tip}`} />
      <path className={styles.p95} d={`M${tip} 4.500v9`} />
      <circle className={styles.p50} cx={x(p50)} cy={9} r={3} />
      {moved === null ? null : (
        <path className={styles.arrow} d={`M${moved} 18H${tip}M${tip + head} 16l${-head} 2 ${head} 2`} />
      )}
    </svg>
  )
}

export const RULER_WIDTH = WIDTH
export const RULER_SIDE = SIDE
