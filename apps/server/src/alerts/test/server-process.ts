import { createCallWay } from '../../channels/call-way.ts'
import { createChannels } from '../../channels/ledger/channels.ts'
import { createOutboxQueue } from '../../channels/ledger/outbox-queue.ts'
import { enqueueMessages } from '../../channels/index.ts'
import { createSender } from '../../channels/sender.ts'
import { openLedger } from '../../../test/stores/open.ts'
import { followFacts } from '../../facts/index.ts'
import { createLive } from '../../http/index.ts'
import { createLogger } from '../../lib/logger.ts'
import { createOccasion } from '../../lib/occasion.ts'
import { createOutgoing } from '../../lib/outgoing.ts'
import { createPrepare } from '../happened/prepare.ts'
import { createTakeFacts } from '../happened/take-facts.ts'
import { createKnownRules } from '../known-rules.ts'
import { createRules } from '../ledger/rules.ts'
import { createReceivers } from '../receivers.ts'

/** What a server does about alerts, as a process of its own on a ledger that others use as well: for tests that freeze it. */

/** What a test wants of it. */
export interface Order {
  /** `facts`: rules hear of what happened. `send`: what is in the outbox goes out. */
  readonly work: 'facts' | 'send'
  /** It freezes where others may overtake it: when rules were asked, and when the other side has answered. */
  readonly freezes: boolean
  /** Milliseconds by which its clock is ahead. */
  readonly ahead: number
}

/** Its answer, when the work is done. */
export interface Done {
  readonly error: string | null
}

const [path = ''] = process.argv.slice(2)
let order: Order = { work: 'facts', freezes: false, ahead: 0 }

const clock = { now: () => Date.now() + order.ahead }
const logger = createLogger('error', (line) => process.stderr.write(line), clock.now)
const ledger = await openLedger({ path }, { logger, clock })

/** Nothing goes on until the test wakes it. */
const freeze = (): void => {
  if (order.freezes) process.kill(process.pid, 'SIGSTOP')
}

const rules = createRules({ ledger, changed: () => undefined })
const outlets = {
  enqueue: enqueueMessages,
  notify: () => Promise.resolve(),
  ownersOf: () => Promise.resolve([]),
  fallsThrough: () => Promise.resolve(true),
}
const prepare = createPrepare({
  ledger,
  rules: createKnownRules({ ledger, clock, rules }),
  clock,
  receivers: createReceivers({ ledger, ...outlets }),
})
const take = createTakeFacts({
  dialect: ledger.dialect,
  outlets,
  now: clock.now,
  snoozePath: (ruleId) => `/a/${ruleId}`,
})
const facts = followFacts({
  ledger,
  live: createLive(),
  clock,
  logger,
  name: 'alerts',
  batch: 100,
  prepare: async (some) => {
    const prepared = await prepare(some)
    freeze()
    return prepared
  },
  take: async (transaction, some, prepared) => {
    if (prepared !== undefined) await take(transaction, some, prepared)
  },
})

const channels = createChannels({ ledger, key: Buffer.alloc(32, 1) })
const outgoing = createOutgoing({ allowedRanges: ['127.0.0.1'] })
const call = createCallWay({
  ledger,
  channels,
  clock,
  publicUrl: 'https://firsthand.example',
  // No channel here has Sentry's format.
  readSubject: () => Promise.resolve({ issue: null, event: null }),
  outgoing: {
    send: async (url, request) => {
      const answer = await outgoing.send(url, request)
      freeze()
      return answer
    },
  },
})
const sender = createSender({
  queue: createOutboxQueue({ ledger }),
  ways: { call, mail: () => Promise.resolve({ refusal: 'There is no mail here.' }) },
  clock,
  logger,
  occasion: createOccasion({ clock, quietMs: 0 }),
  failed: () => Promise.resolve(),
  changed: () => undefined,
  ending: new AbortController().signal,
})

process.on('message', (wanted: Order) => {
  order = wanted
  const answer = (error: string | null): void => void process.send?.({ error } satisfies Done)
  void (wanted.work === 'facts' ? facts.run() : sender.run()).then(
    () => answer(null),
    (error: unknown) => answer(String(error)),
  )
})
process.send?.({ error: null } satisfies Done)
