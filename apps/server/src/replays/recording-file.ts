import type { FileContent } from '../http/index.ts'
import { readBlob, type BlobReading } from './read-blob.ts'
import { recordedText } from './read/decode-segment.ts'
import type { SegmentRecord } from './replay.ts'
import { isPlayable } from './segment-rules.ts'

/** What was recorded, as JSON, without reading it: a segment after the other, each as long as its row says. */

const NOTHING = Buffer.from('[]')
const [BEGIN, COMMA, END] = ['[', ',', ']'].map((sign) => Buffer.from(sign)) as [Buffer, Buffer, Buffer]

const lengthOf = (segment: SegmentRecord): number =>
  isPlayable(segment) ? Math.max(segment.rawBytes, NOTHING.byteLength) : NOTHING.byteLength

/** Events of one segment. What is not kept any more, or is damaged, is an empty list, in as many bytes as were promised. */
const textOf = async (reading: BlobReading, segment: SegmentRecord): Promise<Uint8Array> => {
  const length = lengthOf(segment)
  const payload = isPlayable(segment) ? await readBlob(reading, segment.blobKey) : null
  const text = payload === null ? null : await recordedText(payload)
  if (text?.ok === true && text.value.byteLength === length) return text.value
  return Buffer.concat([NOTHING, Buffer.alloc(length - NOTHING.byteLength, ' ')])
}

export const segmentFile = (reading: BlobReading, segment: SegmentRecord): Promise<FileContent> =>
  textOf(reading, segment)

/** A list of segments, of which one is held at a time. */
export const segmentsFile = (reading: BlobReading, segments: readonly SegmentRecord[]): FileContent => ({
  byteLength:
    BEGIN.byteLength +
    END.byteLength +
    segments.reduce((sum, segment) => sum + lengthOf(segment), 0) +
    Math.max(0, segments.length - 1) * COMMA.byteLength,
  pieces: (async function* () {
    yield BEGIN
    for (const [index, segment] of segments.entries()) {
      if (index > 0) yield COMMA
      yield await textOf(reading, segment)
    }
    yield END
  })(),
})
