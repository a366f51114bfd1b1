import type { Result } from '../lib/result.ts'
import type { AccountStore } from './accounts.store.ts'
import type { Failure } from './failure.ts'

class Undo extends Error {
  override readonly name = 'Undo'
  readonly result: Result<never, Failure>

  constructor(result: Result<never, Failure>) {
    super('The transaction is undone')
    this.result = result
  }
}

/** A transaction whose failure leaves nothing behind. */
export const atomically = async <Value>(
  store: AccountStore,
  work: (store: AccountStore) => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure>> => {
  try {
    return await store.transaction(async (transaction) => {
      const result = await work(transaction)
      if (!result.ok) throw new Undo(result)
      return result
    })
  } catch (error) {
    if (error instanceof Undo) return error.result
    throw error
  }
}
