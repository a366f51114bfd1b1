import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import type { SentName } from '../read/names.ts'
import { OTHER, ProjectNames, UNUSED, type NameRule } from './project-names.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 10, 22)

const address = (text: string): SentName => ({ text, isAddress: true })
const route = (text: string): SentName => ({ text, isAddress: false })

const begin = (tree: string | null = null, rules: readonly NameRule[] = []) => {
  const stored = rules.map((rule) => ({ ...rule, use: UNUSED }))
  const names = new ProjectNames({ rules: stored, seen: null, tree, at: START })
  const nameOf = (sent: SentName, at = START): string => names.nameOf(sent, { at, isTransaction: true })
  return { names, nameOf, changes: () => names.takeChanges(START + HOUR_MS) }
}

const learnedRule = (pattern: string, isRefused = false): NameRule => ({ pattern, isOwn: false, isRefused })
const ownRule = (pattern: string): NameRule => ({ pattern, isOwn: true, isRefused: false })

const WORDS = ['red', 'blue', 'green', 'grey', 'pink', 'teal']
/** Words that no form gives away. */
const slug = (index: number): string =>
  `${WORDS[index % 6]}-${WORDS[Math.floor(index / 6) % 6]}-${WORDS[Math.floor(index / 36) % 6]}-shoes`

/** Sends so many different ones. */
const send = (nameOf: (sent: SentName) => string, count: number, path: (slug: string) => string, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => nameOf(address(path(slug(from + index)))))

