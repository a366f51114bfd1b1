import { DAY_SECONDS, DAYS, withCopies } from './filled-stores.ts'

/** Of the lines that came, each statement copies so many parts of a hundred: it must end in its time. */
const STEPS = 4

/**
 * Copies the log lines of the last day until there are so many, spread over two weeks, with ids, times, traces and users of
 * their own. The words of their messages stay: an index of them is smaller than that of as many different messages.
 *
 * @param dataDir of a server that has stopped
 * @param stored lines that are there
 */
export const fillLogs = (
  { dataDir, stored, wanted }: { readonly dataDir: string; readonly stored: number; readonly wanted: number },
  onProgress: (stored: number) => void,
): Promise<void> =>
  withCopies(dataDir, async (copyRows) => {
    const copies = Math.ceil(wanted / stored) - 1
    const statements = copies * STEPS
    const seconds = Math.ceil(((DAYS - 1) * DAY_SECONDS) / statements)
    for (let copy = 0; copy < copies; copy += 1) {
      for (let step = 0; step < STEPS; step += 1) {
        // The oldest first, each statement for the time after the one before.
        const age = DAY_SECONDS + (statements - copy * STEPS - step - 1) * seconds
        const changed = [
          `reinterpretAsUUID(sipHash128(logs.trace_id, ${copy})) AS trace_id`,
          `bitXor(logs.id, sipHash64(${copy})) AS id`,
          `logs.timestamp - toIntervalSecond(${age} - sipHash64(logs.id, ${copy}) % ${seconds}) AS timestamp`,
        ]
        await copyRows(`INSERT INTO logs
          SELECT * REPLACE (${changed.join(', ')}) FROM logs
          WHERE logs.timestamp > now() - INTERVAL 1 DAY AND sipHash64(logs.id) % ${STEPS} = ${step}`)
      }
      onProgress((copy + 2) * stored)
    }
  })
