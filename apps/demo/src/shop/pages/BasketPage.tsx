import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { setCount, useBasket } from '../lib/basket.ts'
import { money } from '../lib/products.ts'
import { Picture } from '../parts/Picture.tsx'
import styles from './BasketPage.module.css'

export const BasketPage = (): ReactNode => {
  const { lines, total } = useBasket()
  if (lines.length === 0) {
    return (
      <section className={styles.empty}>
        <h1>Your basket is empty</h1>
        <p>
          <Link to="/" className="main">
            Look around
          </Link>
        </p>
      </section>
    )
  }
  return (
    <section className={styles.basket}>
      <h1>Basket</h1>
      <ul>
        {lines.map(({ product, count }) => (
          <li key={product.id}>
            <Picture shape={product.shape} hue={product.hue} />
            <div>
              <h2>{product.name}</h2>
              <p>{product.note}</p>
            </div>
            <label>
              <span>Number of {product.name}</span>
              <select value={count} onChange={(event) => setCount(product.id, Number(event.target.value))}>
                {[0, 1, 2, 3, 4, 5, 6].map((each) => (
                  <option key={each} value={each}>
                    {each === 0 ? 'Remove' : each}
                  </option>
                ))}
                {count > 6 && <option value={count}>{count}</option>}
              </select>
            </label>
            <strong>{money(count * product.price)}</strong>
          </li>
        ))}
      </ul>
      <p className={styles.total}>
        <span>Together</span> <strong>{money(total)}</strong>
      </p>
      <p className={styles.next}>
        <Link to="/checkout" className="main">
          Go to checkout
        </Link>
      </p>
    </section>
  )
}
