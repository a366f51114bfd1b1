import type { EventSummary } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'

import { cellText, eventColumns } from './event-columns.ts'
import { isLong, isSaid } from './long-text.ts'

const row = (tags: Readonly<Record<string, string>>, more: Partial<EventSummary> = {}): EventSummary =>
  ({
    title: 'TypeError: boom',
    user: null,
    tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
    ...more,
  }) as EventSummary

describe('the columns of the list of events', () => {
  it('are what varies, fields before tags; what is the same for all is said once', () => {
    const { varying, constant } = eventColumns([
      row({
        release: 'shop@1',
        environment: 'production',
        browser: 'Safari 17.1',
        'browser.name': 'Safari',
        plan: 'free',
      }),
      row({
        release: 'shop@2',
        environment: 'production',
        browser: 'Safari 18.0',
        'browser.name': 'Safari',
        level: 'error',
      }),
    ])
    expect(varying.map(({ label }) => label)).toEqual(['Release', 'plan'])
    expect(varying.map(({ valueOf }) => valueOf(row({ release: 'shop@1' })))).toEqual(['shop@1', ''])
    expect(constant).toEqual([
      { label: 'Environment', value: 'production' },
      { label: 'browser.name', value: 'Safari' },
    ])
  })

  it('say of a release and of an address the part that varies', () => {
    const events = [
      row({ release: 'shop-web@2.4.0', url: 'https://shop.example/basket?step=2' }),
      row({ release: 'shop-web@2.4.1', url: 'about:blank' }),
    ]
    const { varying } = eventColumns(events)
    expect(events.map((event) => varying.map((column) => cellText(column, event)))).toEqual([
      ['2.4.0', '/basket?step=2'],
      ['2.4.1', 'about:blank'],
    ])
  })

  it('are the fields for a single event, and at most five', () => {
    expect(eventColumns([row({ plan: 'free' })]).varying.map(({ key }) => key)).toEqual([
      'title',
      'user',
      'release',
      'environment',
    ])
    const many = (value: string) => row(Object.fromEntries('abcdefgh'.split('').map((key) => [key, value])))
    expect(eventColumns([many('1'), many('2')]).varying.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

describe('a message', () => {
  it('is not said again where the heading says all of it', () => {
    const said = { lead: 'TypeError', rest: 'boom' }
    expect(isSaid(said, 'TypeError', 'boom')).toBe(true)
    expect(isSaid(said, 'RangeError', 'boom')).toBe(false)
    expect(isSaid(said, 'TypeError', 'boom\nand more')).toBe(false)
    expect(isSaid(said, '', 'boom')).toBe(true)
    expect(isSaid({ lead: 'boom', rest: '' }, '', 'boom')).toBe(true)
    // So long a heading is cut on a phone.
    expect(isSaid({ lead: 'b'.repeat(200), rest: '' }, '', 'b'.repeat(200))).toBe(false)
  })

  it('is cut when it has many lines or characters', () => {
    expect(isLong('a\nb\nc')).toBe(false)
    expect(isLong('a\n'.repeat(10))).toBe(true)
    expect(isLong('a'.repeat(700))).toBe(true)
  })
})
