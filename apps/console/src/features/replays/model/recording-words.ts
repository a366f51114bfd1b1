import type { ReplayMark, ReplayPlayback } from '@firsthand/contract'

import { formatBytes, formatCount, formatDuration } from '../../../lib/format.ts'

/** What is not whole in a recording, in words. */

type Unplayable = NonNullable<ReplayPlayback['segments'][number]['broken']>

/** A sentence. */
export function whyUnplayable(reason: Unplayable): string {
  switch (reason) {
    case 'corrupt':
      return 'The recording arrived damaged or cut off.'
    case 'too_large':
      return 'The recording is larger than the server reads.'
    case 'too_deep':
      return 'The recording is nested too deeply to be read.'
    case 'no_json':
      return 'The recording is not a list of events in JSON.'
    case 'no_events':
      return 'The recording has no events in it.'
    case 'missing':
      return 'The recording did not arrive, only the report about it.'
  }
}

interface RecorderWords {
  readonly tone: 'warning' | null
  readonly text: string
  readonly details: readonly string[]
}

const ENDS = 'The picture of this page ends here.'
/** What browsers call a canvas that shows something of another site. */
const FOREIGN = 'SecurityError'

/** A number above 0; null for what is none, as recorders of other versions may send. */
function numberOf(text: string | undefined): number | null {
  const value = Number(text ?? '')
  return Number.isFinite(value) && value > 0 ? value : null
}

/** What the recorder says of the recording itself; null for a note of anything else. */
export function recorderWords({ text, detail }: Pick<ReplayMark, 'text' | 'detail'>): RecorderWords | null {
  const warn = (words: string, ...details: readonly string[]): RecorderWords => ({
    tone: 'warning',
    text: words,
    details: details.filter((sentence) => sentence !== ''),
  })
  const count = numberOf(detail['count'])
  const limit = numberOf(detail['limit'])
  switch (text) {
    case 'replay.canvas-not-recorded':
      return warn('A canvas could not be recorded', whyNoCanvas(detail['reason'] ?? ''))
    case 'replay.canvas-slowed': {
      const interval = numberOf(detail['intervalMs'])
      const pace = interval === null ? '' : `There is at most one picture every ${formatDuration(interval)}.`
      return warn('Canvases are recorded less often', 'Reading them took too much of the page’s time.', pace)
    }
    case 'replay.page-too-large': {
      const size =
        count === null || limit === null
          ? ''
          : `There were ${formatCount(count)} elements; at most ${formatCount(limit)} are recorded.`
      return warn('The page is too large to be recorded', size, ENDS)
    }
    case 'replay.too-much': {
      const size = limit === null ? '' : `It made more than the ${formatBytes(limit)} that one segment may have.`
      return warn('The page changes too much to be recorded', size, ENDS)
    }
    case 'replay.throttled':
      return warn(
        'Some of what happened is not listed',
        'The page did too much at once: up to five seconds of notes are missing.',
      )
    case 'replay.mutations': {
      const changes = count === null ? '' : `${formatCount(count)} changes came at once.`
      if (detail['limit'] === 'true')
        return warn('The page changed too much at once', changes, 'The recording ends here.')
      return { tone: null, text: 'Much of the page changed at once', details: changes === '' ? [] : [changes] }
    }
    default:
      return null
  }
}

function whyNoCanvas(reason: string): string {
  if (reason === FOREIGN) return 'It shows something of another site, which browsers let nobody read.'
  return reason === '' ? '' : `The browser refused to read it: ${reason}.`
}

/** What a search of the words on its pages does not know; '' when it knows all. */
export function unsearchedWords(textsLeftOut: number): string {
  return textsLeftOut === 0 ? '' : 'Too much text to search all of it: some texts on its pages cannot be found.'
}
