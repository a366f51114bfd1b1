import { setTimeout as pass } from 'node:timers/promises'
import type { AlertDraftInput } from '@firsthand/contract'
import { startReceiver } from '../../apps/server/src/channels/test/receiver.ts'
import { startServer } from '../../tools/harness/server.ts'
import { createEventFactory } from '../events.ts'
import { waitForDigest } from '../lib/digested.ts'
import { quantile, sendPaced, type LoadResult } from '../lib/http-load.ts'
import { createStages } from '../lib/many-things.ts'
import { number, table, writeSection } from '../lib/results.ts'
import { openOrganizations, type Place } from './many-organizations.ts'
import { watchMinutes } from './minutes.ts'
import { triggerOf, type Size } from './rules.ts'

/** Fewer rules are a trial, of which nothing is written down. */
const FULL = 10_000
/** What is measured while less of the load is taken says nothing. */
const LEAST_KEPT = 0.97
const CONNECTIONS = 32
const EVENT_BYTES = 4000
/** All errors of a project are of one kind, which is known when the rules come: none of them is told. */
const KINDS = 1
const WARM_UP_SECONDS = 20
const WITHOUT_SECONDS = 40
/** Whole minutes, so that as many are evaluated. */
const WITH_SECONDS = 60
/** Errors of new kinds that come meanwhile, and of which rules tell; fewer than there are projects. */
const SAMPLES = 180
const TOLD_WITHIN_MS = 30_000
const MINUTE_MS = 60_000

const SAMPLE = /Sample(\d+)Z/

