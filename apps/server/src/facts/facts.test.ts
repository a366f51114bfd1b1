import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLive } from '../http/index.ts'
import type { Live } from '../http/index.ts'
import { DAY_MS } from '../lib/durations.ts'
import {
  LEDGER_ENGINES,
  recordingLogger,
  seedOrganization,
  silentLogger,
  type OpenedLedger,
} from '../storage/conformance/engines.ts'
import type { LedgerTransaction } from '../storage/index.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import { DamagedStore, StoreFault } from '../lib/store-fault.ts'
import { BASE_TIME } from '../issues/test/sample-events.ts'
import type { Fact, StoredFact } from './fact.ts'
import { followFacts, noteFacts, stepsUnderWay, type FollowFacts } from './index.ts'
import { createFactRetention } from './ledger/expiry.ts'
import { LIMITS } from './limits.ts'

const released = (version: string): Fact => ({
  organizationId: 1,
  projectId: 1,
  kind: 'release_first_seen',
  issueId: null,
  reportId: null,
  actorId: null,
  receivedAt: BASE_TIME,
  data: { version, environment: null },
})

const versionOf = (fact: StoredFact): string => (fact.kind === 'release_first_seen' ? fact.data.version : '?')

describe.each(LEDGER_ENGINES)('facts on $name', ({ open }) => {
  let opened: OpenedLedger
  let live: Live

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    live = createLive()
  }, 240_000)
  afterEach(() => opened.close())

  const note = (...versions: string[]): Promise<void> =>
    opened.ledger.transaction((transaction) => noteFacts(transaction, versions.map(released), opened.clock.now()))

  /** Somebody who follows, with what they took. */
  const follower = (more: Partial<FollowFacts<undefined>> = {}) => {
    const taken: string[][] = []
    const job = followFacts({
      ...opened,
      live,
      logger: silentLogger,
      name: 'test',
      batch: 10,
      take: async (_, facts) => {
        taken.push(facts.map(versionOf))
      },
      ...more,
    })
    return { job, taken }
  }

  /** Marks what was taken, in the transaction that takes. */
  const mark = async (transaction: LedgerTransaction, facts: readonly StoredFact[]): Promise<void> => {
    for (const fact of facts) {
      await transaction
        .insertInto('installation')
        .values({ key: `taken ${versionOf(fact)}`, value: '1' })
        .execute()
    }
  }

  const marked = async (): Promise<string[]> => {
    const rows = await opened.ledger.db.selectFrom('installation').select('key').orderBy('key').execute()
    return rows.flatMap(({ key }) => (key.startsWith('taken ') ? [key.slice('taken '.length)] : []))
  }

  it('are taken once, in the order in which they were noted, as many at once as the follower wants', async () => {
    const { job, taken } = follower({ batch: 2 })
    await note('1', '2', '3')
    await note('4', '5')
    await job.run()
    expect(taken).toEqual([['1', '2'], ['3', '4'], ['5']])
    await note('6')
    await job.run()
    expect(taken.at(-1)).toEqual(['6'])
  })

  it('that were read and not taken yet are waited for, also by whoever erases them meanwhile', async () => {
    const begun = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    const { job } = follower({
      prepare: async () => {
        begun.resolve()
        await goesOn.promise
        return undefined
      },
      take: mark,
    })
    await stepsUnderWay(opened.ledger)
    await note('1')
    const running = job.run()
    await begun.promise
    await opened.ledger.db.deleteFrom('facts').execute()
    const seen = stepsUnderWay(opened.ledger).then(marked)
    // Long enough for whoever does not wait to have looked.
    for (let read = 0; read < 20; read += 1) await marked()
    goesOn.resolve()
    expect(await seen).toEqual(['1'])
    await running
    await stepsUnderWay(opened.ledger)
  })

  /** Another organisation, and notes of it. */
  const other = async () => {
    const { id: organizationId } = await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: BASE_TIME })
      .returning('id')
      .executeTakeFirstOrThrow()
    return (...versions: string[]): Promise<void> =>
      opened.ledger.transaction((transaction) =>
        noteFacts(
          transaction,
          versions.map((version) => ({ ...released(version), organizationId, projectId: null })),
          BASE_TIME,
        ),
      )
  }

  it('of organisations are taken in turns: of which there are many keep no other one waiting', async () => {
    const noteOther = await other()
    const { job, taken } = follower({ batch: 2 })
    await note('1', '2', '3', '4', '5', '6')
    await noteOther('of another')
    await job.run()
    expect(taken.slice(0, 2)).toEqual([['1', '2'], ['of another']])
    // How many are taken at once depends on how long it takes.
    expect(taken.slice(2).flat()).toEqual(['3', '4', '5', '6'])
    await noteOther('more')
    await note('7')
    // As another server, which knows no more than what is stored.
    const again = follower({ batch: 2 })
    await again.job.run()
    expect(new Set(again.taken.flat())).toEqual(new Set(['7', 'more']))
    const rows = await opened.ledger.db.selectFrom('fact_readers').select('name').execute()
    expect(rows).toEqual([{ name: 'test' }])
  })

  it('of an organisation over which something fails keep no other one waiting', async () => {
    const noteOther = await other()
    const taken: string[] = []
    let fails = true
    const { job } = follower({
      prepare: async (facts) => {
        if (fails && facts.some(({ organizationId }) => organizationId === 1)) throw new Error('cannot be read')
        return undefined
      },
      take: async (_, facts) => {
        taken.push(...facts.map(versionOf))
      },
    })
    await note('1', '2')
    await noteOther('one')
    await expect(job.run()).rejects.toThrow('cannot be read')
    await noteOther('two')
    await expect(job.run()).rejects.toThrow('cannot be read')
    expect(taken).toEqual(['one', 'two'])
    fails = false
    await noteOther('three')
    await job.run()
    expect(taken.toSorted()).toEqual(['1', '2', 'one', 'three', 'two'])
  })

  it('are numbered in the order of commits, whichever transaction began first', async () => {
    const numbers = async () =>
      (await opened.ledger.db.selectFrom('facts').select('id').orderBy('id').execute()).map(({ id }) => id)
    await note('1')
    const broken = opened.ledger.transaction(async (transaction) => {
      await noteFacts(transaction, [released('never')], BASE_TIME)
      throw new Error('taken back')
    })
    await expect(broken).rejects.toThrow('taken back')
    await Promise.all(['2', '3', '4'].map((version) => note(version)))
    expect(await numbers()).toEqual([1, 2, 3, 4])
  })

  it('of others than the newest ones are for those who followed when they were noted', async () => {
    await note('before')
    opened.clock.set(BASE_TIME + 1)
    const { job, taken } = follower()
    await note('after')
    await job.run()
    expect(taken).toEqual([['after']])
    const later = follower({ name: 'test' })
    await note('more')
    await later.job.run()
    expect(later.taken).toEqual([['more']])
  })

  it('are taken together with what follows from them, or not at all', async () => {
    let fails = true
    const { job } = follower({
      take: async (transaction, facts) => {
        await mark(transaction, facts)
        if (fails) throw new Error('it died')
      },
    })
    await note('1', '2', '3')
    await expect(job.run()).rejects.toThrow('it died')
    expect(await marked()).toEqual([])
    fails = false
    // As after a kill: nothing is known of the follower but its position.
    await follower({ take: mark }).job.run()
    expect(await marked()).toEqual(['1', '2', '3'])
  })

  it('are taken by one of two servers that share a ledger', async () => {
    const [one, other] = [follower({ take: mark, batch: 1 }), follower({ take: mark, batch: 1 })]
    await note('1', '2', '3', '4', '5')
    await Promise.all([one.job.run(), other.job.run()])
    expect(await marked()).toEqual(['1', '2', '3', '4', '5'])
  })

  it('of which one is unreadable to a follower keep the others from nobody', async () => {
    const { logger, lines } = recordingLogger()
    const taken: string[] = []
    const { job } = follower({
      logger,
      take: async (_, facts) => {
        if (facts.some((fact) => versionOf(fact) === 'bad')) throw new Error('no sense in it')
        taken.push(...facts.map(versionOf))
      },
    })
    await note('1', '2', 'bad', '3', '4')
    for (let attempt = 1; attempt < LIMITS.FACT_ATTEMPTS; attempt += 1) {
      await expect(job.run()).rejects.toThrow('no sense in it')
      expect(taken).toEqual(['1', '2'])
    }
    await job.run()
    expect(taken).toEqual(['1', '2', '3', '4'])
    expect(lines.join('')).toContain('a fact was left out')
  })

  it.each(['which cannot be read', 'whose data is damaged'])(
    'of which one is about something %s keep the others from nobody',
    async (reason) => {
      const { logger, lines } = recordingLogger()
      const { job, taken } = follower({
        logger,
        prepare: async (facts) => {
          if (!facts.some((fact) => versionOf(fact) === 'bad')) return undefined
          throw reason === 'whose data is damaged' ? new DamagedStore(reason) : new Error(reason)
        },
      })
      await note('1', '2', 'bad', '3')
      for (let attempt = 1; attempt < LIMITS.FACT_ATTEMPTS; attempt += 1) {
        await expect(job.run()).rejects.toThrow(reason)
      }
      await job.run()
      expect(taken.flat()).toEqual(['1', '2', '3'])
      expect(lines.join('')).toContain('a fact was left out')
    },
  )

  it('wait, however long, while what has to be read for them cannot be read', async () => {
    let isAway = true
    const { job, taken } = follower({
      prepare: async () => {
        if (isAway) throw new StoreFault('the store is away')
        return undefined
      },
    })
    await note('1')
    for (let attempt = 0; attempt <= LIMITS.FACT_ATTEMPTS; attempt += 1) {
      await expect(job.run()).rejects.toThrow('the store is away')
    }
    isAway = false
    await job.run()
    expect(taken).toEqual([['1']])
  })

  it('are looked for after something happened, and otherwise hardly ever', async () => {
    const { job } = follower()
    const quiet = opened.ledger.dialect === 'sqlite' ? STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS : LIMITS.FACT_QUIET_MS
    expect(job.isDue?.()).toBe(true)
    await job.run()
    expect(job.isDue?.()).toBe(false)
    opened.clock.set(BASE_TIME + quiet - 1)
    expect(job.isDue?.()).toBe(false)
    live.publish({ topic: 'anything', organizationId: 1, projectId: 1, at: BASE_TIME })
    expect(job.isDue?.()).toBe(true)
    await job.run()
    expect(job.isDue?.()).toBe(false)
    opened.clock.set(BASE_TIME + 2 * quiet)
    expect(job.isDue?.()).toBe(true)
  })

  it('have room for so much', async () => {
    const large = released('x'.repeat(LIMITS.FACT_BYTES))
    const noted = opened.ledger.transaction((transaction) => noteFacts(transaction, [large], BASE_TIME))
    await expect(noted).rejects.toThrow(`and may have ${LIMITS.FACT_BYTES}`)
  })

  it('go when they are old', async () => {
    await note('old')
    opened.clock.set(BASE_TIME + DAY_MS)
    await note('young')
    const signal = new AbortController().signal
    const { sweep } = createFactRetention(opened)
    const days = LIMITS.FACT_DAYS * DAY_MS
    expect(await sweep?.(BASE_TIME + days, signal)).toEqual({ facts: 0 })
    expect(await sweep?.(BASE_TIME + days + 1, signal)).toEqual({ facts: 1 })
    const left = await opened.ledger.db.selectFrom('facts').select('data').execute()
    expect(left.map(({ data }) => data)).toEqual([JSON.stringify({ version: 'young', environment: null })])
  })
})
