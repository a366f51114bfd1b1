import { randomBytes } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { startReceiver } from '../../../apps/server/src/channels/test/receiver.ts'
import type { Account } from '../../../tools/harness/server.ts'
import { until } from '../../lib/until.ts'
import { alertEnvironment, createAccepted, createApi, envelopeOf, type Cause } from './alert-rounds.ts'
import { startFirsthand, type Firsthand } from './firsthand.ts'
import { post } from './send.ts'
import { ledgerRows } from './stores.ts'

/**
 * Issues that alerts told of are resolved and opened again over and over, some before that they are over is told and some
 * after it, while the server dies. Whoever listens hears of a beginning, its end, and that it is not over, always in turn.
 */

const KILL_WITHIN_MS = 900
const SETTLE_MS = 120_000

interface Told {
  readonly stage: string
  readonly headline: string
}

/** What was told of each issue, the oldest first, each message once. */
const toldOf = (accepted: ReadonlyMap<string, string>, index: number): readonly Told[] =>
  [...accepted.values()].flatMap((body) => {
    const { data } = JSON.parse(body) as { readonly data: Told }
    return body.includes(`Cause${index}Z`) ? [data] : []
  })

const inTurn = (told: readonly Told[]): boolean =>
  told.every(({ headline, stage }, place) => {
    if (place % 2 === 1) return stage === 'over'
    return stage === 'first' && (place === 0 || headline.startsWith('Not over after all'))
  })

// long: what people do in a round, with what they share
export const undoRounds = async (options: {
  readonly running: { server: Firsthand }
  readonly account: Account
  readonly rounds: number
  readonly issues: number
  /** 0…1 */
  readonly random: () => number
}): Promise<{ readonly ends: number; readonly wrong: readonly string[] }> => {
  const { account, random, rounds, running } = options
  const { dataDir, port } = running.server
  const receiver = await startReceiver()
  const { accepted, answer } = createAccepted(random)
  receiver.answer = ({ body, headers }, response) => {
    response.on('error', () => undefined)
    void answer(String(headers['webhook-id']), body).then(() => response.writeHead(200).end('{}'))
  }
  const api = createApi(running.server, account)
  const causes = Array.from({ length: options.issues }, (_, index): Cause => {
    return { index, eventId: randomBytes(16).toString('hex'), isAcknowledged: false }
  })
  const all = (what: string, isSo: (told: readonly Told[], index: number) => boolean): Promise<true> =>
    until(
      what,
      () => Promise.resolve(causes.every(({ index }) => isSo(toldOf(accepted, index), index)) ? true : null),
      SETTLE_MS,
    )
  const issueOf = (index: number): number => {
    const rows = ledgerRows<{ id: number }>(dataDir, `SELECT id FROM issues WHERE title LIKE '%Cause${index}Z%'`)
    return rows[0]?.id ?? 0
  }
  /** Somebody who gets no answer tries again: what is so already is not changed a second time. */
  const change = async (ids: readonly number[], status: 'resolved' | 'unresolved'): Promise<void> => {
    await until(`issues to be ${status}`, async () => {
      const changed = ids.map((id) => api(`/issues/${id}/`, { status }, 'PUT'))
      return (await Promise.allSettled(changed)).every((one) => one.status === 'fulfilled') ? true : null
    })
  }
  const die = async (): Promise<void> => {
    await pass(random() * KILL_WITHIN_MS)
    await running.server.killAll()
    running.server = await startFirsthand({ dataDir, port, environment: alertEnvironment })
  }
  try {
    for (const { index } of causes) {
      const secrets = { url: `${receiver.url}/${index}` }
      const channel = { kind: 'webhook', name: `Channel ${index}`, settings: { format: 'firsthand' }, secrets }
      await api('/alerts/', {
        name: `Rule ${index}`,
        query: `error.type:Cause${index}Z`,
        trigger: { source: 'happened', kinds: ['issue_opened'] },
        actions: [{ kind: 'channel', channelId: (await api('/channels/', channel)).id }],
        frequencyMinutes: 0,
      })
    }
    for (const cause of causes) {
      const path = `/api/${account.projectId}/envelope/?sentry_version=7&sentry_key=${new URL(account.dsn).username}`
      await post(port, path, envelopeOf(cause))
    }
    await all('each to be told', (told) => told.length === 1)
    const ids = causes.map(({ index }) => issueOf(index))
    for (let round = 0; round < rounds; round += 1) {
      const [soon, late] = [ids.filter((id) => id % 2 === 0), ids.filter((id) => id % 2 === 1)]
      const isLate = ({ index }: Cause): boolean => late.includes(ids[index] ?? 0)
      const before = new Map(causes.map(({ index }) => [index, toldOf(accepted, index).length]))
      await Promise.all([change(ids, 'resolved'), die()])
      await Promise.all([change(soon, 'unresolved'), die()])
      await all('ends to be told', (told, index) => {
        const cause = causes[index]
        return cause === undefined || !isLate(cause) || told.length > (before.get(index) ?? 0)
      })
      await Promise.all([change(late, 'unresolved'), die()])
      // In turn: each ends with a message that it goes on.
      await all('that they are not over to be told', (told) => told.length % 2 === 1)
    }
    await until('all that is to be sent', () => {
      const waiting = ledgerRows<{ n: number }>(
        dataDir,
        `SELECT (SELECT count(*) FROM outbox WHERE due_at IS NOT NULL)
              + (SELECT count(*) FROM alert_incidents WHERE over_due_at IS NOT NULL) AS n`,
      )
      return Promise.resolve(waiting[0]?.n === 0 ? true : null)
    })
    const open = ledgerRows<{ n: number }>(
      dataDir,
      "SELECT count(*) AS n FROM alert_incidents WHERE ended_at IS NULL AND rule_name LIKE 'Rule %'",
    )
    const told = causes.map(({ index }) => toldOf(accepted, index))
    return {
      ends: told.flat().filter(({ stage }) => stage === 'over').length,
      wrong: [
        ...told.flatMap((one, index) =>
          inTurn(one)
            ? []
            : [`issue ${index} was told: ${one.map(({ headline, stage }) => `${stage} ${headline}`).join(', ')}`],
        ),
        ...(open[0]?.n === causes.length ? [] : [`${open[0]?.n} of ${causes.length} incidents go on`]),
      ],
    }
  } finally {
    await receiver.close()
  }
}
