import { formatMoment } from '../../../lib/moments.ts'
import type { PersonDay } from '../model/days.ts'
import styles from './DayChart.module.css'

const HEIGHT = 40
/** Above the bars: where it is marked that they wrote. */
const ABOVE = 10
const STEP = 9
const WIDTH = 6

/** What happened to somebody by day: as high as all of it, red where something went wrong, a mark where they wrote. */
export function DayChart({ days }: { readonly days: readonly PersonDay[] }) {
  const most = Math.max(1, ...days.map(({ all }) => all))
  const width = days.length * STEP
  const [first] = days
  const wrong = days.filter(({ errors }) => errors > 0).length
  const wrote = days.filter(({ reports }) => reports > 0).length
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${width} ${ABOVE + HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Of ${days.length} days, something went wrong on ${wrong}, and they wrote on ${wrote}`}
      >
        {days.map(({ all, at, errors, reports }, index) => {
          const height = all === 0 ? 0.75 : Math.max(3, (all / most) * HEIGHT)
          const x = index * STEP + 1
          return (
            <g key={at}>
              <title>{`${formatMoment('date', at)}: ${errors} went wrong, wrote ${reports}, ${all} in all`}</title>
              <rect
                className={errors > 0 ? styles.wrong : styles.quiet}
                x={x}
                y={ABOVE + HEIGHT - height}
                width={WIDTH}
                height={height}
              />
              {reports === 0 ? null : <path className={styles.wrote} d={`M${x - 1} 0h${WIDTH + 2}v6h-4l-3 3v-3h-1z`} />}
            </g>
          )
        })}
      </svg>
      <figcaption>
        <span>{first === undefined ? '' : formatMoment('date', first.at)}</span>
        <span>today</span>
      </figcaption>
    </figure>
  )
}
