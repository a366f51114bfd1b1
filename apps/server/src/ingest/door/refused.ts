import { refuse, type Refusal } from './refusal.ts'

/** The client went away; there is nobody to answer. */
export const ABORTED = 'aborted'

/** @param name of the item's type, as far as it is known */
export const largerItem = (name: string, bytes: number): Refusal =>
  refuse(413, 'too_large', `item of type ${name} is larger than ${bytes} bytes`)

/** Ends the reading of a body piece by piece, wherever it is just now. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly reason: Refusal | typeof ABORTED

  constructor(reason: Refusal | typeof ABORTED) {
    super('The request is refused.')
    this.reason = reason
  }
}
