import { describe, expect, it } from 'vitest'
import { CAPABILITIES } from './capabilities.ts'
import { rulesOf } from './compose-routes.ts'

describe('the rules of the door', () => {
  const spans = { name: 'spans', itemRules: new Map([['transaction', { json: 'drop' as const }]]) }

  it.each([
    ['before', [spans, ...CAPABILITIES]],
    ['after', [...CAPABILITIES, spans]],
  ])('are those of the capability that takes a type over, %s the one that kept it', (_, capabilities) => {
    expect(rulesOf(CAPABILITIES).get('transaction')).toMatchObject({ json: 'refuse' })
    expect(rulesOf(capabilities).get('transaction')).toEqual({ json: 'drop' })
  })

  it('are declared once', () => {
    expect(() => rulesOf([...CAPABILITIES, { ...spans, name: 'others' }, spans])).toThrow(
      'There are two declarations of the rule for items of type transaction',
    )
  })
})
