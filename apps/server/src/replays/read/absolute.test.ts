import { describe, expect, it } from 'vitest'
import type { Mark } from '../mark.ts'
import { absolute, absoluteMarks, absolutePages } from './absolute.ts'

const PAGE = 'https://shop.example/tea/green?cup=1'

const mark = (at: number, kind: Mark['kind'], more: Partial<Mark>): Mark => ({
  at,
  kind,
  text: '',
  url: '',
  element: null,
  value: null,
  duration: null,
  status: 0,
  detail: {},
  ...more,
})

describe('addresses of a recording', () => {
  it.each([
    ['/cart', 'https://shop.example/cart'],
    ['black', 'https://shop.example/tea/black'],
    ['?cup=2', 'https://shop.example/tea/green?cup=2'],
    ['#leaves', 'https://shop.example/tea/green?cup=1#leaves'],
    ['//cdn.example/a.js', 'https://cdn.example/a.js'],
    ['https://api.example/x', 'https://api.example/x'],
    ['data:text/plain,x', 'data:text/plain,x'],
    ['', ''],
    ['[Filtered]', '[Filtered]'],
    ['***', '***'],
    ['//[', '//['],
  ])('are those of the page they were given on: %j', (given, meant) => {
    expect(absolute(given, PAGE)).toBe(meant)
    expect(absolute(given, '')).toBe(given)
    expect(absolute(given, 'CartActivity')).toBe(given)
  })

  it('follow the pages that were visited', () => {
    const visited = ['/a/b', 'c', 'https://other.example/x/', 'y']
    const whole = [
      'https://shop.example/a/b',
      'https://shop.example/a/c',
      'https://other.example/x/',
      'https://other.example/x/y',
    ]
    expect(absolutePages(visited, PAGE)).toEqual(whole)
    expect(absolutePages(['CartActivity', 'Checkout'], '')).toEqual(['CartActivity', 'Checkout'])
  })

  it('of requests and navigations are whole, by the page at their time', () => {
    const marks = [
      mark(5, 'request', { text: 'items' }),
      mark(3, 'navigation', { url: '/cart/', detail: { from: '/tea/green' } }),
      mark(1, 'request', { text: 'leaves' }),
      mark(7, 'page', { url: 'https://pay.example/' }),
      mark(9, 'request', { text: '/pay' }),
      mark(9, 'console', { text: '/no address' }),
    ]
    expect(absoluteMarks(marks, PAGE).map(({ detail, text, url }) => [text, url, detail['from']])).toEqual([
      ['https://shop.example/cart/items', '', undefined],
      ['', 'https://shop.example/cart/', 'https://shop.example/tea/green'],
      ['https://shop.example/tea/leaves', '', undefined],
      ['', 'https://pay.example/', undefined],
      ['https://pay.example/pay', '', undefined],
      ['/no address', '', undefined],
    ])
  })
})
