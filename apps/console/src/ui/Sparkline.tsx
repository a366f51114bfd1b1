import styles from './Sparkline.module.css'

export interface SparklineProps {
  readonly values: readonly number[]
  readonly width?: number
  readonly height?: number
  /** Says in words what the picture shows: "1,902 events in 14 days, most 212 on Monday". */
  readonly label: string
}

/** Bars of one series, neutral, as one SVG path. Empty buckets keep a hair line so that silence is visible. */
export function Sparkline({ values, width = 112, height = 22, label }: SparklineProps) {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  const bar = Math.max(1, step - (step > 3 ? 1 : 0.4))
  const path = values
    .map((value, index) => {
      const tall = value === 0 ? 0.75 : Math.max(2, (value / max) * height)
      const x = (index * step).toFixed(2)
      return `M${x} ${height}v${(-tall).toFixed(2)}h${bar.toFixed(2)}v${tall.toFixed(2)}z`
    })
    .join('')
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={styles.bars}
    >
      <path d={path} fill="currentColor" />
    </svg>
  )
}
