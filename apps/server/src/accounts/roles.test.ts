import * as contract from '@firsthand/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveScopes, missingFor, ROLE_SCOPES, ROLES, SCOPES } from './roles.ts'

describe('roles', () => {
  it('form a total table: each stronger role may do all that a weaker one may, the owner everything', () => {
    expect(Object.keys(ROLE_SCOPES)).toEqual([...ROLES])
    expect([...ROLE_SCOPES.owner].toSorted()).toEqual([...SCOPES].toSorted())
    fc.assert(
      fc.property(fc.constantFrom(...ROLES), fc.constantFrom(...ROLES), (one, other) => {
        const stronger = ROLES.indexOf(one) <= ROLES.indexOf(other)
        expect(missingFor(effectiveScopes(one, null), other).length === 0).toBe(stronger)
        expect(ROLE_SCOPES[other].every((scope) => ROLE_SCOPES[one].includes(scope))).toBe(stronger)
        expect(new Set(ROLE_SCOPES[one]).size).toBe(ROLE_SCOPES[one].length)
      }),
    )
  })

  it.each(ROLES.flatMap((role) => SCOPES.map((scope) => [role, scope] as const)))(
    'the role %s is given and taken without %s only when it has not that scope itself',
    (role, scope) => {
      const others = new Set(SCOPES.filter((other) => other !== scope))
      const needed = ROLE_SCOPES[role].includes(scope)
      expect(missingFor(others, role)).toEqual(needed ? [scope] : [])
      expect(missingFor(new Set([scope]), role)).toEqual(ROLE_SCOPES[role].filter((other) => other !== scope))
    },
  )

  it.each(ROLES.flatMap((role) => SCOPES.map((scope) => [role, scope] as const)))(
    'a token of a person who is %s has %s only when the role has it',
    (role, scope) => {
      const left = effectiveScopes(role, [scope])
      expect([...left]).toEqual(ROLE_SCOPES[role].includes(scope) ? [scope] : [])
      // So a token alone gives and takes no role whose scopes it has not all.
      for (const other of ROLES) expect(missingFor(left, other).length).toBeGreaterThan(0)
    },
  )

  it('give every scope that an endpoint asks for to somebody', () => {
    for (const [name, endpoint] of Object.entries(contract.ENDPOINTS)) {
      if (endpoint.scope === 'public' || endpoint.scope === 'signed-in') continue
      expect(ROLE_SCOPES.owner, name).toContain(endpoint.scope)
    }
  })
})
