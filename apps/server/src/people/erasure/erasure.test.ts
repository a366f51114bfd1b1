import type { QueryParams } from '@clickhouse/client'
import type { Erasure, ErasurePreview, PersonDetail } from '@firsthand/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReportsOfPerson } from '../../feedback/index.ts'
import { createPersonalErrors } from '../../issues/erase-errors.ts'
import { createErrorsOfPerson } from '../../issues/index.ts'
import {
  createIssueApp,
  nextId,
  NOW,
  sampleEvent,
  type IssueApp,
  type IssueAppParts,
  type TestOrganization,
} from '../../issues/test/issue-app.ts'
import { createLinesOfPerson } from '../../logs/index.ts'
import { createReplaysOfPerson } from '../../replays/index.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { StoreFault } from '../../lib/store-fault.ts'
import { createBlobFreeing } from '../../storage/blobs/freeing.ts'
import { LEDGER_ENGINES, silentLogger } from '../../storage/conformance/engines.ts'
import type { PersonalData } from '../../storage/index.ts'
import { createTransactionsOfPerson } from '../../traces/index.ts'
import { createLedgerErasures } from '../ledger/erasures.ts'
import { LIMITS } from '../limits.ts'
import { createEraseJob } from './erase-job.ts'
import { createErasureRoutes } from './erasure.routes.ts'

const MINUTE_MS = 60_000

/** What runs beside the app, and what a test makes of it. */
const serving = () => {
  const state = {
    settled: null as number | null,
    ending: new AbortController(),
    personal: [] as PersonalData[],
    readersDone: (): Promise<void> => Promise.resolve(),
    /** Called before each kind of data is erased. */
    before: (): void => {},
    letGo: 0,
    /** What telemetry was asked. */
    asked: [] as QueryParams[],
  }
  let run = async (): Promise<void> => {}
  const routes = ({ client, clock, issues, ledger }: IssueAppParts) => {
    const erasures = createLedgerErasures({ ledger })
    const blobs = { remove: async () => {}, sizes: async () => new Map<string, number>() }
    const freeing = createBlobFreeing({ ledger, client, blobs, columns: [] })
    const watched = new Proxy(client, {
      get: (target, key: keyof typeof client) =>
        key === 'query'
          ? (params: QueryParams) => {
              state.asked.push(params)
              return target.query(params)
            }
          : target[key],
    })
    const errors = createPersonalErrors({ client: watched, ledger, freeing, clock, changed: () => {} })
    state.personal = [
      {
        ...errors,
        erase: async (person, signal) => {
          state.before()
          await errors.erase(person, signal)
        },
      },
    ]
    const parts = { erasures, personal: () => state.personal, clock, changed: () => {} }
    run = () =>
      createEraseJob({
        ...parts,
        settledUntil: () => state.settled,
        readersDone: () => state.readersDone(),
        letGoReceived: async () => {
          state.letGo += 1
        },
        logger: silentLogger,
        ending: state.ending.signal,
      }).run()
    return createErasureRoutes({
      ...parts,
      issues,
      projects: (organizationId) => issues.projects(organizationId),
      sources: {
        errors: createErrorsOfPerson(client),
        transactions: createTransactionsOfPerson(client),
        lines: createLinesOfPerson(client),
        replays: createReplaysOfPerson(client),
        reports: createReportsOfPerson(ledger),
      },
    })
  }
  return { state, routes, run: () => run() }
}

