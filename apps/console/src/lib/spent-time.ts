const SECOND_MS = 1000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** How long something took, with three digits: `12 µs`, `4.0 ms`, `127 ms`, `4.24 s`, `41.2 s`, `1:03 min`, `2:05 h`. */
export function formatSpent(durationMs: number): string {
  if (durationMs <= 0) return '0 ms'
  if (durationMs < 0.0995) return `${Math.max(1, Math.round(durationMs * 1000))} µs`
  if (durationMs < 0.995) return `${durationMs.toFixed(2)} ms`
  if (durationMs < 9.95) return `${durationMs.toFixed(1)} ms`
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`
  if (durationMs < 9995) return `${(durationMs / SECOND_MS).toFixed(2)} s`
  if (durationMs < 59_950) return `${(durationMs / SECOND_MS).toFixed(1)} s`
  const [big, small, unit] =
    durationMs < HOUR_MS - 500 ? [MINUTE_MS, SECOND_MS, 'min'] : ([HOUR_MS, MINUTE_MS, 'h'] as const)
  const rounded = Math.round(durationMs / small)
  const parts = big / small
  return `${Math.floor(rounded / parts)}:${String(rounded % parts).padStart(2, '0')} ${unit}`
}
