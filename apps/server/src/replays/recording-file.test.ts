import { expect, it } from 'vitest'
import { createFilesUnderWay, roomFor } from '../http/files-under-way.ts'
import { createRecordings, says } from './playback/playback.fixture.ts'
import { DamagedBlob } from '../lib/store-fault.ts'
import { silentLogger } from '../storage/conformance/engines.ts'
import { segmentsFile } from './recording-file.ts'
import { START } from './replay.fixture.ts'

const SEGMENTS = 40
/** Of the one that is being sent, and of the one that waits for it to be taken. */
const HELD_SEGMENTS = 2

it('R113 a whole recording is sent segment by segment: one is read when the ones before it were taken', async () => {
  const recordings = createRecordings()
  const recorded = Array.from({ length: SEGMENTS }, (_, number) => [says(START + number, `${number} `.repeat(50_000))])
  const segments = recorded.map((events, number) =>
    recordings.segment(`blob-${number}`, events, { rawBytes: Buffer.byteLength(JSON.stringify(events)) }),
  )
  const file = segmentsFile({ blobs: recordings.blobs, logger: silentLogger }, segments)
  const response = createFilesUnderWay().take('1', roomFor(file)).send(file, {})

  const taken: Uint8Array[] = []
  let bytes = 0
  let most = 0
  for await (const piece of response.body ?? []) {
    taken.push(piece)
    bytes += piece.byteLength
    let [whole, end] = [0, 1]
    for (const { rawBytes } of segments) {
      end += rawBytes + 1
      if (end <= bytes) whole += 1
    }
    most = Math.max(most, recordings.asked.length - whole)
  }
  expect(most).toBeLessThanOrEqual(HELD_SEGMENTS)
  expect(bytes).toBe(file.byteLength)
  expect(JSON.parse(Buffer.concat(taken).toString())).toEqual(recorded)
})

it('R113 a damaged segment is an empty list in its place: the others are sent whole', async () => {
  const recordings = createRecordings()
  const recorded = ['one', 'two', 'three'].map((words, number) => [says(START + number, words)])
  const segments = recorded.map((events, number) =>
    recordings.segment(`blob-${number}`, events, { rawBytes: Buffer.byteLength(JSON.stringify(events)) }),
  )
  const { get } = recordings.blobs
  const blobs = {
    get: (key: string) =>
      key === 'blob-1' ? Promise.reject(new DamagedBlob('cut off', { cause: new Error('cut off') })) : get(key),
  }
  const file = segmentsFile({ blobs, logger: silentLogger }, segments)
  if (!('pieces' in file)) throw new Error('no pieces')
  const taken: Uint8Array[] = []
  for await (const piece of file.pieces) taken.push(piece)
  const text = Buffer.concat(taken)
  expect(JSON.parse(text.toString())).toEqual([recorded[0], [], recorded[2]])
  expect(text.byteLength).toBe(file.byteLength)
})
