import { randomBytes } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { startReceiver } from '../../../apps/server/src/channels/test/receiver.ts'
import type { Account } from '../../../tools/harness/server.ts'
import { until } from '../../lib/until.ts'
import { startFirsthand, type Firsthand } from './firsthand.ts'
import { post } from './send.ts'
import { ledgerRows } from './stores.ts'

/**
 * Errors of new kinds come, each with a rule of its own that tells a webhook, and the server dies over and over while they
 * are digested, evaluated, and told. The receiver does as receivers do: what it has under an id, it does not take again.
 */

/** Messages to one channel within an hour are few: the rules share so many. */
const CHANNELS = 50
const ANSWERS_WITHIN_MS = 200
const SETTLE_MS = 300_000

/** One error that a rule waits for. */
export interface Cause {
  readonly index: number
  readonly eventId: string
  isAcknowledged: boolean
}

export interface AlertVerdict {
  /** Errors, each of which is one transition of one rule. */
  readonly causes: number
  /** What is not as it should be, a line each. */
  readonly wrong: readonly string[]
  /** Messages that came again under an id that the receiver had. */
  readonly repeated: number
}

const CAUSE = /Cause(\d+)Z/

export const envelopeOf = ({ eventId, index }: Cause): string => {
  const type = `Cause${index}Z`
  const frames = [{ function: type, filename: '/app.js', lineno: 1, in_app: true }]
  const event = {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    exception: { values: [{ type, value: 'is new', stacktrace: { frames } }] },
  }
  return `{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}`
}

export const createApi =
  ({ port }: Firsthand, { organization, token }: Account) =>
  async (path: string, body: unknown, method: 'POST' | 'PUT' = 'POST'): Promise<{ readonly id: string }> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/0/organizations/${organization}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }

/** By the ids that receivers tell doubles by. */
export const createAccepted = (random: () => number) => {
  const accepted = new Map<string, string>()
  let repeated = 0
  return {
    accepted,
    repeated: () => repeated,
    answer: async (id: string, body: string): Promise<void> => {
      if (accepted.has(id)) repeated += 1
      else accepted.set(id, body)
      // Long enough that a server dies while it waits.
      await pass(random() * ANSWERS_WITHIN_MS)
    },
  }
}

export const alertEnvironment = { FIRSTHAND_REACHABLE_RANGES: '127.0.0.1' }

/**
 * So many times: errors come, and at a random instant everything is killed and started again on the same data folder.
 *
 * @param options.running the server before, and at any time the one that runs now: the caller ends it, whatever happens
 * @param options.random 0…1
 */
export const alertRounds = async (options: {
  readonly running: { server: Firsthand }
  readonly account: Account
  readonly rounds: number
  readonly errorsARound: number
  readonly killWithinMs: number
  readonly random: () => number
  readonly onRound?: (round: number) => void
}): Promise<AlertVerdict> => {
  const { account, errorsARound, random, rounds, running } = options
  const { dataDir, port } = running.server
  const receiver = await startReceiver()
  const { accepted, answer, repeated } = createAccepted(random)
  receiver.answer = ({ body, headers }, response) => {
    // Whoever died does not hear the answer.
    response.on('error', () => undefined)
    void answer(String(headers['webhook-id']), body).then(() => response.writeHead(200).end('{}'))
  }
  const send = async (cause: Cause): Promise<void> => {
    const path = `/api/${account.projectId}/envelope/?sentry_version=7&sentry_key=${new URL(account.dsn).username}`
    const { status } = await post(port, path, envelopeOf(cause))
    if (status === 200) cause.isAcknowledged = true
  }
  const causes: Cause[] = []
  try {
    const api = createApi(running.server, account)
    const channels: string[] = []
    for (let index = 0; index < Math.min(CHANNELS, rounds * errorsARound); index += 1) {
      const secrets = { url: `${receiver.url}/${index}` }
      const settings = { format: 'firsthand' }
      channels.push((await api('/channels/', { kind: 'webhook', name: `Channel ${index}`, settings, secrets })).id)
    }
    for (let index = 0; index < rounds * errorsARound; index += 1) {
      await api('/alerts/', {
        name: `Rule ${index}`,
        query: `error.type:Cause${index}Z`,
        trigger: { source: 'happened', kinds: ['issue_opened'] },
        actions: [{ kind: 'channel', channelId: channels[index % channels.length] }],
        frequencyMinutes: 0,
      })
    }
    for (let round = 0; round < rounds; round += 1) {
      const again = causes.filter(({ isAcknowledged }) => !isAcknowledged)
      for (let number = 0; number < errorsARound; number += 1) {
        causes.push({ index: causes.length, eventId: randomBytes(16).toString('hex'), isAcknowledged: false })
      }
      const sending = Promise.all([...again, ...causes.slice(-errorsARound)].map((cause) => send(cause)))
      await pass(random() * options.killWithinMs)
      await running.server.killAll()
      await sending
      running.server = await startFirsthand({ dataDir, port, environment: alertEnvironment })
      options.onRound?.(round + 1)
    }
    await until('the last answers', async () => {
      await Promise.all(causes.filter(({ isAcknowledged }) => !isAcknowledged).map((cause) => send(cause)))
      return causes.every(({ isAcknowledged }) => isAcknowledged) ? true : null
    })
    const told = (): ReadonlySet<string> =>
      new Set([...accepted.values()].flatMap((body) => CAUSE.exec(body)?.[1] ?? []))
    await until(
      () => `the messages of ${causes.length} errors, of which ${told().size} were told`,
      () => {
        const waiting = ledgerRows<{ n: number }>(dataDir, 'SELECT count(*) AS n FROM outbox WHERE due_at IS NOT NULL')
        return Promise.resolve(told().size >= causes.length && waiting[0]?.n === 0 ? true : null)
      },
      SETTLE_MS,
    )
    return { causes: causes.length, repeated: repeated(), wrong: judge(dataDir, causes, accepted) }
  } finally {
    await receiver.close()
  }
}

const judge = (dataDir: string, causes: readonly Cause[], accepted: ReadonlyMap<string, string>): readonly string[] => {
  type Counted = { readonly name: string; readonly n: number }
  const countOf = (what: string, query: string): readonly string[] => {
    const counts = new Map(ledgerRows<Counted>(dataDir, query).map(({ n, name }) => [name, n]))
    return causes.flatMap(({ index }) => {
      const count = counts.get(`Rule ${index}`) ?? 0
      return count === 1 ? [] : [`${what} of rule ${index}: ${count}`]
    })
  }
  const ids = Map.groupBy(accepted, ([, body]) => CAUSE.exec(body)?.[1] ?? 'nothing')
  return [
    ...countOf(
      'evaluations that fired',
      `SELECT name, count(*) AS n FROM alert_evaluations e JOIN alert_rules r ON r.id = e.rule_id WHERE decision = 'fired' GROUP BY name`,
    ),
    ...countOf(
      'incidents',
      `SELECT r.name AS name, count(*) AS n FROM alert_incidents i JOIN alert_rules r ON r.id = i.rule_id GROUP BY r.name`,
    ),
    ...countOf(
      'messages sent',
      `SELECT r.name AS name, count(*) AS n FROM outbox o JOIN alert_rules r ON r.id = o.rule_id WHERE o.state = 'sent' GROUP BY r.name`,
    ),
    ...causes.flatMap(({ index }) => {
      const own = ids.get(String(index))?.length ?? 0
      return own === 1 ? [] : [`ids under which rule ${index} was told: ${own}`]
    }),
    ...(ids.has('nothing') ? ['messages about nothing that was sent'] : []),
  ]
}
