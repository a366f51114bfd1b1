import { ErrorBoundary } from '@firsthand/react'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { addOne, useBasket } from '../lib/basket.ts'
import { money, productOf, type Product } from '../lib/products.ts'
import { Picture } from '../parts/Picture.tsx'
import { problemFallback } from '../parts/Problem.tsx'
import styles from './ProductPage.module.css'

interface Views {
  readonly left: { readonly degrees: number }
  readonly right: { readonly degrees: number }
}

/** There are no side views of the carafe: its page breaks. */
const viewsOf = ({ shape }: Product): Views | undefined =>
  shape === 'carafe' ? undefined : { left: { degrees: -14 }, right: { degrees: 14 } }

const AllSides = ({ product }: { readonly product: Product }): ReactNode => {
  // A common mistake, made on purpose: the cast hides that there may be none.
  const { left, right } = viewsOf(product) as Views
  return (
    <div className={styles.sides}>
      {[left, right].map(({ degrees }) => (
        <div key={degrees} style={{ transform: `perspective(400px) rotateY(${degrees}deg)` }}>
          <Picture shape={product.shape} hue={product.hue} />
        </div>
      ))}
    </div>
  )
}

const sidesFallback = problemFallback('The other sides cannot be shown')

export const ProductPage = (): ReactNode => {
  const { id } = useParams({ strict: false })
  const product = productOf(id ?? '')
  const [isTurned, setTurned] = useState(false)
  const { lines } = useBasket()
  if (product === undefined) {
    return (
      <>
        <h1>We do not make that</h1>
        <p>
          There is no product of that name. <Link to="/">Back to the shop</Link>
        </p>
      </>
    )
  }
  const inBasket = lines.find((line) => line.product.id === product.id)?.count ?? 0
  return (
    <article className={styles.product}>
      <div>
        <Picture shape={product.shape} hue={product.hue} />
        <ErrorBoundary fallback={sidesFallback} onReset={() => setTurned(false)} resetKeys={[product.id]}>
          {isTurned && <AllSides product={product} />}
        </ErrorBoundary>
      </div>
      <div>
        <h1>{product.name}</h1>
        <p className={styles.note}>{product.note}</p>
        <p className={styles.text}>{product.text}</p>
        <p className={styles.price}>{money(product.price)}</p>
        <p className={styles.actions}>
          <button type="button" className="main" onClick={() => addOne(product.id)}>
            Add to basket
          </button>
          <button type="button" className="quiet" onClick={() => setTurned(true)}>
            See all sides
          </button>
        </p>
        <p className={styles.status} role="status">
          {inBasket > 0 && (
            <>
              {inBasket} in your basket. <Link to="/basket">Go there</Link>
            </>
          )}
        </p>
      </div>
    </article>
  )
}
