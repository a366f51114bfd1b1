import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addOne } from '../lib/basket.ts'
import { money, PRODUCTS } from '../lib/products.ts'
import { Picture } from '../parts/Picture.tsx'
import styles from './Catalogue.module.css'

export const Catalogue = (): ReactNode => (
  <>
    <section className={styles.hero}>
      <h1>Things to drink from, made slowly</h1>
      <p>Eight pieces, one kiln, no hurry. Put a few in the basket and see what breaks.</p>
    </section>
    <ul className={styles.grid}>
      {PRODUCTS.map((product) => (
        <li key={product.id} className={styles.card}>
          <Link to="/product/$id" params={{ id: product.id }} className={styles.link}>
            <Picture shape={product.shape} hue={product.hue} />
            <h2>{product.name}</h2>
          </Link>
          <p className={styles.note}>{product.note}</p>
          <p className={styles.buy}>
            <strong>{money(product.price)}</strong>
            <button
              type="button"
              className="quiet"
              onClick={() => addOne(product.id)}
              aria-label={`Add ${product.name} to the basket`}
            >
              Add
            </button>
          </p>
        </li>
      ))}
    </ul>
  </>
)
