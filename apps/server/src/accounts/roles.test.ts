import * as contract from '@firsthand/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayManage, ROLE_SCOPES, ROLES, SCOPES } from './roles.ts'

describe('roles', () => {
  it('form a total table: each stronger role may do all that a weaker one may, the owner everything', () => {
    expect(Object.keys(ROLE_SCOPES)).toEqual([...ROLES])
    expect([...ROLE_SCOPES.owner].toSorted()).toEqual([...SCOPES].toSorted())
    fc.assert(
      fc.property(fc.constantFrom(...ROLES), fc.constantFrom(...ROLES), (one, other) => {
        const stronger = ROLES.indexOf(one) <= ROLES.indexOf(other)
        expect(mayManage(one, other)).toBe(stronger)
        expect(ROLE_SCOPES[other].every((scope) => ROLE_SCOPES[one].includes(scope))).toBe(stronger)
        expect(new Set(ROLE_SCOPES[one]).size).toBe(ROLE_SCOPES[one].length)
      }),
    )
  })

  it('give every scope that an endpoint asks for to somebody', () => {
    for (const [name, endpoint] of Object.entries(contract.ENDPOINTS)) {
      if (endpoint.scope === 'public' || endpoint.scope === 'signed-in') continue
      expect(ROLE_SCOPES.owner, name).toContain(endpoint.scope)
    }
  })
})
