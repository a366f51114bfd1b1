/**
 * Kills the server and its engine (SIGKILL) at random instants under load, again and again on one data folder. In the end
 * everything that was acknowledged is looked for in both stores.
 *
 *   npm run bench:crash               100 rounds
 *   npm run bench:crash -- 20
 */
import { freshFolder, removeFolder, setUp, startFirsthand } from '../e2e/faults/lib/firsthand.ts'
import { createLedger } from '../e2e/faults/lib/load.ts'
import { crashRounds } from '../e2e/faults/lib/rounds.ts'
import { readStored } from '../e2e/faults/lib/stores.ts'
import { judge } from '../e2e/faults/lib/verdict.ts'
import { randomFrom } from './events.ts'
import { quantile } from './lib/http-load.ts'
import { number, table, writeSection } from './lib/results.ts'

const rounds = Number(process.argv[2] ?? 100)
if (!Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write('Usage: node bench/crash.ts [rounds]\n')
  process.exit(2)
}

const CONNECTIONS = 16
const dataDir = freshFolder()
const seed = Date.now() % 2 ** 31
const sent = createLedger()
const running = { server: await startFirsthand({ dataDir }) }
try {
  const account = await setUp(dataDir, running.server.port)
  const startSeconds = await crashRounds({
    running,
    account,
    rounds,
    connections: CONNECTIONS,
    sent,
    random: randomFrom(seed),
    loadMs: [0, 2000],
    onRound: (round) => process.stdout.write(`round ${round} of ${rounds}: ${sent.acknowledged.size} acknowledged\n`),
  })
  const stored = await readStored(running.server)
  const { lost, doubled, wrong } = judge(sent, stored)
  for (const finding of [...lost, ...doubled, ...wrong].slice(0, 50)) process.stdout.write(`  ${finding}\n`)
  const starts = startSeconds.toSorted((a, b) => a - b)
  const body = table(
    [
      'kill -9 rounds',
      'acknowledged',
      'lost',
      'doubled',
      'not adding up',
      'unanswered, then stored',
      'start p50',
      'start max',
    ],
    [
      [
        number(rounds),
        number(sent.acknowledged.size),
        number(lost.length),
        number(doubled.length),
        number(wrong.length),
        number(
          [...sent.doubtful.values()].filter(({ id, cargo }) => cargo === 'event' && stored.telemetry.has(id)).length,
        ),
        `${number(quantile(starts, 0.5), 1)} s`,
        `${number(starts.at(-1) ?? Number.NaN, 1)} s`,
      ],
    ],
  )
  process.stdout.write(`${body}\n`)
  writeSection('Crash', body)
  process.exitCode = lost.length + doubled.length + wrong.length === 0 ? 0 : 1
} finally {
  await running.server.killAll()
  removeFolder(dataDir)
}
