import { describe, expect, it } from 'vitest'
import { CAPABILITIES } from './capabilities.ts'
import { otlpAddressesOf, rulesOf } from './compose-routes.ts'

describe('the rules of the door', () => {
  const checkIns = { name: 'check-ins', itemRules: new Map([['check_in', { json: 'drop' as const }]]) }

  it.each([
    ['before', [checkIns, ...CAPABILITIES]],
    ['after', [...CAPABILITIES, checkIns]],
  ])('are those of the capability that takes a type over, %s the one that kept it', (_, capabilities) => {
    expect(rulesOf(CAPABILITIES).get('check_in')).toMatchObject({ json: 'refuse' })
    expect(rulesOf(capabilities).get('check_in')).toEqual({ json: 'drop' })
  })

  it('are declared once', () => {
    expect(() => rulesOf([...CAPABILITIES, { ...checkIns, name: 'others' }, checkIns])).toThrow(
      'There are two declarations of the rule for items of type check_in',
    )
  })
})

describe('the addresses of exports', () => {
  it('bring items for which their capability has a rule', () => {
    const withoutRule = CAPABILITIES.flatMap(({ name, itemRules, otlpAddresses = [] }) =>
      [...otlpAddresses].filter(([, type]) => itemRules?.has(type) !== true).map(([word]) => [name, word]),
    )
    expect(otlpAddressesOf(CAPABILITIES).size).toBeGreaterThan(0)
    expect(withoutRule).toEqual([])
  })

  it('are declared once', () => {
    const otlpAddresses = new Map([['greetings', 'greeting']])
    expect(() =>
      otlpAddressesOf([...CAPABILITIES, { name: 'one', otlpAddresses }, { name: 'other', otlpAddresses }]),
    ).toThrow('There are two declarations of the OTLP address greetings')
  })
})
