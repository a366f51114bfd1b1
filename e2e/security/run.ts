import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setUpAnother } from '../lib/account.ts'
import { endServersOnSignal, freshFolder, removeFolder, setUp, startFirsthand } from '../faults/lib/firsthand.ts'
import type { Firsthand } from '../faults/lib/firsthand.ts'
import { controlAuthorisation, probeAuthorisation, probeIngest, probePages } from './lib/authorisation.ts'
import { probeHostileReads } from './lib/hostile-reads.ts'
import { runMutation } from './lib/mutation.ts'
import { seedOf } from './lib/random.ts'
import { buildWorld } from './lib/world.ts'

/**
 * `npm run test:security`: all of it, with figures. Ends with 1 when a promise does not hold.
 *
 *     FIRSTHAND_SEED=7        the same choices again
 *     FIRSTHAND_REQUESTS=1000 fewer mutated requests
 *     --write                 puts the figures into docs/security-figures.md
 */
const REQUESTS = Number(process.env['FIRSTHAND_REQUESTS'] ?? 100_000)
const READS = Math.min(5000, REQUESTS)
const MUTATION_SECONDS = 420
/** One hole may show in a thousand probes. */
const FAILURES_SHOWN = 40

const seed = seedOf()
const figures: string[] = []
const failures: string[] = []

const say = (line: string): void => {
  figures.push(line)
  process.stdout.write(`${line}\n`)
}

const withServer = async (work: (server: Firsthand) => Promise<void>): Promise<void> => {
  const dataDir = freshFolder()
  const server = await startFirsthand({
    dataDir,
    environment: { FIRSTHAND_LOG_LEVEL: 'warn', FIRSTHAND_REACHABLE_RANGES: '127.0.0.1' },
  })
  try {
    await work(server)
  } finally {
    await server.killAll()
    removeFolder(dataDir)
  }
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): void => {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  for (const row of [head, head.map(() => '---'), ...rows]) say(line(row))
  say('')
}

const authorisation = async (): Promise<void> => {
  await withServer(async (server) => {
    const world = await buildWorld(server)
    const pages = await probePages(world)
    const ingest = await probeIngest(world)
    const reads = await probeHostileReads(world, READS, seed)
    const api = await probeAuthorisation(world, world.principals)
    const control = await controlAuthorisation(world)
    const all = [...api.failures, ...pages.failures, ...ingest.failures, ...reads.failures, ...control]
    failures.push(...all)
    const total = [...api.probes, ...pages.probes, ...ingest.probes].reduce((sum, [, count]) => sum + count, 0)
    say('### Every route × every principal\n')
    say(
      `${api.endpoints} calls of the API (older addresses included), ${pages.endpoints} pages, ${ingest.endpoints} ingest routes: ${total} probes.\n`,
    )
    const names = [...api.probes.keys(), ...ingest.probes.keys()]
    const wrongOf = (name: string): number =>
      [...api.failures, ...pages.failures, ...ingest.failures].filter(
        (failure) => failure.startsWith(`${name}:`) || failure.startsWith(`${name} changed `),
      ).length
    table(
      ['principal', 'probes', 'wrong'],
      names.map((name) => [
        name,
        (api.probes.get(name) ?? 0) + (pages.probes.get(name) ?? 0) + (ingest.probes.get(name) ?? 0),
        wrongOf(name),
      ]),
    )
    say(`The owner then did each of these calls once, as a control: ${control.length} did not work.\n`)
    say('### Hostile reads\n')
    table(['reads', 'answers by status', 'wrong'], [[reads.reads, describe(reads.statuses), reads.failures.length]])
  })
}

const describe = (statuses: Readonly<Record<string, number>>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')

const mutation = async (): Promise<void> => {
  await withServer(async (server) => {
    const counted = await setUp(server.dataDir, server.port)
    const another = (organization: string, project: string) =>
      setUpAnother(server, {
        email: `owner@${organization}.example`,
        password: 'another long passphrase',
        organization,
        project,
      })
    const other = await another('zeta', 'mill')
    const canary = await another('birds', 'tree')
    const result = await runMutation({
      server,
      counted,
      other,
      canary,
      requests: REQUESTS,
      maxSeconds: MUTATION_SECONDS,
      seed,
    })
    failures.push(...result.failures)
    say('### Mutated requests\n')
    table(
      ['what', 'figure'],
      [
        ['requests', result.requests],
        ['answers by status', describe(result.statuses)],
        ['slowest answer', `${result.slowestMs} ms`],
        ['items in', result.itemsIn],
        ['outcomes out', result.outcomesOut],
        ['canaries answered 200, each found once', result.canaries],
        ['memory before and after', `${result.memoryBeforeMiB} MiB, ${result.memoryAfterMiB} MiB`],
        ['seconds', result.seconds],
        ['wrong', result.failures.length],
      ],
    )
  })
}

endServersOnSignal()
process.stdout.write(`Seed ${seed} (FIRSTHAND_SEED repeats it)\n\n`)
await authorisation()
await mutation()

for (const failure of failures.slice(0, FAILURES_SHOWN)) process.stdout.write(`${failure}\n`)
process.stdout.write(`\n${failures.length === 0 ? 'Every promise holds.' : `${failures.length} failures.`}\n`)

if (process.argv.includes('--write')) {
  const date = new Date().toISOString().slice(0, 10)
  const text = [
    '# Figures: security',
    '',
    `Written by \`FIRSTHAND_SEED=${seed} npm run test:security -- --write\` on ${date}. \`SECURITY.md\` says what they are about.`,
    '',
    ...figures,
    ...(failures.length === 0
      ? []
      : ['### What does not hold\n', ...failures.slice(0, FAILURES_SHOWN).map((failure) => `- ${failure}`)]),
  ].join('\n')
  writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'security-figures.md'), `${text.trimEnd()}\n`)
}
process.exitCode = failures.length === 0 ? 0 : 1
