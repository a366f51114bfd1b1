import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, testClock, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createNameRules, type NameRules } from '../ledger/name-rules.ts'
import { LIMITS } from '../limits.ts'
import type { SentName } from '../read/names.ts'
import { createNames, type Names } from './names.ts'
import { OTHER } from './project-names.ts'

const PROJECT = 1

const address = (text: string): SentName => ({ text, isAddress: true })
const slug = (index: number): string => `shoes-${String.fromCodePoint(0x4e00 + index)}`

describe.each(LEDGER_ENGINES.slice(0, 1))('names of transactions, with a ledger on $name', ({ open }) => {
  let opened: OpenedLedger
  let clock: ReturnType<typeof testClock>
  let rules: NameRules
  let names: Names
  beforeAll(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    await opened.ledger.db.deleteFrom('name_rules').execute()
    await opened.ledger.db.deleteFrom('known_names').execute()
    clock = testClock()
    rules = createNameRules({ ledger: opened.ledger, clock })
    names = createNames(opened.ledger, clock)
  })

  const pass = (milliseconds: number): void => clock.set(clock.now() + milliseconds)
  /** A batch of the digest. */
  const batch = async (...sent: readonly SentName[]): Promise<string[]> => {
    await names.recall([PROJECT])
    const given = sent.map((one) => names.nameOf(PROJECT, one, { at: clock.now(), isTransaction: true }))
    await opened.ledger.transaction((transaction) => names.save({ transaction, now: clock.now() }, [PROJECT]))
    return given
  }
  const slugs = (from: number, count: number): SentName[] =>
    Array.from({ length: count }, (_, index) => address(`/shop/${slug(from + index)}`))

  it('T28: a learned rule is listed with examples; refused, it stays so, until it is taken back', async () => {
    await batch(...slugs(0, 40))
    const { rules: listed } = await rules.load(PROJECT)
    expect(listed).toMatchObject([{ pattern: '/shop/*/**', isOwn: false, isRefused: false, use: { times: 11 } }])
    expect(listed[0]?.use.examples).toContainEqual({ sent: `/shop/${slug(39)}`, name: '/shop/*' })

    expect(await rules.change(PROJECT, '/shop/*/**', 'refused')).toMatchObject({ ok: true })
    pass(LIMITS.NAME_RULES_AGE_MS)
    const refused = await batch(...slugs(40, 40))
    expect(refused).toEqual(slugs(40, 40).map(({ text }) => text))
    names = createNames(opened.ledger, clock)
    expect(await batch(...slugs(80, 40))).toEqual(slugs(80, 40).map(({ text }) => text))

    expect(await rules.change(PROJECT, '/shop/*/**', 'learned')).toMatchObject({ ok: true })
    pass(LIMITS.NAME_RULES_AGE_MS)
    expect(await batch(...slugs(200, 1))).toEqual(['/shop/*'])
  })

  it('T28: what was learned outlives a restart', async () => {
    await batch(...slugs(0, 20))
    names = createNames(opened.ledger, clock)
    expect((await batch(...slugs(20, 10))).at(-1)).toBe('/shop/*')
    names = createNames(opened.ledger, clock)
    expect(await batch(...slugs(50, 1))).toEqual(['/shop/*'])
  })

  it('T29: a rule of the project holds for what comes next, and goes again', async () => {
    expect(await batch(address('/a/one'))).toEqual(['/a/one'])
    expect(await rules.change(PROJECT, '/a/*', 'own')).toMatchObject({ ok: true })
    pass(LIMITS.NAME_RULES_AGE_MS)
    expect(await batch(address('/a/one'))).toEqual(['/a/*'])
    pass(LIMITS.NAME_SAVE_MS * 2)
    await batch(address('/a/two'))
    const { rules: listed } = await rules.load(PROJECT)
    expect(listed).toMatchObject([{ pattern: '/a/*', isOwn: true, use: { times: 2 } }])
    expect(await rules.change(PROJECT, '/a/*', 'removed')).toMatchObject({ ok: true })
    pass(LIMITS.NAME_RULES_AGE_MS)
    expect(await batch(address('/a/one'))).toEqual(['/a/one'])
    expect((await rules.load(PROJECT)).rules).toEqual([])
  })

  it('is told what is no rule, and what there is none of', async () => {
    expect(await rules.change(PROJECT, '/*', 'own')).toMatchObject({ ok: false, error: expect.any(String) })
    expect(await rules.change(PROJECT, '/nothing/*', 'refused')).toEqual({ ok: false, error: null })
    expect(await rules.change(PROJECT, '/nothing/*', 'removed')).toEqual({ ok: false, error: null })
    for (let index = 0; index < LIMITS.NAME_RULES_OWN; index += 1) await rules.change(PROJECT, `/a${index}/*`, 'own')
    expect(await rules.change(PROJECT, '/more/*', 'own')).toMatchObject({ ok: false, error: expect.any(String) })
    expect(await rules.change(PROJECT, '/a1/*', 'own')).toMatchObject({ ok: true })
  })

  it('T30: the number of names without a place is stored', async () => {
    const many = Array.from({ length: LIMITS.NAME_PLACES + 100 }, (_, index) => ({
      text: `job ${index}`,
      isAddress: false,
    }))
    expect((await batch(...many)).at(-1)).toBe(OTHER)
    expect((await rules.load(PROJECT)).seen).toMatchObject({ places: LIMITS.NAME_PLACES, other: { times: 100 } })
  })

  it('a learned rule that is not used any more goes, a refused one stays', async () => {
    await batch(...slugs(0, 30), ...Array.from({ length: 30 }, (_, index) => address(`/blog/${slug(index)}`)))
    await rules.change(PROJECT, '/blog/*/**', 'refused')
    pass((LIMITS.NAME_RULE_DAYS + 1) * 24 * 3_600_000)
    await rules.forgetOld()
    const { rules: listed, seen } = await rules.load(PROJECT)
    expect(listed).toMatchObject([{ pattern: '/blog/*/**', isRefused: true, use: { examples: [] } }])
    expect(seen).toBeNull()
  })

  it('a project that was deleted meanwhile keeps no batch from being stored', async () => {
    await names.recall([77])
    names.nameOf(77, address('/a/1'), { at: clock.now(), isTransaction: true })
    await opened.ledger.transaction((transaction) => names.save({ transaction, now: clock.now() }, [77]))
    expect(await opened.ledger.db.selectFrom('known_names').selectAll().execute()).toEqual([])
  })
})
