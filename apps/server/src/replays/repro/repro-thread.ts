import { parentPort } from 'node:worker_threads'
import { StepReader, writeTest, type ReplayFacts, type ReplayTest, type Scrubbing } from '@firsthand/recording/repro'
import type { ProjectSettings } from '../../accounts/settings.ts'
import { scrubAttributes } from '../../event/index.ts'
import { decodeSegment } from '../read/decode-segment.ts'

/** Entry of the thread that makes tests from replays: see make-test.ts. */

export interface TestRequest {
  /** In the order in which they are played, as they were sent. */
  readonly segments: readonly { readonly payload: Uint8Array; readonly shift: number }[]
  readonly until: number
  readonly facts: ReplayFacts
  readonly settings: Pick<ProjectSettings, 'scrubbing'>
}

const port = parentPort
if (port === null) throw new Error('The thread that makes tests was started as a program')

const scrubbingOf = (settings: Pick<ProjectSettings, 'scrubbing'>): Scrubbing => ({
  url: (url) => {
    const named = { url }
    scrubAttributes(named, '', settings)
    return named.url
  },
  text: (text) => {
    try {
      const named = { body: JSON.parse(text) as unknown }
      if (typeof named.body !== 'object') return scrubAttributes({}, text, settings)
      const before = JSON.stringify(named.body)
      scrubAttributes(named, '', settings)
      const after = JSON.stringify(named.body)
      return after === before ? text : after
    } catch {
      // No JSON, or nested too deeply to be looked through: then it is text.
      return scrubAttributes({}, text, settings)
    }
  },
})

const answer = ({ facts, segments, settings, until }: TestRequest): ReplayTest | null => {
  const reader = new StepReader(until)
  for (const { payload, shift } of segments) {
    const decoded = decodeSegment(payload)
    if (!decoded.ok) continue
    for (const event of decoded.value.events) reader.add({ ...event, timestamp: event.timestamp + shift }, shift)
  }
  return writeTest(facts, reader, scrubbingOf(settings))
}

port.on('message', (request: TestRequest) => port.postMessage(answer(request), []))
