import { addBreadcrumb } from '@firsthand/browser'
import { productOf, type Product } from './products.ts'
import { createStore } from './store.ts'

/** How many of which product. */
type Basket = Readonly<Record<string, number>>

const store = createStore<Basket>({}, 'kettle-basket')

export interface Line {
  readonly product: Product
  readonly count: number
}

const linesOf = (basket: Basket): readonly Line[] =>
  Object.entries(basket).flatMap(([id, count]) => {
    const product = productOf(id)
    return product === undefined || count <= 0 ? [] : [{ product, count }]
  })

export const useBasket = (): { readonly lines: readonly Line[]; readonly count: number; readonly total: number } => {
  const lines = linesOf(store.use())
  return {
    lines,
    count: lines.reduce((sum, line) => sum + line.count, 0),
    total: lines.reduce((sum, line) => sum + line.count * line.product.price, 0),
  }
}

export const setCount = (id: string, count: number): void => {
  addBreadcrumb({ category: 'basket', message: `${id} × ${count}`, level: 'info' })
  store.set({ ...store.get(), [id]: count })
}

export const addOne = (id: string): void => setCount(id, (store.get()[id] ?? 0) + 1)

export const emptyBasket = (): void => store.set({})
