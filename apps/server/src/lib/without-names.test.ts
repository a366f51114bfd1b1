import { describe, expect, it } from 'vitest'
import { ERASED_NAME, namesIn } from './without-names.ts'

const names = namesIn({
  keys: ['id:7', 'username:ada l', 'email:ada@x.example', 'ip:10.0.0.7'],
  emails: ['ada@x.example'],
})

describe('names of a person', () => {
  it.each([
    ['Errors: 7 > 5 errors in 5 minutes, user.id 7', `Errors: 7 > 5 errors in 5 minutes, user.id ${ERASED_NAME}`],
    ['Errors: 7 > 5, user.id 7, release 7', `Errors: 7 > 5, user.id ${ERASED_NAME}, release 7`],
    ['Errors, user id:7', `Errors, user ${ERASED_NAME}`],
    ['Errors, user.username ada l', `Errors, user.username ${ERASED_NAME}`],
    ['Errors, user.ip 10.0.0.7, tags[user] 7', `Errors, user.ip ${ERASED_NAME}, tags[user] ${ERASED_NAME}`],
    ['Wrote to Ada@X.example.', `Wrote to ${ERASED_NAME}.`],
    ['3 more alerts: 7, 8, …', `3 more alerts: ${ERASED_NAME}, 8, …`],
    ['2 alerts: 8 and 7', `2 alerts: 8 and ${ERASED_NAME}`],
    ['1 more alert of “By id”: 7', `1 more alert of “By id”: ${ERASED_NAME}`],
    ['3 are over: 8, ada l', `3 are over: 8, ${ERASED_NAME}`],
    ['All 2 are over: 7, 8', `All 2 are over: ${ERASED_NAME}, 8`],
    ['All 3 that were listed are over in shop: 8, 7', `All 3 that were listed are over in shop: 8, ${ERASED_NAME}`],
    ['2 of 3 are over in shop: 8, ada l', `2 of 3 are over in shop: 8, ${ERASED_NAME}`],
    ['1 of 2 is not over after all: 7', `1 of 2 is not over after all: ${ERASED_NAME}`],
    ['All 4 are over: 8, 9, 10.0…', `All 4 are over: 8, 9, ${ERASED_NAME}…`],
    // Cut, as titles are where they are long.
    ['Errors, release 7, user.email Ada@…', `Errors, release 7, user.email ${ERASED_NAME}…`],
    ['Errors, user.ip 10.0.0.7…', `Errors, user.ip ${ERASED_NAME}…`],
    ['Errors, user.username ada…', `Errors, user.username ${ERASED_NAME}…`],
    ['3 more alerts: 8, ada…', `3 more alerts: 8, ${ERASED_NAME}…`],
    ['Errors, customer ada@x.…', `Errors, customer ${ERASED_NAME}…`],
  ])('are taken out of “%s”', (text, without) => {
    expect(names.without(text)).toBe(without)
  })

  it.each([
    'Errors: 7 > 5 errors in 7 minutes, release 7',
    'Errors, user.id 70, user.id 7.1, user id:70, user id:7.1',
    'mada@x.example, ada@x.example.org, ada@x.examples',
    'The user 7up',
    'Errors: 7, 8',
    '3 more new issues in shop: ada l, 7',
    'Errors, user.username eda…',
    'Errors, customer ada…',
    'Errors, customer mada@x.…',
  ])('of others stay in “%s”', (text) => {
    expect(names.without(text)).toBe(text)
  })

  it.each([
    ['7, 8', `${ERASED_NAME}, 8`],
    ['Meier, Marta, 1.0.0', `${ERASED_NAME}, 1.0.0`],
    ['1.0.0, Meier, Ma…', `1.0.0, ${ERASED_NAME}…`],
    ['17, 70', '17, 70'],
  ])('are taken out of the values “%s”', (text, without) => {
    expect(namesIn({ keys: ['id:7', 'username:Meier, Marta'], emails: [] }).withoutValues(text)).toBe(without)
  })

  it('are values of attributes of users, an address of any', () => {
    expect(names.isName('user.id', '7')).toBe(true)
    expect(names.isName('release', '7')).toBe(false)
    expect(names.isName('users', '7')).toBe(false)
    expect(names.isName('customer', 'ADA@x.example')).toBe(true)
    expect(names.isName('user', 'id:7')).toBe(true)
  })
})