describe('rules for names that are learned', () => {
  it('T28: are made of 30 slugs under one node, with examples', () => {
    const { nameOf, changes } = begin()
    const names = send(nameOf, LIMITS.NAME_SLUGS, (one) => `/shop/${one}/reviews`)
    expect(names.slice(0, -1)).toEqual(send(() => '', 29, String).map((_, index) => `/shop/${slug(index)}/reviews`))
    expect(names.at(-1)).toBe('/shop/*/reviews')
    expect(nameOf(address('/shop/brand-new/photos'))).toBe('/shop/*/photos')
    expect(nameOf(address('GET /shop/brand-new'))).toBe('GET /shop/*')
    expect(nameOf(address('/shop'))).toBe('/shop')
    const { learned, uses } = changes() ?? {}
    expect(learned).toEqual(['/shop/*/**'])
    const [[pattern, use] = []] = uses ?? []
    expect(pattern).toBe('/shop/*/**')
    expect(use?.times).toBe(3)
    expect(use?.examples).toContainEqual({ sent: '/shop/brand-new/photos', name: '/shop/*/photos' })
    expect(use?.examples).toContainEqual({ sent: `/shop/${slug(28)}/reviews`, name: '/shop/*/reviews' })
    expect(use?.examples).toHaveLength(LIMITS.NAME_EXAMPLES)
  })

  it('T28: of which a refused one is not made again', () => {
    const { nameOf, changes } = begin(null, [learnedRule('/shop/*/**', true)])
    expect(new Set(send(nameOf, 100, (one) => `/shop/${one}`)).size).toBe(100)
    expect(changes()?.learned).toEqual([])
  })

  it('T28: survive a restart, and so do the slugs that came before it', () => {
    const before = begin()
    send(before.nameOf, 20, (one) => `/shop/${one}`)
    const after = begin(before.changes()?.tree)
    expect(send(after.nameOf, 10, (one) => `/shop/${one}`, 20).at(-1)).toBe('/shop/*')
  })

  it('are not made of pages: those that come slower than slugs, and the sections of a site', () => {
    const { nameOf, changes } = begin()
    for (let index = 0; index < 200; index += 1) {
      expect(nameOf(address(`/docs/${slug(index)}`), START + index * HOUR_MS)).toBe(`/docs/${slug(index)}`)
      expect(nameOf(address(`https://shop.example/${slug(index)}`))).toBe(`https://shop.example/${slug(index)}`)
      expect(nameOf(address(`/${slug(index)}`))).toBe(`/${slug(index)}`)
    }
    expect(changes()?.learned).toEqual([])
  })

  it('are made below another one, at once where the same slugs show it', () => {
    const { nameOf, changes } = begin()
    for (let index = 0; index < LIMITS.NAME_SLUGS; index += 1) nameOf(address(`/u/${slug(index)}/${slug(index + 99)}`))
    expect(changes()?.learned).toEqual(['/u/*/**', '/u/*/*/**'])
    expect(nameOf(address('/u/ann/blog'))).toBe('/u/*/*')
    expect(nameOf(address('/u/ann'))).toBe('/u/*')
  })

  it('T26: say nothing about a route of a framework', () => {
    const { nameOf } = begin(null, [learnedRule('/shop/*/**')])
    expect(nameOf(route('GET /shop/:slug/reviews'))).toBe('GET /shop/:slug/reviews')
    expect(nameOf(address('GET /shop/red/reviews'))).toBe('GET /shop/*/reviews')
  })

  it('T26: say nothing about spans below a route, which do not say that it is one', () => {
    const { names, nameOf, changes } = begin(null, [learnedRule('/shop/*/**')])
    const below = (text: string): string => names.nameOf(address(text), { at: START, isTransaction: false })
    nameOf(route('GET /shop/sale/reviews'))
    expect(below('GET /shop/sale/reviews')).toBe('GET /shop/sale/reviews')
    expect(below('GET /shop/red/reviews')).toBe('GET /shop/*/reviews')
    for (let index = 0; index < 100; index += 1) below(`/api/${slug(index)}`)
    expect(changes()?.learned).toEqual([])
  })

  it('T28: rename nothing that came often by itself, however many words somebody makes up beside it', () => {
    const { nameOf, changes } = begin()
    for (let times = 0; times < LIMITS.NAME_OFTEN; times += 1) nameOf(address('/shop/cart/items'))
    nameOf(route('/shop/about'))
    expect(send(nameOf, LIMITS.NAME_SLUGS, (one) => `/shop/${one}`).at(-1)).toBe('/shop/*')
    const { learned = [], tree } = changes() ?? {}
    expect(learned).toEqual(['/shop/*/**'])
    const restarted = begin(
      tree,
      learned.map((pattern) => learnedRule(pattern)),
    )
    for (const named of [nameOf, restarted.nameOf]) {
      expect(named(address('/shop/cart/items'))).toBe('/shop/cart/items')
      expect(named(address('/shop/cart/address'))).toBe('/shop/cart/address')
      expect(named(address('/shop/about'))).toBe('/shop/about')
      expect(named(address('/shop/shoes'))).toBe('/shop/*')
    }
    const below = { at: START, isTransaction: false }
    expect(restarted.names.nameOf(address('/shop/cart/items'), below)).toBe('/shop/cart/items')
    expect(restarted.names.nameOf(address('/shop/shoes'), below)).toBe('/shop/*')
  })

  it('are made of rare words only: of pages that all came often there is none', () => {
    const { nameOf, changes } = begin()
    for (let index = 0; index < 100; index += 1) {
      for (let times = 0; times < LIMITS.NAME_OFTEN; times += 1) nameOf(address(`/docs/${slug(index)}`))
    }
    expect(send(nameOf, LIMITS.NAME_SLUGS - 2, (one) => `/docs/${one}`, 100).at(-1)).toMatch(/shoes$/)
    expect(changes()?.learned).toEqual([])
    expect(send(nameOf, 3, (one) => `/docs/${one}`, 200).at(-1)).toBe('/docs/*')
    expect(nameOf(address(`/docs/${slug(99)}`))).toBe(`/docs/${slug(99)}`)
  })

  it('are no more than a project may have', () => {
    const { nameOf, changes } = begin()
    for (let shop = 0; shop < LIMITS.NAME_RULES_LEARNED + 5; shop += 1) {
      send(nameOf, LIMITS.NAME_SLUGS, (one) => `/shop-${String.fromCodePoint(0x4e00 + shop)}/${one}`)
    }
    expect(changes()?.learned).toHaveLength(LIMITS.NAME_RULES_LEARNED)
  })
})

describe('rules of a project', () => {
  it('T29: hold for what comes next, before all others and for every name', () => {
    const { names, nameOf } = begin(null, [learnedRule('/shop/*/**')])
    expect(nameOf(address('/shop/cart'))).toBe('/shop/*')
    names.setRules([learnedRule('/shop/*/**'), ownRule('/shop/cart'), ownRule('send * mails'), ownRule('/v/2026/**')])
    expect(nameOf(address('/shop/cart'))).toBe('/shop/cart')
    expect(nameOf(address('/shop/red-shoes'))).toBe('/shop/*')
    expect(nameOf(route('send 17 mails'))).toBe('send * mails')
    expect(nameOf(address('/v/2026/11'))).toBe('/v/2026/11')
    names.setRules([learnedRule('/shop/*/**', true)])
    expect(nameOf(address('/shop/red-shoes'))).toBe('/shop/red-shoes')
    expect(nameOf(route('send 17 mails'))).toBe('send 17 mails')
  })
})

