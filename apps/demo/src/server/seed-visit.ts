import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Item } from './envelope.ts'
import { newId } from './traces.ts'

/** A visit that was recorded in Chromium (`e2e/replays/record-demo.ts`): its replay and its traces. */

interface Recorded {
  readonly replayId: string
  readonly error: { readonly id: string; readonly at: number; readonly trace: object }
  readonly report: { readonly id: string; readonly at: number }
}

export interface Visit extends Recorded {
  readonly envelopes: readonly (readonly Item[])[]
}

const TIMES = new Set(['timestamp', 'start_timestamp', 'end_timestamp', 'startTimestamp', 'endTimestamp'])
const START = 'replay_start_timestamp'
/** Larger numbers are milliseconds since 1970, smaller ones seconds. */
const FIRST_MILLISECONDS = 1e11

/** Every moment of a value, later by so many seconds. */
const shifted = (value: unknown, seconds: number): unknown => {
  if (Array.isArray(value)) return value.map((one) => shifted(one, seconds))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      typeof inner === 'number' && (TIMES.has(name) || name === START)
        ? [name, inner + (inner > FIRST_MILLISECONDS ? Math.round(seconds * 1000) : seconds)]
        : [name, shifted(inner, seconds)],
    ),
  )
}

/** A recording is a line that numbers the segment, and its events. */
const recordingOf = (segment: number, events: unknown): Uint8Array =>
  Buffer.from(`{"segment_id":${segment}}\n${JSON.stringify(events)}`)

/** The visit with ids of its own, as if its error had happened then. @param errorAt seconds since 1970 */
export const readVisit = (errorAt: number): Visit => {
  const ids = new Map<string, string>()
  const text = readFileSync(join(import.meta.dirname, 'seed-replay.jsonl'), 'utf8').replaceAll(
    /\b[0-9a-f]{32}\b/g,
    (id) => {
      const own = ids.get(id) ?? newId()
      ids.set(id, own)
      return own
    },
  )
  const [about, ...envelopes] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown) as [Recorded, ...Item[][]]
  const seconds = errorAt - about.error.at
  let segments = 0
  return {
    replayId: about.replayId,
    error: { ...about.error, at: errorAt },
    report: { ...about.report, at: about.report.at + seconds },
    envelopes: envelopes.map((items) =>
      items.map(([header, payload]): Item => {
        const moved = shifted(payload, seconds) as object
        return [header, header.type === 'replay_recording' ? recordingOf(segments++, moved) : moved]
      }),
    ),
  }
}
