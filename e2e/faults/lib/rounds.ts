import type { Account } from '../../../tools/harness/server.ts'
import { until } from '../../lib/until.ts'
import { startFirsthand } from './firsthand.ts'
import type { Firsthand } from './firsthand.ts'
import { makeSent, sendOne, startLoad } from './load.ts'
import type { Ledger, Sent } from './load.ts'
import { ledgerRows, waitForEvent } from './stores.ts'

const DIGEST_MS = 60_000
/** A machine under load digests what many crashes left behind slowly. */
const SETTLE_MS = 300_000

/**
 * So many times: load, kill -9 of everything at a random instant, start again on the same data folder. What got no answer
 * is sent again after the restart for one half, as a careful sender does, so that duplicates are put to the test as well.
 * Every second kill waits until the digest works, so that it meets ledger and telemetry in the midst of a batch.
 * At the end everything that was accepted is settled.
 *
 * @param options.running the server before, and at any time the one that runs now: the caller ends it, whatever happens
 * @param options.random 0…1
 * @param options.loadMs bounds of the time under load before each kill
 * @returns seconds from each start until `/_health/` answered 200
 */
export const crashRounds = async (options: {
  readonly running: { server: Firsthand }
  readonly account: Account
  readonly rounds: number
  readonly connections: number
  readonly sent: Ledger
  readonly random: () => number
  readonly loadMs: readonly [number, number]
  readonly onRound?: (round: number) => void
}): Promise<number[]> => {
  const { account, connections, running, sent, random } = options
  const { dataDir, port } = running.server
  const [shortest, longest] = options.loadMs
  const startSeconds: number[] = []
  let again: Sent[] = []
  let index = 0
  for (let round = 0; round < options.rounds; round += 1) {
    const load = startLoad(port, connections, sent, () => again.pop() ?? makeSent(account, index++))
    // The random instant must not come before the server does something.
    await until('the first answers', () => Promise.resolve(load.answered() > 20 ? true : null), 60_000)
    // Every second kill meets a digest that is at work, the others may come before it has begun.
    if (round % 2 === 1) await untilDigesting(dataDir)
    await new Promise((resolve) => {
      setTimeout(resolve, shortest + random() * (longest - shortest))
    })
    await running.server.killAll()
    await load.stop()
    again = [...sent.doubtful.values()].filter((entry) => entry.cargo === 'event' && random() < 0.5)
    const started = performance.now()
    running.server = await startFirsthand({ dataDir, port })
    startSeconds.push((performance.now() - started) / 1000)
    options.onRound?.(round + 1)
  }
  const last = makeSent(account, index, 'event')
  if ((await sendOne(port, last, sent)) !== 200) throw new Error('the last event was refused')
  try {
    await waitForEvent(running.server, last.id, SETTLE_MS)
  } catch (error) {
    throw new Error(`${String(error)}\n${running.server.stderr().slice(-4000)}`, { cause: error })
  }
  return startSeconds
}

/** Resolves when the digest has finished a batch since now. */
const untilDigesting = async (dataDir: string): Promise<void> => {
  const batch = (): number => ledgerRows<{ batch: number }>(dataDir, 'SELECT batch FROM digest_progress')[0]?.batch ?? 0
  const before = batch()
  await until('a digested batch', () => Promise.resolve(batch() > before ? true : null), DIGEST_MS)
}
