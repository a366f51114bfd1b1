import type { InboxItem } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { shortTitles, wordsBeside } from './short-titles.ts'

const item = (title: string): InboxItem => ({
  id: title,
  kind: 'subscribed',
  actor: null,
  level: 'info',
  title,
  detail: '',
  path: '',
  dateCreated: '2026-11-27T09:00:00.000Z',
})
const short = (title: string, titles: readonly string[]) => shortTitles(title, titles.map(item)).map((one) => one.title)

describe('what happened, in short', () => {
  it('leaves out what the things of a line have in common', () => {
    const error = 'TypeError: a is undefined'
    expect(short(`Resolved, SHOP-6: ${error}`, [`Resolved, SHOP-6: ${error}`, `Came back, SHOP-6: ${error}`])).toEqual([
      'Resolved, SHOP-6',
      'Came back, SHOP-6',
    ])
  })

  it('leaves alone what is about something else', () => {
    expect(short('Ben: “broken”', ['Marta: “gone”'])).toEqual(['Marta: “gone”'])
    expect(short('No colon', ['No colon'])).toEqual(['No colon'])
    expect(short('A: b', [': b'])).toEqual([': b'])
  })
})

describe('what stands beside a title', () => {
  it.each([
    ['Marta: “voucher does nothing”', 'voucher does nothing', ''],
    ['SHOP-6 assigned to you: TypeError: x', 'TypeError: x', ''],
    ['Marta: “voucher…”', 'voucher does nothing', 'voucher does nothing'],
    ['TypeError: x', '', ''],
    ['TypeError: x', 'in /cart', 'in /cart'],
  ])('%s beside %j: %j', (title, detail, said) => {
    expect(wordsBeside({ actor: null, title, detail })).toBe(said)
  })

  it('names who said it, and nobody where nothing was said', () => {
    const actor = { id: '1', name: '', email: 'ben@acme.example' }
    const title = 'New note in SHOP-6: TypeError: x'
    expect(wordsBeside({ actor, title, detail: 'It is the till.' })).toBe('ben@acme.example: It is the till.')
    expect(wordsBeside({ actor: { ...actor, name: 'Ben' }, title, detail: 'Look' })).toBe('Ben: Look')
    expect(wordsBeside({ actor, title, detail: 'TypeError: x' })).toBe('')
  })
})
