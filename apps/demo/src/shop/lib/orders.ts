import type { Line } from './basket.ts'

export interface OrderTaken {
  readonly number: string
  readonly days: number
}

/** The server said no. */
class HttpError extends Error {
  override readonly name = 'HttpError'
}

/** What the shopper wanted did not happen; the cause says why. */
export class OrderError extends Error {
  override readonly name = 'OrderError'
}

/** @throws OrderError caused by what the server answered */
export const placeOrder = async (lines: readonly Line[]): Promise<OrderTaken> => {
  const items = lines.map(({ product, count }) => ({ id: product.id, count }))
  try {
    const answer = await fetch('/api/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    })
    if (!answer.ok) {
      const { error } = (await answer.json()) as { error: string }
      throw new HttpError(`POST /api/orders answered ${answer.status}: ${error}`)
    }
    return (await answer.json()) as OrderTaken
  } catch (error) {
    throw new OrderError('The order could not be placed', { cause: error })
  }
}
