import { guard, isObject, warn } from '../guard.ts'
import type { ReplayOptions } from '@firsthand/replay'

type Attributes = Readonly<Record<string, string | undefined>>

/** The script tag has `data-replay`, and not as `"false"`. */
export const isReplayWanted = (attributes: Attributes): boolean =>
  attributes['replay'] !== undefined && attributes['replay'] !== 'false'

interface Rates {
  replaysSessionSampleRate?: number
  replaysOnErrorSampleRate?: number
}

/** One that says nothing clear must not send more than was meant. */
const rateOf = (value: string | undefined): number => {
  const rate = Number(value)
  return value !== undefined && value !== '' && rate >= 0 ? rate : 0
}

/**
 * `data-replay` records every visit, `data-replay="0.1"` a tenth of them, `data-replay-on-error="1"` the others when something
 * goes wrong.
 */
export const replayRates = (attributes: Attributes): Rates => {
  const { replay = 'false', replayOnError } = attributes
  const isPlain = replay === '' || replay === 'true'
  return isReplayWanted(attributes)
    ? { replaysSessionSampleRate: isPlain ? 1 : rateOf(replay), replaysOnErrorSampleRate: rateOf(replayOnError) }
    : {}
}

/** Options of the recorder: `data-replay-options='{"maskAllText": false}'`. */
export const replayOptions = ({ replayOptions: given }: Attributes): ReplayOptions => {
  if (!given) return {}
  const parsed: unknown = guard(() => JSON.parse(given))
  if (isObject(parsed)) return parsed
  warn('data-replay-options is not JSON, so the replay is as private as it can be:', given)
  return {}
}
