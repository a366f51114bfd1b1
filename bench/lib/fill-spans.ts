import { DAY_SECONDS, DAYS, withCopies } from './filled-stores.ts'

/** A copy is made in so many statements, each for the hours after the one before. */
const STEPS = 4

interface Step {
  readonly copy: number
  readonly step: number
  /** Its place among all, from 0 to 1: the first has the oldest spans. */
  readonly place: number
  /** How long the spans of one step are spread over. */
  readonly seconds: number
}

/** What differs from the row that is copied, the same for all rows of a trace. What is copied came within a day; copies are older. */
const differences = (table: string, { copy, place, seconds }: Step): readonly string[] => {
  const another = (id: string): string => `if(${table}.${id} = 0, 0, sipHash64(${table}.${id}, ${copy})) AS ${id}`
  const age = Math.floor(DAY_SECONDS + (1 - place) * (DAYS - 1) * DAY_SECONDS)
  const earlier = `toIntervalSecond(${age} - sipHash64(${table}.trace_id, ${copy}) % ${Math.ceil(seconds)})`
  return [
    `reinterpretAsUUID(sipHash128(${table}.trace_id, ${copy})) AS trace_id`,
    another('span_id'),
    ...(table === 'spans' ? [another('parent_span_id'), another('segment_id')] : []),
    `${table}.timestamp - ${earlier} AS timestamp`,
    `concat('id:', toString(sipHash64(${table}.user, ${table}.trace_id, ${copy}) % 20000)) AS user`,
  ]
}

/**
 * Copies the spans of the last day until there are so many, spread over two weeks, with ids, times and users of
 * their own.
 *
 * @param dataDir of a server that has stopped
 * @param stored spans that are there
 */
export const fillSpans = (
  { dataDir, stored, wanted }: { readonly dataDir: string; readonly stored: number; readonly wanted: number },
  onProgress: (stored: number) => void,
): Promise<void> =>
  withCopies(dataDir, async (copyRows) => {
    const copyOf = (table: string, at: Step): Promise<unknown> =>
      copyRows(`INSERT INTO ${table}
        SELECT * REPLACE (${differences(table, at).join(', ')}) FROM ${table}
        WHERE ${table}.timestamp > now() - INTERVAL 1 DAY AND sipHash64(${table}.trace_id) % ${STEPS} = ${at.step}`)
    const copies = Math.ceil(wanted / stored) - 1
    const seconds = ((DAYS - 1) * DAY_SECONDS) / (copies * STEPS)
    for (let copy = 0; copy < copies; copy += 1) {
      for (let step = 0; step < STEPS; step += 1) {
        const at = { copy, step, place: (copy * STEPS + step) / (copies * STEPS), seconds }
        await copyOf('spans', at)
        await copyOf('segments', at)
      }
      onProgress((copy + 2) * stored)
    }
  })
