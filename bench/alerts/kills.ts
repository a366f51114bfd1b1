import { alertEnvironment, alertRounds } from '../../e2e/faults/lib/alert-rounds.ts'
import { freshFolder, removeFolder, setUp, startFirsthand } from '../../e2e/faults/lib/firsthand.ts'
import { randomFrom } from '../events.ts'
import { number, table, writeSection } from '../lib/results.ts'

const ROUNDS = 100
const ERRORS_A_ROUND = 4

/** Kills the server and its engine at random instants while rules fire, again and again on one data folder. */
export const measureKills = async (rounds: number = ROUNDS): Promise<void> => {
  const dataDir = freshFolder()
  const running = { server: await startFirsthand({ dataDir, environment: alertEnvironment }) }
  try {
    const { causes, repeated, wrong } = await alertRounds({
      running,
      account: await setUp(dataDir, running.server.port),
      rounds,
      errorsARound: ERRORS_A_ROUND,
      killWithinMs: 1500,
      random: randomFrom(Date.now() % 2 ** 31),
      onRound: (round) => process.stdout.write(`round ${round} of ${rounds}\n`),
    })
    for (const line of wrong.slice(0, 50)) process.stdout.write(`  ${line}\n`)
    const body = table(
      ['A26 kill -9 rounds', 'transitions', 'not once', 'messages that came again under their id'],
      [[number(rounds), number(causes), number(wrong.length), number(repeated)]],
    )
    process.stdout.write(`${body}\n`)
    if (rounds >= ROUNDS) writeSection('Alerts and kills', body)
    process.exitCode = wrong.length === 0 ? 0 : 1
  } finally {
    await running.server.killAll()
    removeFolder(dataDir)
  }
}
