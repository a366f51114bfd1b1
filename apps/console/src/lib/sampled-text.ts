import { formatCount } from './format.ts'

/** What stands for more than was kept says so: `×20, from 1,240 samples`. Null when every one was kept. */
export function sampledText(samples: number | undefined, rate: number | null | undefined): string | null {
  if (samples === undefined || rate === null || rate === undefined || rate >= 0.995 || rate <= 0) return null
  const times = 1 / rate
  return `×${times >= 9.95 ? Math.round(times) : times.toFixed(1)}, from ${formatCount(samples)} ${samples === 1 ? 'sample' : 'samples'}`
}
