import { createHmac } from 'node:crypto'

/** The purpose of the secret behind these numbers. */
export const PEOPLE_OF_SESSIONS = 'people of sessions'

/** A number by which people of an organisation are told apart, in decimal digits; '0' for nobody that is known. */
export type NumberOfUser = (organizationId: number, user: string) => string

/**
 * Who had a session is of no use to anybody, only whether two had the same. So what telemetry has of a person is a number
 * that cannot be read back without a secret of the installation, and is another one in each organisation.
 */
export const createUserNumber =
  (key: Uint8Array): NumberOfUser =>
  (organizationId, user) => {
    if (user === '') return '0'
    const number = createHmac('sha256', key).update(`${organizationId}:${user}`).digest().readBigUInt64BE(0)
    return String(number === 0n ? 1n : number)
  }
