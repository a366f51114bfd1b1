import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { waitForDigest } from './digested.ts'
import { sendAll } from './http-load.ts'
import { number, table } from './results.ts'
import { cpuByStage, type RunningServer } from '../../tools/harness/server.ts'

/** What measurements of things that come many to an item have in common: spans, log lines. */

export const CONNECTIONS = 16
const ROUNDS = 30

/** Requests a second of a bare HTTP server that parses the same bodies. */
export const httpFloor = async (requests: readonly Buffer[]): Promise<number> => {
  const child = fork(join(import.meta.dirname, 'floor-http.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [address] = (await once(child, 'message')) as [{ port: number }]
  const result = await sendAll(address.port, requests, CONNECTIONS)
  child.disconnect()
  return result.ok / result.seconds
}

export const ask = async <Body>({ port, account }: RunningServer, path: string): Promise<Body> => {
  const url = `http://127.0.0.1:${port}/api/0/organizations/${account.organization}${path}`
  // A connection of its own: the server may have closed an idle one a moment ago.
  const answer = await fetch(url, { headers: { authorization: `Bearer ${account.token}`, connection: 'close' } })
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

/** Things that are stored: a receipt is written with the rows that it is for. */
export const stored = async (server: RunningServer, itemType: string): Promise<number> => {
  const { totals } = await ask<{ totals: { readonly quantity: number }[] }>(
    server,
    `/receipts/?statsPeriod=1h&itemType=${itemType}&outcome=accepted`,
  )
  return totals.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** Waits until everything that was accepted is stored. @throws Error when fewer things were stored than were sent */
export const waitForStored = async (server: RunningServer, itemType: string, count: number): Promise<void> => {
  await waitForDigest(server.dataDir)
  const now = await stored(server, itemType)
  if (now < count) throw new Error(`${now} of ${count} of ${itemType} were stored`)
}

/** Ascending. */
export const timesOf = async (work: () => Promise<unknown>, rounds = ROUNDS): Promise<Float64Array> => {
  const times = new Float64Array(rounds)
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    await work()
    times[round] = performance.now() - started
  }
  return times.toSorted()
}

/** What things cost the processor, by stage. */
export const createStages = (pid: number) => {
  const seconds = new Map<string, number>()
  return {
    /** While this goes on, it counts. */
    during: async (work: () => Promise<void>): Promise<void> => {
      const before = cpuByStage(pid)
      await work()
      for (const [stage, now] of Object.entries(cpuByStage(pid))) {
        seconds.set(stage, (seconds.get(stage) ?? 0) + now - (before[stage] ?? 0))
      }
    },
    of: (stage: string): number => seconds.get(stage) ?? 0,
    total: (): number => [...seconds.values()].reduce((sum, one) => sum + one, 0),
    /** @param things that were stored meanwhile */
    report: (things: number, thing: string): string =>
      table(
        ['stage', `CPU µs/${thing}`],
        [...seconds].map(([stage, used]) => [stage, number((used / things) * 1e6, 1)]),
      ),
  }
}