const requestOf = ({ projectId, publicKey }: Place, event: string): Buffer => {
  const header = `{"event_id":"${event.slice(13, 45)}","sent_at":"${new Date().toISOString()}"}`
  const body = Buffer.from(`${header}\n{"type":"event"}\n${event}`)
  const path = `/api/${projectId}/envelope/?sentry_version=7&sentry_key=${publicKey}&sentry_client=sentry.javascript.node%2F11.10.0`
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

type Samples = ReturnType<typeof createSamples>

/** When samples were sent, and when the receiver first heard of them. */
const createSamples = (places: readonly Place[]) => {
  const sentAt: number[] = []
  const heardAt = new Map<number, number>()
  return {
    /** One to each project in turn: what else is new there within a minute would be told together with it. */
    make: (): Buffer => {
      const index = sentAt.length
      const place = places[(index * 37) % places.length]
      if (place === undefined) throw new Error('There is no project.')
      const id = index.toString(16).padStart(32, 'a')
      const event = {
        event_id: id,
        timestamp: Date.now() / 1000,
        platform: 'javascript',
        level: 'error',
        exception: {
          values: [
            {
              type: `Sample${index}Z`,
              value: 'is new',
              stacktrace: { frames: [{ function: `sample${index}`, filename: '/sample.js', lineno: 1, in_app: true }] },
            },
          ],
        },
      }
      sentAt.push(performance.now())
      return requestOf(place, JSON.stringify(event))
    },
    hear: (body: string): void => {
      const found = SAMPLE.exec(body)
      if (found !== null && !heardAt.has(Number(found[1]))) heardAt.set(Number(found[1]), performance.now())
    },
    isMissing: (): boolean => heardAt.size < sentAt.length,
    count: (): number => sentAt.length,
    /** Milliseconds of those that were told, ascending. */
    delays: (): readonly number[] =>
      [...heardAt].map(([index, at]) => at - (sentAt[index] ?? at)).toSorted((left, right) => left - right),
  }
}

const secondsLeft = (seconds: number): (() => boolean) => {
  const end = performance.now() + seconds * 1000
  return () => performance.now() > end
}

/** The first of each project waits for what is new, the others measure. */
const ruleOf = (index: number, places: readonly Place[]): readonly [Place, AlertDraftInput] => {
  const place = places[index % places.length]
  if (place === undefined) throw new Error('There is no project.')
  const turn = Math.floor(index / places.length)
  const trigger: AlertDraftInput['trigger'] =
    turn === 0 ? { source: 'happened', kinds: ['issue_opened', 'issue_regressed'] } : triggerOf(turn)
  return [
    place,
    { name: `Rule ${index}`, trigger, actions: [{ kind: 'channel', channelId: place.channelId }], frequencyMinutes: 0 },
  ]
}

type Minutes = ReturnType<ReturnType<typeof watchMinutes>['end']>

interface Measured {
  readonly stages: ReturnType<typeof createStages>
  readonly load: LoadResult
}

const OWN_STAGES = ['HTTP and spool', 'garbage collection and files'] as const
const ENGINE_STAGES = ['engine, inserts and reads', 'engine, merges'] as const

const report = (
  { perSecond, projects, rules }: Size,
  without: Measured,
  withRules: Measured,
  minutes: Minutes,
  samples: Samples,
): string => {
  const cost = ({ load, stages }: Measured, stage: string): number => (stages.of(stage) / load.seconds) * 1000
  const more = (stage: string): number => cost(withRules, stage) - cost(without, stage)
  const evaluation = (stage: string): number => (minutes.moreOf(stage) / MINUTE_MS) * 1e6
  const sum = (stages: readonly string[]): number => stages.reduce((total, stage) => total + evaluation(stage), 0)
  const share = (part: number): string => `${number((part / cost(withRules, 'digest')) * 100, 1)} %`
  const rate = ({ load }: Measured): string => number(load.ok / load.seconds)
  const own = sum(OWN_STAGES)
  const delays = samples.delays()
  return [
    `${number(rules)} rules over ${number(projects)} projects, ${rate(withRules)} errors a second of ${number(perSecond)} (${rate(without)} without rules).`,
    table(
      ['stage', 'ms of processor time a second, without rules', 'with rules', 'more', 'of the evaluation'],
      ['digest', ...OWN_STAGES, ...ENGINE_STAGES].map((stage) => [
        stage,
        number(cost(without, stage), 1),
        number(cost(withRules, stage), 1),
        number(more(stage), 1),
        stage === 'digest' ? '' : number(evaluation(stage), 1),
      ]),
    ),
    table(
      ['evaluation', ''],
      [
        ['A31 of what the digest takes: our threads', share(own)],
        ['the same with the engine', share(own + sum(ENGINE_STAGES))],
        ['minutes that were evaluated', number(minutes.minutes)],
        ['one of them took, ms', number(minutes.tookMs)],
        ['errors of new kinds that came meanwhile', number(samples.count())],
        ['of these told', number(delays.length)],
        ['A1 event → message p50, ms', number(quantile(delays, 0.5))],
        ['the same, p95', number(quantile(delays, 0.95))],
        ['the same, longest', number(delays.at(-1) ?? Number.NaN)],
      ],
    ),
  ].join('\n\n')
}

/**
 * The built server, fed by envelopes: first without rules, then with all of them. Beside what the digest takes stands what the
 * evaluation takes, and how much more the whole took. Errors of new kinds come meanwhile, of which rules tell a webhook.
 */
export const measureBeside = async ({ perSecond, projects, rules }: Size): Promise<void> => {
  const receiver = await startReceiver()
  const server = await startServer({
    environment: { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '0', FIRSTHAND_REACHABLE_RANGES: '127.0.0.1' },
  })
  const pid = server.process.pid ?? 0
  const organizations = await openOrganizations(server)
  try {
    const places = await organizations.add(projects, receiver.url)
    const factory = createEventFactory(EVENT_BYTES, KINDS)
    let made = 0
    const samples = createSamples(places)
    receiver.answer = ({ body }, response) => {
      samples.hear(body)
      response.writeHead(200).end('{}')
    }
    const send = (seconds: number, sampling: boolean): Promise<LoadResult> => {
      const isOver = secondsLeft(seconds)
      const each = Math.ceil((perSecond * WITH_SECONDS) / Math.min(SAMPLES, places.length - 1))
      const make = (index: number): Buffer => {
        if (sampling && index % each === 0) return samples.make()
        made += 1
        return requestOf(places[made % places.length] as Place, factory.make(made, Date.now()))
      }
      return sendPaced(server.port, { perSecond, isOver, make }, CONNECTIONS)
    }
    const measured = async (seconds: number, sampling: boolean): Promise<Measured> => {
      const stages = createStages(pid)
      let load: LoadResult | null = null
      await stages.during(async () => {
        load = await send(seconds, sampling)
        await waitForDigest(server.dataDir)
      })
      if (load === null) throw new Error('Nothing was sent.')
      return { stages, load }
    }

    await send(WARM_UP_SECONDS, false)
    await waitForDigest(server.dataDir)
    const without = await measured(WITHOUT_SECONDS, false)
    await organizations.addRules(Array.from({ length: rules }, (_, index) => ruleOf(index, places)))
    // One minute is evaluated before: rules are read the first time then.
    await send((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1000 + 10, false)
    await waitForDigest(server.dataDir)
    const watching = watchMinutes(server.dataDir, pid)
    const withRules = await measured(WITH_SECONDS, true)
    const minutes = watching.end()
    const deadline = performance.now() + TOLD_WITHIN_MS
    while (samples.isMissing() && performance.now() < deadline) await pass(100)

    const body = report({ rules, projects, perSecond }, without, withRules, minutes, samples)
    process.stdout.write(`${body}\n`)
    const kept = Math.min(...[without, withRules].map(({ load }) => load.ok / load.seconds / perSecond))
    if (kept < LEAST_KEPT) {
      process.stderr.write(
        `The machine kept up with ${number(kept * 100)} % of the load only: nothing is written down.\n`,
      )
      process.exitCode = 1
    } else if (rules === FULL) writeSection('Alerts beside the digest', body)
  } finally {
    await organizations.close()
    await server.stop()
    server.remove()
    await receiver.close()
  }
}
