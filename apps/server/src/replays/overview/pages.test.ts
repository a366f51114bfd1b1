import { describe, expect, it } from 'vitest'
import { pagesOf } from './pages.ts'

const load = (at: number, url: string, width = 1440, height = 900) => ({
  at,
  kind: 'page',
  url,
  detail: { width: String(width), height: String(height) },
})
const goTo = (at: number, url: string, category?: string) => ({
  at,
  kind: 'navigation',
  url,
  detail: category === undefined ? {} : { category },
})

describe('the pages of a replay', () => {
  it('R59 two loads, and what each of them went to without another, are each resolved against the page before', () => {
    const pages = pagesOf([
      load(0, 'https://shop.example/'),
      goTo(1000, '/cart?x=1'),
      goTo(1000, 'https://shop.example/cart?x=1'),
      // The loading of the next page is told of by its recording.
      goTo(1900, 'https://pay.example/', 'navigate'),
      load(2000, 'https://pay.example/', 390, 844),
      goTo(3000, '/cart', 'push'),
      goTo(4000, 'http://['),
      { at: 5000, kind: 'click', url: '/nowhere', detail: {} },
      goTo(6000, '#total'),
    ])
    expect(pages.map(({ at, url, width }) => [at, url, width])).toEqual([
      [0, 'https://shop.example/', 1440],
      [1000, 'https://shop.example/cart?x=1', 1440],
      [2000, 'https://pay.example/', 390],
      [3000, 'https://pay.example/cart', 390],
      [6000, 'https://pay.example/cart#total', 390],
    ])
  })

  it('R59 a page that is taken down anew is the same one, and one that was loaded again is another', () => {
    const [cart, turned] = ['https://shop.example/cart', 844]
    const pages = pagesOf([
      goTo(0, cart, 'navigate'),
      load(6000, cart),
      load(20_000, cart),
      goTo(30_000, cart, 'reload'),
      load(30_400, cart),
      load(60_000, cart),
      load(70_000, cart, turned, 390),
    ])
    expect(pages.map(({ at, width }) => [at, width])).toEqual([
      [6000, 1440],
      [30_400, 1440],
      [70_000, turned],
    ])
  })

  it('R59 before a page is known no address is', () => {
    expect(pagesOf([goTo(0, '/cart')])).toEqual([])
  })

  it('R11 R59 the screens of an app are called as the app calls them, and one that is turned is another', () => {
    const pages = pagesOf([
      load(0, '', 390, 844),
      goTo(1000, 'CartActivity'),
      load(5000, '', 390, 844),
      load(10_000, '', 844, 390),
      goTo(11_000, 'PayActivity'),
    ])
    expect(pages.map(({ at, url, width }) => [at, url, width])).toEqual([
      [0, '', 390],
      [1000, 'CartActivity', 390],
      [10_000, 'CartActivity', 844],
      [11_000, 'PayActivity', 844],
    ])
  })
})
