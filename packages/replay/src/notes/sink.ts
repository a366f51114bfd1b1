import { guard } from '@firsthand/browser/parts'
import { breadcrumb, type RecordedEvent } from '../events.ts'
import type { Settings } from '../options.ts'

/** So many notes in so many milliseconds; those that come more often are not kept. */
const MAX_NOTES = 300
const WINDOW_MS = 5000

/** Takes what is noted beside the picture. */
export type Note = (event: RecordedEvent) => void

/** A page that says too much is told of once, and of the rest nothing is kept. */
export const createNotes = (
  add: Note,
  { beforeAddRecordingEvent }: Pick<Settings, 'beforeAddRecordingEvent'>,
  now: () => number = Date.now,
): Note => {
  let since = 0
  let count = 0
  return (event) => {
    const at = now()
    if (at - since >= WINDOW_MS) {
      since = at
      count = 0
    }
    count += 1
    if (count === MAX_NOTES + 1) add(breadcrumb('replay.throttled', {}, at))
    if (count > MAX_NOTES) return
    const judged = beforeAddRecordingEvent ? guard(() => beforeAddRecordingEvent(event), null) : event
    if (judged) add(judged)
  }
}
