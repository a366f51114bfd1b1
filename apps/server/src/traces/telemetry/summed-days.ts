import type { Question } from '../../lib/questions.ts'
import { weightOfShare, type SummedDays, type WholeDays } from '../../search/index.ts'

/** How days of spans are summed up (`span_days`), and how questions find spans and sums alike. */

/** How many spans one stands for. */
export const WEIGHT = weightOfShare('spans.sample_rate')

/** Spans that are equal in these, and last about as long, are one row. Each has few values. */
export const SUMMED_COLUMNS = [
  'organization_id',
  'project_id',
  'is_segment',
  'op',
  'status',
  'environment',
  'platform',
  'service',
] as const

/** A Float32 without the last bits: 64 steps from each power of two to the next. Its middle is within 0.8 % of all in it. */
const BITS = 17
export const DURATION_BUCKET = `toUInt16(bitShiftRight(reinterpretAsUInt32(toFloat32(spans.duration)), ${BITS}))`

/** The middle of a bucket, in microseconds. */
const middleOf = (bucket: string): string =>
  `reinterpretAsFloat32(bitOr(bitShiftLeft(toUInt32(${bucket}), ${BITS}), ${2 ** (BITS - 1)}))`

const SAME = SUMMED_COLUMNS.map((column) => `spans.${column} AS ${column}`)

export const DAYS_OF_SPANS: Question<WholeDays, readonly WholeDays['period'][]> = {
  name: 'whole days of spans',
  otherwise: [],
}

export const summedSpans: SummedDays = {
  table: 'span_days',
  name: 'spans',
  columns: SUMMED_COLUMNS,
  ofRow: [
    ...SAME,
    'toFloat64(spans.duration) AS duration',
    `${middleOf(DURATION_BUCKET)} AS about`,
    'toUInt64(1) AS rows',
    `toFloat64(${WEIGHT}) AS weight`,
    `toFloat64(${WEIGHT} * ${WEIGHT} - ${WEIGHT}) AS varied`,
  ],
  ofSum: [
    ...SAME,
    'spans.duration AS duration',
    `${middleOf('spans.bucket')} AS about`,
    'spans.rows AS rows',
    'spans.weight AS weight',
    'spans.varied AS varied',
  ],
  measured: { column: 'duration', exactly: 'spans.duration / 1000', about: 'spans.about / 1000' },
  whole: DAYS_OF_SPANS,
}
