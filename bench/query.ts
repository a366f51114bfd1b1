/**
 * How fast lists, searches and events answer with a million events stored, through the HTTP API, beside the bare engine
 * answering the question underneath; how long a start takes; what the events take on disk.
 *
 *   npm run bench:query                          1,000,000 events (some minutes of filling)
 *   npm run bench:query -- 100000                fewer
 *   npm run bench:query -- 100000 /some/folder   kept there: filled when it is empty, else only asked
 *
 * The stores are filled directly, not by HTTP: see lib/fill-stores.ts.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fillStores } from './lib/fill-stores.ts'
import { engineQueryTimes } from './lib/floor-engine.ts'
import { quantile } from './lib/http-load.ts'
import { number, table, writeSection } from './lib/results.ts'
import { type Account, diskBytes, residentBytes, type RunningServer, startServer } from '../tools/harness/server.ts'

const wanted = Number(process.argv[2] ?? 1_000_000)
const kept = process.argv[3]
const DAYS = 14
const ROUNDS = 60

interface Measured {
  readonly name: string
  readonly times: Float64Array
  /** The slowest of the first requests: nothing of them was remembered. */
  readonly first: number
}

const measure = async (name: string, paths: readonly string[], server: RunningServer): Promise<Measured> => {
  const ask = async (path: string): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/0${path}`, {
      headers: { authorization: `Bearer ${server.account.token}` },
    })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`)
  }
  let first = 0
  for (const path of paths) {
    const started = performance.now()
    await ask(path)
    first = Math.max(first, performance.now() - started)
  }
  const times = new Float64Array(ROUNDS)
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    await ask(paths[round % paths.length] as string)
    times[round] = performance.now() - started
  }
  return { name, first, times: times.sort() }
}

/** A folder with everything in it, and who may ask; `setup` would make the token anew. */
const prepare = async (): Promise<{ dataDir: string; account: Account }> => {
  const note = kept === undefined ? null : `${kept}.json`
  if (kept !== undefined && note !== null && existsSync(note)) {
    return { dataDir: kept, account: JSON.parse(readFileSync(note, 'utf8')) as Account }
  }
  if (kept !== undefined) mkdirSync(kept, { recursive: true })
  const first = await startServer(kept === undefined ? {} : { dataDir: kept })
  await first.stop()
  const { dataDir, account } = first
  await fillStores({
    dataDir,
    organizationId: 1,
    projectId: Number(account.projectId),
    events: wanted,
    days: DAYS,
    onProgress: (stored) => process.stderr.write(`\rfilled ${number(stored)} of ${number(wanted)}`),
  })
  process.stderr.write('\n')
  if (note !== null) writeFileSync(note, JSON.stringify(account))
  return { dataDir, account }
}

const { dataDir, account } = await prepare()
const server: RunningServer = { ...(await startServer({ dataDir, setUp: false })), account }
const { organization } = server.account
const issues = `/organizations/${organization}/issues/`
const listed = (await (
  await fetch(`http://127.0.0.1:${server.port}/api/0${issues}?query=is:unresolved&limit=100`, {
    headers: { authorization: `Bearer ${server.account.token}` },
  })
).json()) as { id: string }[]
const search = (query: string, more = 'statsPeriod=14d'): string =>
  `${issues}?query=${encodeURIComponent(query)}&${more}&limit=25`

const measured = [
  await measure(
    'issue list, 14 days',
    [search('is:unresolved'), search('is:unresolved', 'statsPeriod=14d&environment=production')],
    server,
  ),
  await measure(
    'issue list, 24 hours',
    [search('is:unresolved', 'statsPeriod=24h'), search('is:unresolved level:warning', 'statsPeriod=24h')],
    server,
  ),
  await measure('issue list, sorted by events', [search('is:unresolved', 'statsPeriod=14d&sort=freq')], server),
  await measure(
    'search: free text',
    ['charge of billing', 'is not mergeable', 'validate', 'PaymentDeclined', 'reserve of stock'].map((text) =>
      search(text),
    ),
    server,
  ),
  await measure(
    'search: tag and release',
    ['plan:pro', 'release:shop-web@2.3.*', 'user.email:user42@example.com', '!region:eu'].map((text) =>
      search(`is:unresolved ${text}`),
    ),
    server,
  ),
  await measure(
    'event, latest of an issue',
    listed.slice(0, 40).map(({ id }) => `${issues}${id}/events/latest/`),
    server,
  ),
  await measure(
    'tags of an issue',
    listed.slice(0, 20).map(({ id }) => `${issues}${id}/tags/`),
    server,
  ),
]
const TAGS = ['browser', 'environment', 'plan', 'region', 'release', 'url', 'user']
const compared = `tags-compared/?${TAGS.map((key) => `key=${key}`).join('&')}&statsPeriod=14d`
measured.push(
  await measure(
    'tags of an issue, compared with the other events of its project',
    listed.slice(0, 20).map(({ id }) => `${issues}${id}/${compared}`),
    server,
  ),
)
const memory = residentBytes(server.process.pid ?? 0)
const disk = diskBytes(server.dataDir)
await server.stop()
const engine = await engineQueryTimes(server.dataDir)
if (kept === undefined) server.remove()

const bytes = Object.values(disk).reduce((sum, part) => sum + part, 0)
const report = [
  table(
    ['request', 'first ms', 'p50 ms', 'p95 ms', 'max ms'],
    measured.map(({ name, first, times }) => [
      name,
      number(first, 1),
      number(quantile(times, 0.5), 1),
      number(quantile(times, 0.95), 1),
      number(times.at(-1) ?? 0, 1),
    ]),
  ),
  table(
    ['bare engine, same data', 'p50 ms', 'p95 ms'],
    engine.map(({ name, times }) => [name, number(quantile(times, 0.5), 1), number(quantile(times, 0.95), 1)]),
  ),
  `${number(wanted)} events of 4 kB in ${number(listed.length)}+ issues, filled directly (lib/fill-stores.ts). Start until ready: ${number(server.startSeconds, 2)} s. Memory after the queries: ${number(memory / 2 ** 20)} MiB. Disk: ${number(bytes / wanted)} B/event (${Object.entries(
    disk,
  )
    .map(([name, size]) => `${name} ${number(size / wanted)}`)
    .join(', ')}).`,
].join('\n\n')
process.stdout.write(`${report}\n`)
writeSection('Query', report)
