import type { ReplayTest } from '@firsthand/recording/repro'
import type { ProjectSettings } from '../../accounts/index.ts'
import type { ReplayEventRecord } from '../../issues/index.ts'
import { createAskedThread, type AskedThread } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import { readBlob, type BlobReading } from '../read-blob.ts'
import type { ReplayRecord, SegmentRecord } from '../replay.ts'
import { isPlayable } from '../segment-rules.ts'
import type { TestRequest } from './repro-thread.ts'

/** What a test is made of. */
export interface TestSource {
  readonly record: ReplayRecord
  /** In the order in which they are played. */
  readonly segments: readonly SegmentRecord[]
  /** The error that the test waits for; null for none. */
  readonly error: ReplayEventRecord | null
  readonly settings: Pick<ProjectSettings, 'scrubbing'>
}

/** Makes one test after the other. */
export type TestMaking = AskedThread<TestRequest, ReplayTest | null>

export const createTestMaking = (): TestMaking =>
  createAskedThread({
    entry: new URL('./repro-thread.ts', import.meta.url),
    does: 'makes tests from replays',
    answerMs: LIMITS.REPLAY_TEST_MS,
  })

/** What may lead to the error: as far back from it as one test reads, from the first whole page on. */
const chosen = (segments: readonly SegmentRecord[], until: number): readonly SegmentRecord[] => {
  const before = segments.filter((one) => isPlayable(one) && one.from <= until + LIMITS.REPLAY_TEST_LATE_MS)
  let bytes = 0
  let first = before.length
  while (first > 0) {
    bytes += before[first - 1]?.rawBytes ?? 0
    if (bytes > LIMITS.REPLAY_TEST_BYTES) break
    first -= 1
  }
  const within = before.slice(first)
  const page = within.findIndex(({ hasSnapshot }) => hasSnapshot)
  return page === -1 ? [] : within.slice(page)
}

const counted = (segments: number): string => `${segments} ${segments === 1 ? 'segment' : 'segments'}`

const notesOf = (
  segments: readonly SegmentRecord[],
  { read, gone }: { readonly read: readonly SegmentRecord[]; /** Of these. */ readonly gone: number },
  until: number,
): string[] => {
  const notes: string[] = []
  const begin = read[0]
  const earlier = segments.filter((one) => begin !== undefined && one.from < begin.from).length
  if (earlier > 0) notes.push(`What stands in the first ${counted(earlier)} of the replay: the test begins behind.`)
  const broken = gone + segments.filter((one) => one.from <= until && !isPlayable(one)).length
  if (broken > 0) notes.push(`What stands in ${counted(broken)} of the replay, which cannot be read.`)
  const numbers = new Set(segments.map(({ segmentId }) => segmentId))
  const lost = Math.max(-1, ...read.map(({ segmentId }) => segmentId)) + 1 - numbers.size
  if (lost > 0) notes.push(`What stands in ${counted(lost)} of the replay, which never came.`)
  return notes
}

const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

const surroundings = ({ browser, os }: ReplayRecord): string =>
  words(words(browser.name, browser.version), os.name === '' ? '' : `on ${words(os.name, os.version)}`)

/** Null where no page was recorded before the error. @throws ThreadEnded */
export const makeTest = async (
  reading: BlobReading,
  making: Pick<TestMaking, 'ask'>,
  { record, segments, error, settings }: TestSource,
): Promise<ReplayTest | null> => {
  const until = (error?.at ?? record.finishedAt) + LIMITS.REPLAY_TEST_CLOCKS_MS
  const read = chosen(segments, until)
  const sent: { readonly payload: Uint8Array; readonly shift: number }[] = []
  for (const { blobKey, shift } of read) {
    const payload = await readBlob(reading, blobKey)
    if (payload !== null) sent.push({ payload, shift })
  }
  const facts = {
    replayId: record.replayId,
    startedAt: record.startedAt,
    browser: surroundings(record),
    error: error === null ? null : { title: error.title, at: error.at },
    notes: notesOf(segments, { read, gone: read.length - sent.length }, until),
  }
  return making.ask({ segments: sent, until, facts, settings: { scrubbing: settings.scrubbing } })
}
