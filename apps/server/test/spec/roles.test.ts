import { ROLES, SCOPES } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { ROLE_SCOPES } from '../../src/accounts/roles.ts'
import { cell, differences, tableOf } from './spec-tables.ts'
import type { Fact } from './spec-tables.ts'

describe('docs/spec.md section 6', () => {
  it('says which role has which scope', () => {
    const documented = tableOf('roles').map((row): Fact => [
      cell(row, 'scope'),
      ROLES.filter((role) => cell(row, role) === 'yes').join(' '),
    ])
    const code = SCOPES.map((scope): Fact => [
      scope,
      ROLES.filter((role) => ROLE_SCOPES[role].includes(scope)).join(' '),
    ])
    expect(differences('roles', documented, code)).toEqual([])
  })
})
