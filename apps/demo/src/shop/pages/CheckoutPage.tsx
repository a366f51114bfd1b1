import { captureException } from '@firsthand/browser'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactNode } from 'react'
import { emptyBasket, useBasket } from '../lib/basket.ts'
import { placeOrder, type OrderTaken } from '../lib/orders.ts'
import { money } from '../lib/products.ts'
import { Problem } from '../parts/Problem.tsx'
import styles from './CheckoutPage.module.css'

type Progress =
  | { readonly kind: 'filling' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'failed'; readonly eventId: string }
  | { readonly kind: 'done'; readonly order: OrderTaken }

export const CheckoutPage = (): ReactNode => {
  const { lines, total } = useBasket()
  const [progress, setProgress] = useState<Progress>({ kind: 'filling' })

  const order = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault()
    setProgress({ kind: 'sending' })
    try {
      const taken = await placeOrder(lines)
      emptyBasket()
      setProgress({ kind: 'done', order: taken })
    } catch (error) {
      const eventId = captureException(error, {
        tags: { step: 'payment' },
        contexts: { basket: { total, things: lines.length } },
      })
      setProgress({ kind: 'failed', eventId })
    }
  }

  if (progress.kind === 'done') {
    return (
      <section className={styles.checkout} role="status">
        <h1>Thank you</h1>
        <p>
          Order {progress.order.number} is on its way, or would be. It takes {progress.order.days} days.
        </p>
        <p>
          <Link to="/" className="main">
            Back to the shop
          </Link>
        </p>
      </section>
    )
  }
  if (lines.length === 0) {
    return (
      <section className={styles.checkout}>
        <h1>Nothing to pay for</h1>
        <p>
          <Link to="/" className="main">
            Fill the basket
          </Link>
        </p>
      </section>
    )
  }
  return (
    <section className={styles.checkout}>
      <h1>Checkout</h1>
      {progress.kind === 'failed' && (
        <Problem title="Your order did not go through" eventId={progress.eventId} onRetry={() => void order()} />
      )}
      <div className={styles.columns}>
        <form onSubmit={(event) => void order(event)}>
          <label>
            Name <input name="name" autoComplete="off" defaultValue="Robin Reed" required />
          </label>
          <label>
            Address <input name="address" autoComplete="off" defaultValue="4 Kiln Lane, Galway" required />
          </label>
          <label>
            Card number
            <input
              name="card"
              inputMode="numeric"
              autoComplete="off"
              defaultValue="4242 4242 4242 4242"
              data-fh-mask
              required
            />
            <small>Masked in every picture that leaves this page. It is no real card; leave it as it is.</small>
          </label>
          <button className="main" disabled={progress.kind === 'sending'}>
            {progress.kind === 'sending' ? 'One moment…' : `Pay ${money(total)}`}
          </button>
        </form>
        <aside aria-label="Your order">
          <ul>
            {lines.map(({ product, count }) => (
              <li key={product.id}>
                <span>
                  {count} × {product.name}
                </span>
                <span>{money(count * product.price)}</span>
              </li>
            ))}
          </ul>
          <p>
            <strong>Together</strong> <strong>{money(total)}</strong>
          </p>
        </aside>
      </div>
    </section>
  )
}
