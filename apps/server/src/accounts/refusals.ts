import { failure } from './failure.ts'
import type { Failure } from './failure.ts'

/** Refusals that several of the organisation's parts give. */

export const NO_MEMBER = failure('not_found', 'This member does not exist.')

/** A limit of an organisation that is reached. */
export const full = (what: string, limit: number): Failure =>
  failure('conflict', `An organisation has at most ${limit} ${what}. Remove some first.`)

/** The limit of a person's own tokens is reached. */
export const fullOfPersonalTokens = (limit: number): Failure =>
  failure('conflict', `A person has at most ${limit} personal tokens. Revoke some first.`)
