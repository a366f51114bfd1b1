import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * The floor for storing: the engine alone, in a process of its own, inserting the rows that Firsthand has stored, in
 * batches of the digest's size, into a table of the same shape.
 *
 * @param dataDir of a server that has stopped; the engine has one owner
 * @returns rows per second
 */
export const engineInsertRate = (
  dataDir: string,
  rows: number,
  table: 'events' | 'spans' | 'logs' = 'events',
): Promise<number> => inEngine<number>(['insert', join(dataDir, 'telemetry'), String(rows), table])

/** The floor for asking: the questions underneath the lists and searches, put to the engine alone. Milliseconds, sorted. */
export const engineQueryTimes = (dataDir: string): Promise<readonly { name: string; times: number[] }[]> =>
  inEngine(['query', join(dataDir, 'telemetry')])

const inEngine = async <Answer>(args: readonly string[]): Promise<Answer> => {
  const child = fork(join(import.meta.dirname, 'floor-engine-process.ts'), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [answer] = (await once(child, 'message')) as [Answer]
  if (child.exitCode === null) await once(child, 'exit')
  return answer
}
