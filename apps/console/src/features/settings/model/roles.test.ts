import { ROLES } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { ROLE_ORDER, rolesToGive } from './roles.ts'

it('knows every role of the contract, strongest first', () => {
  expect(ROLE_ORDER).toEqual(ROLES)
})

it('nobody gives a role stronger than their own', () => {
  expect(rolesToGive('owner')).toEqual(['owner', 'admin', 'member', 'viewer'])
  expect(rolesToGive('admin')).not.toContain('owner')
  expect(rolesToGive(undefined)).toEqual([])
})
