export type Shape = 'cup' | 'bowl' | 'teapot' | 'plate' | 'carafe' | 'vase' | 'jug' | 'moon'

export interface Product {
  readonly id: string
  readonly name: string
  readonly note: string
  readonly text: string
  /** In cents. */
  readonly price: number
  readonly shape: Shape
  /** Of the glaze, degrees on the colour wheel. */
  readonly hue: number
}

export const PRODUCTS: readonly Product[] = [
  {
    id: 'morning-cup',
    name: 'Morning cup',
    note: 'Stoneware, 240 ml',
    text: 'Thick enough to keep coffee warm through the first three e-mails, thin enough at the lip to forget it is there.',
    price: 2400,
    shape: 'cup',
    hue: 18,
  },
  {
    id: 'rain-bowl',
    name: 'Rain bowl',
    note: 'Porcelain, 18 cm',
    text: 'Glazed on a wet day, and it shows: grey-blue outside, white as milk inside. For soup, salad or keys.',
    price: 3200,
    shape: 'bowl',
    hue: 212,
  },
  {
    id: 'everyday-teapot',
    name: 'Everyday teapot',
    note: 'Stoneware, 900 ml',
    text: 'Does not drip. We poured four hundred pots to be sure, and then a few more because we had friends over.',
    price: 6800,
    shape: 'teapot',
    hue: 150,
  },
  {
    id: 'bread-plate',
    name: 'Bread plate',
    note: 'Stoneware, 21 cm',
    text: 'Wide rim, low foot, stacks without wobbling. Crumbs stay where they fall.',
    price: 1900,
    shape: 'plate',
    hue: 42,
  },
  {
    id: 'moon-teapot',
    name: 'Moon teapot',
    note: 'Porcelain, limited',
    text: 'Round as the full moon and priced in its currency. Our till has never managed to sell one: try the checkout.',
    price: 12_000,
    shape: 'moon',
    hue: 265,
  },
  {
    id: 'glass-carafe',
    name: 'Glass carafe',
    note: 'Borosilicate, 1 l',
    text: 'Blown by hand, clear as water. You can look at it from all sides, or so we were promised.',
    price: 4500,
    shape: 'carafe',
    hue: 186,
  },
  {
    id: 'one-stem-vase',
    name: 'One-stem vase',
    note: 'Raku, 16 cm',
    text: 'For the single flower that somebody brought. Every crack in the glaze is where the smoke went in.',
    price: 3900,
    shape: 'vase',
    hue: 345,
  },
  {
    id: 'milk-jug',
    name: 'Milk jug',
    note: 'Porcelain, 300 ml',
    text: 'A spout that knows when to stop. Also a good home for wooden spoons.',
    price: 2800,
    shape: 'jug',
    hue: 90,
  },
]

export const productOf = (id: string): Product | undefined => PRODUCTS.find((product) => product.id === id)

const MONEY = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' })

/** @param cents 2400 → €24.00 */
export const money = (cents: number): string => MONEY.format(cents / 100)