describe('names of which there are too many', () => {
  it('T30: a million, and memory stays bounded: the rest is one, whose number is known', () => {
    const { names, nameOf, changes } = begin()
    nameOf(address('/checkout'))
    const different = new Set<string>()
    const few = (index: number): string =>
      index.toString(26).replace(/./g, (digit) => String.fromCodePoint(97 + Number.parseInt(digit, 26)))
    for (let index = 0; index < 500_000; index += 1) {
      different.add(nameOf(address(`/${few(index)}`)))
      different.add(nameOf(route(few(index))))
    }
    expect(names.places).toBe(LIMITS.NAME_PLACES)
    expect(different.has(OTHER)).toBe(true)
    const kept = different.size - 1
    expect(kept).toBeLessThanOrEqual(LIMITS.NAME_PLACES)
    expect(nameOf(address('/checkout'))).toBe('/checkout')
    const { seen, tree } = changes() ?? {}
    expect(seen?.other.times).toBe(1_000_000 - kept)
    expect(seen?.other.examples).toHaveLength(LIMITS.NAME_EXAMPLES)
    expect(tree?.length).toBeLessThan(1_000_000)
  })

  it('T29, T30: leave what a rule of the project names its name, but for a rest that it keeps', () => {
    const { names, nameOf } = begin(null, [ownRule('/payments/*'), ownRule('/files/**')])
    for (let index = 0; index < LIMITS.NAME_PLACES + 500; index += 1) nameOf(route(`job ${index}`))
    expect(nameOf(route('POST /payments/{id}'))).toBe('POST /payments/*')
    expect(nameOf(address('/payments/latest'))).toBe('/payments/*')
    const below = { at: START, isTransaction: false }
    expect(names.nameOf(address('/payments/latest'), below)).toBe('/payments/*')
    expect(nameOf(route('/files/a/b'))).toBe(OTHER)
  })

  it('T30: what was not seen for a day gives way to what is new', () => {
    const { nameOf } = begin()
    for (let index = 0; index < LIMITS.NAME_PLACES; index += 1) nameOf(route(`job ${index}`))
    expect(nameOf(route('a new one'))).toBe(OTHER)
    const later = START + (LIMITS.NAME_PLACE_HOURS + 1) * HOUR_MS
    expect(nameOf(route('a new one'), later)).toBe('a new one')
  })

  it('T30: those that somebody makes up take no places from those that are in use, nor keep them', () => {
    const { names, nameOf, changes } = begin()
    const invent = (count: number, from = 0): void => {
      for (let index = from; index < from + count; index += 1) nameOf(route(`invented ${index}`))
    }
    nameOf(route('known before'))
    nameOf(route('known before'))
    invent(LIMITS.NAME_PLACES + 500)
    const real = [route('GET /orders/:id'), address('/checkout/pay'), address('GET /cart')]
    expect(real.map((sent) => nameOf(sent))).toEqual([OTHER, OTHER, OTHER])
    real.map((sent) => nameOf(sent))
    const own = real.map(({ text }) => text)
    expect(real.map((sent) => nameOf(sent))).toEqual(own)
    invent(LIMITS.NAME_PLACES, LIMITS.NAME_PLACES + 500)
    for (const after of [nameOf, begin(changes()?.tree).nameOf]) {
      expect(real.map((sent) => after(sent))).toEqual(own)
      expect(after(route('known before'))).toBe('known before')
    }
    expect(names.places).toBeLessThanOrEqual(LIMITS.NAME_PLACES)
  })

  it('T30: that come several times each need ever more times: they stay few', () => {
    const { names, nameOf } = begin()
    const different = new Set<string>()
    for (const [round, times] of [1, 3, 3, 3, 6].entries()) {
      for (let index = 0; index < LIMITS.NAME_PLACES * times; index += 1) {
        different.add(nameOf(route(`${round} ${Math.floor(index / times)}`)))
      }
    }
    expect(different.size).toBeLessThanOrEqual(2 * LIMITS.NAME_PLACES + 1)
    expect(names.places).toBe(LIMITS.NAME_PLACES)
  })

  it('T30: of one place that must not be a rule, others have room beside it', () => {
    const { nameOf } = begin(null, [learnedRule('/shop/*/**', true)])
    for (let index = 0; index < 5000; index += 1) nameOf(address(`/shop/${String.fromCodePoint(0x4e00 + index)}`))
    expect(nameOf(address('/shop/one-more'))).toBe(OTHER)
    expect(nameOf(address('/elsewhere/one-more'))).toBe('/elsewhere/one-more')
    nameOf(address('/shop/one-more'))
    expect(nameOf(address('/shop/one-more'))).toBe('/shop/one-more')
  })
})