describe.each(LEDGER_ENGINES)('all that is kept of a person, on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let rival: TestOrganization
  let issue = 0
  let served: ReturnType<typeof serving>

  const marta = { id: '4127', username: 'marta', email: 'Marta@X.example', sentry_user: 'id:4127' }
  const happened = (ago: number, event: object) => sampleEvent({ kind: 'voucher', ago, event })
  const of = (user: object, ago: number, event: object = {}) => happened(ago, { user, ...event })

  beforeEach(async () => {
    served = serving()
    app = await createIssueApp(engine, { moreRoutes: served.routes })
    acme = await app.organization('acme')
    rival = await app.organization('rival', 'other')
    ;[issue = 0] = await app.store(acme, [
      of(marta, 30 * MINUTE_MS),
      of(marta, 20 * MINUTE_MS),
      of({ email: 'marta@x.example', sentry_user: 'email:marta@x.example' }, 90 * MINUTE_MS),
      // Somebody else at the same address.
      of({ id: '4128', email: 'marta@x.example', sentry_user: 'id:4128' }, 80 * MINUTE_MS),
      of({ id: '7', sentry_user: 'id:7' }, 40 * MINUTE_MS),
      of({ username: 'marta', sentry_user: 'username:marta' }, 35 * MINUTE_MS),
    ])
    await app.store(rival, [of(marta, 15 * MINUTE_MS)])
  }, 120_000)
  afterEach(() => app.close())

  const call = async <Body>(method: string, path: string, body?: unknown, as = acme.call) => {
    const answer = await as(method, `/organizations/${as === rival.call ? 'rival' : 'acme'}${path}`, body)
    return { status: answer.status, body: answer.body as Body }
  }
  const preview = async (user: string, more = '') => {
    const path = `/person/erasures/preview/?user=${encodeURIComponent(user)}${more}`
    return (await call<ErasurePreview>('GET', path)).body
  }
  const ask = async (names: readonly string[]) => (await call<Erasure>('POST', '/person/erasures/', { names })).body
  const listed = async () => (await call<Erasure[]>('GET', '/person/erasures/')).body
  const person = async (user: string, as = acme.call) =>
    (await call<PersonDetail>('GET', `/person/?user=${encodeURIComponent(user)}`, undefined, as)).body.counts.errors
  const seen = async () => {
    const row = await app.ledger.db
      .selectFrom('issues')
      .select(['times_seen', 'last_seen'])
      .where('id', '=', issue)
      .executeTakeFirstOrThrow()
    return { times: row.times_seen, ago: NOW - row.last_seen }
  }
  /** The time of what was asked for has come, and all that came before is stored. */
  const comes = async (): Promise<void> => {
    app.clock.set(NOW + LIMITS.ERASURE_DELAY_MS)
    served.state.settled = app.clock.now()
    await served.run()
    // A round that finds nothing is the last.
    await served.run()
  }

  const later = (ms: number): void => app.clock.set(app.clock.now() + ms)

  it('says that it failed, why without a name and when it is tried again, as long as it fails', async () => {
    const asked = await ask(['id:4127'])
    expect(asked.failure).toBeNull()
    const other = await ask(['id:7'])
    const faults = [new StoreFault('The telemetry is away.'), new Error('of id:4127'), new Error('of id:4127')]
    served.state.before = () => {
      const fault = faults.shift()
      if (fault !== undefined) throw fault
    }
    app.clock.set(NOW + LIMITS.ERASURE_DELAY_MS)
    served.state.settled = app.clock.now()
    await expect(served.run()).rejects.toThrow('is away')
    const rowOf = async (id: string) => (await listed()).find((one) => one.id === id)
    const retryIn = (ms: number) => new Date(app.clock.now() + ms).toISOString()
    expect(await rowOf(asked.id)).toMatchObject({
      state: 'running',
      failure: { attempts: 1, error: 'The telemetry is away.', dateRetry: retryIn(LIMITS.ERASURE_RETRY_MS) },
    })
    // The other one was tried as well, and both wait for their time.
    expect(await rowOf(other.id)).toMatchObject({ failure: { attempts: 1 } })
    await served.run()
    expect(await rowOf(asked.id)).toMatchObject({ failure: { attempts: 1 } })
    later(LIMITS.ERASURE_RETRY_MS)
    await expect(served.run()).rejects.toThrow('of id:4127')
    const { failure } = (await rowOf(asked.id)) ?? {}
    expect(failure).toMatchObject({ attempts: 2, dateRetry: retryIn(2 * LIMITS.ERASURE_RETRY_MS) })
    expect(failure?.error).toBe(
      'Deleting errors ended with an error that nobody foresaw. The log of the server says which.',
    )
    later(2 * LIMITS.ERASURE_RETRY_MS)
    await served.run()
    expect(await rowOf(asked.id)).toMatchObject({ state: 'running', failure: null })
    await served.run()
    expect(await listed()).toMatchObject([
      { state: 'done', failure: null },
      { state: 'done', failure: null },
    ])
  })

  it('looks at nothing while somebody has read of the person and not written it down yet', async () => {
    await ask(['id:4127'])
    const reading = Promise.withResolvers<void>()
    const order: string[] = []
    served.state.readersDone = async () => {
      await reading.promise
      order.push('readers')
    }
    served.state.before = () => order.push('erased')
    const coming = comes()
    reading.resolve()
    await coming
    expect(order).toEqual(['readers', 'erased', 'readers'])
    expect(await listed()).toMatchObject([{ state: 'done' }])
  })

  it('is shown with every name that leads to it, and goes under the names that were chosen', async () => {
    const names = ['email:marta@x.example', 'id:4127', 'id:4128']
    const shown = await preview('id:4127')
    expect(shown).toEqual({
      names: expect.arrayContaining(names),
      isWhole: true,
      beside: ['username:marta'],
      counts: [{ what: 'errors', count: 4 }],
    })
    expect(shown.names).toHaveLength(names.length)
    // Without the address that somebody else has as well.
    expect((await preview('id:4127', '&name=id%3A4127')).counts).toEqual([{ what: 'errors', count: 2 }])

    const asked = await ask(['id:4127'])
    expect(asked).toMatchObject({
      state: 'planned',
      names: ['id:4127'],
      counts: [],
      user: { name: expect.any(String) },
    })
    await served.run()
    expect(await person('id:4127')).toBe(4)
    await comes()
    expect(served.state.letGo).toBe(1)
    expect((await preview('id:4127')).counts).toEqual([{ what: 'errors', count: 0 }])
    expect(await person('id:4128')).toBe(2)
    expect(await person('id:7')).toBe(1)
    expect(await person('id:4127', rival.call)).toBe(1)
    // How much it was is kept, and whom it was about is not.
    expect(await listed()).toMatchObject([{ state: 'done', names: [], counts: [{ what: 'errors', count: 2 }] }])
    expect(await seen()).toEqual({ times: 4, ago: 35 * MINUTE_MS })
    const rows = await app.ledger.db
      .selectFrom('event_index')
      .select('event_id')
      .where('project_id', '=', acme.projectId)
      .execute()
    expect(rows).toHaveLength(4)
  })

  it('is walked through once, however much it is of one issue', async () => {
    await app.client.command({
      query: `INSERT INTO events (organization_id, project_id, issue_id, event_id, timestamp, received, user_key)
        SELECT {organization:UInt32}, {project:UInt64}, {issue:UInt64}, generateUUIDv4(),
          fromUnixTimestamp64Milli({at:Int64} - intDiv(number, 3)), fromUnixTimestamp64Milli({at:Int64}), 'id:4127'
        FROM numbers(2500)`,
      query_params: { organization: acme.organizationId, project: acme.projectId, issue, at: NOW - MINUTE_MS },
    })
    await ask(['id:4127'])
    app.clock.set(NOW + LIMITS.ERASURE_DELAY_MS)
    served.state.settled = app.clock.now()
    served.state.asked = []
    await served.run()
    const walked = served.state.asked.flatMap(({ query, query_params: params }) =>
      query.includes('FROM kept_items') ? (params?.['events'] as readonly string[]) : [],
    )
    expect([walked.length, new Set(walked).size]).toEqual([2502, 2502])
    // What stays of an issue is asked for once, and not with each step.
    expect(served.state.asked.filter(({ query }) => query.includes('AS staying'))).toHaveLength(1)
    expect((await preview('id:4127', '&name=id%3A4127')).counts).toEqual([{ what: 'errors', count: 0 }])
    expect(await seen()).toEqual({ times: 4, ago: 35 * MINUTE_MS })
  })

  it('goes with an address, whatever its case and whoever has it', async () => {
    await ask(['email:MARTA@x.example', 'id:4127'])
    await comes()
    expect(await person('id:4128')).toBe(0)
    expect(await listed()).toMatchObject([{ counts: [{ what: 'errors', count: 4 }] }])
    expect(await seen()).toEqual({ times: 2, ago: 35 * MINUTE_MS })
  })

  it('stays when that is taken back in time, and only then', async () => {
    const { id } = await ask(['id:4127'])
    expect((await call('DELETE', `/person/erasures/${id}/`, undefined, rival.call)).status).toBe(404)
    expect((await call('DELETE', `/person/erasures/${id}/`)).status).toBe(204)
    expect((await call('DELETE', `/person/erasures/${id}/`)).status).toBe(409)
    await comes()
    expect(await person('id:4127')).toBe(4)
    expect(await listed()).toMatchObject([{ state: 'withdrawn', names: [], counts: [] }])
    app.clock.set(NOW)
    const { id: later } = await ask(['id:4127'])
    await comes()
    expect((await call<{ detail: string }>('DELETE', `/person/erasures/${later}/`)).body.detail).toContain('has begun')
  })

  it('goes also where it was received before and stored later; what is received afterwards stays', async () => {
    await ask(['id:4127'])
    app.clock.set(NOW + LIMITS.ERASURE_DELAY_MS)
    await served.run()
    expect(await listed()).toMatchObject([{ state: 'planned', counts: [] }])
    await app.store(acme, [
      of(marta, 1 * MINUTE_MS),
      of(marta, 1 * MINUTE_MS, { event_id: nextId(), received: (NOW + MINUTE_MS) / 1000 }),
    ])
    served.state.settled = NOW - 1
    await served.run()
    expect(await listed()).toMatchObject([{ state: 'planned', counts: [] }])
    await comes()
    expect(await listed()).toMatchObject([{ state: 'done', counts: [{ what: 'errors', count: 3 }] }])
    expect((await preview('id:4127', '&name=id%3A4127')).counts).toEqual([{ what: 'errors', count: 1 }])
    expect((await seen()).times).toBe(5)
  })

  it('is gone on with by whoever comes after a process that died, and is counted once', async () => {
    await ask(['id:4127'])
    let deaths = 2
    served.state.before = () => {
      if (deaths-- > 0) throw new Error('it died')
    }
    app.clock.set(NOW + LIMITS.ERASURE_DELAY_MS)
    served.state.settled = app.clock.now()
    await expect(served.run()).rejects.toThrow('it died')
    later(LIMITS.ERASURE_RETRY_MS)
    await expect(served.run()).rejects.toThrow('it died')
    later(2 * LIMITS.ERASURE_RETRY_MS)
    expect(await listed()).toMatchObject([{ state: 'running', counts: [{ what: 'errors', count: 0 }] }])
    // As after a kill between the stores: the ledger has forgotten, telemetry has not.
    await app.ledger.db
      .deleteFrom('event_index')
      .where('project_id', '=', acme.projectId)
      .where('issue_id', '=', issue)
      .execute()
    await served.run()
    await served.run()
    expect(await listed()).toMatchObject([{ state: 'done', counts: [{ what: 'errors', count: 2 }] }])
    expect((await seen()).times).toBe(6)
    expect((await preview('id:4127', '&name=id%3A4127')).counts).toEqual([{ what: 'errors', count: 0 }])
  })

  it('is asked for once, as long as it waits', async () => {
    const { id } = await ask(['id:4127', 'email:marta@x.example'])
    const again = await call<{ detail: string }>('POST', '/person/erasures/', { names: ['email:MARTA@x.example'] })
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('wait to be deleted already')])
    expect((await call('POST', '/person/erasures/', { names: ['id:4127', 'id:7'] })).status).toBe(201)
    await call('DELETE', `/person/erasures/${id}/`)
    expect((await call('POST', '/person/erasures/', { names: ['email:marta@x.example'] })).status).toBe(201)
  })

  it('is erased to the end where what is counted is gone already', async () => {
    await ask(['id:4127'])
    let calls = 0
    served.state.personal = [
      {
        what: 'errors',
        count: async () => (calls === 0 ? 2 : 0),
        erase: async () => {
          calls += 1
          if (calls === 1) throw new Error('it died')
        },
      },
    ]
    app.clock.set(NOW + LIMITS.ERASURE_DELAY_MS)
    served.state.settled = app.clock.now()
    await expect(served.run()).rejects.toThrow('it died')
    later(LIMITS.ERASURE_RETRY_MS)
    await served.run()
    expect(calls).toBe(2)
    await served.run()
    expect(await listed()).toMatchObject([{ state: 'done', counts: [{ what: 'errors', count: 2 }] }])
  })

  it('is shown without a count of what takes too long to be counted in the ledger', async () => {
    const slow: PersonalData = {
      what: 'facts',
      count: () => Promise.reject(new StatementRefusal('slow')),
      erase: () => Promise.resolve(),
    }
    served.state.personal.push(slow)
    expect((await preview('id:7')).counts).toEqual([
      { what: 'errors', count: 1 },
      { what: 'facts', count: null },
    ])
  })

  it('may wait so often', async () => {
    for (let count = 0; count < LIMITS.ERASURES_WAITING; count += 1) await ask([`id:${count}`])
    const refused = await call<{ detail: string }>('POST', '/person/erasures/', { names: ['id:more'] })
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('20 deletions of people wait already')
    await comes()
    expect((await call('POST', '/person/erasures/', { names: ['id:more'] })).status).toBe(201)
  })
})
