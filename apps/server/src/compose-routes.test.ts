import { describe, expect, it } from 'vitest'
import { CAPABILITIES } from './capabilities.ts'
import { otlpAddressesOf, rulesOf } from './compose-routes.ts'

describe('the rules of the door', () => {
  const reports = { name: 'check-ins', itemRules: new Map([['security', { json: 'drop' as const }]]) }

  it.each([
    ['before', [reports, ...CAPABILITIES]],
    ['after', [...CAPABILITIES, reports]],
  ])('are those of the capability that takes a type over, %s the one that kept it', (_, capabilities) => {
    expect(rulesOf(CAPABILITIES).get('security')).toMatchObject({ json: 'refuse' })
    expect(rulesOf(capabilities).get('security')).toEqual({ json: 'drop' })
  })

  it('are declared once', () => {
    expect(() => rulesOf([...CAPABILITIES, { ...reports, name: 'others' }, reports])).toThrow(
      'There are two declarations of the rule for items of type security',
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
