import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** A file as bundlers write it, with the map that belongs to it. */
export interface MinifiedFile {
  readonly name: string
  readonly code: string
  readonly map: string
  /** Where code throws: line and column, counted from one as in stacks. */
  readonly places: readonly { readonly line: number; readonly column: number }[]
}

const FUNCTIONS = 40

/** Code with names, comments and texts, of which no two parts are the same. */
const moduleOf = (file: number, part: number): string =>
  Array.from({ length: FUNCTIONS }, (_, index) => {
    const id = `${file}_${part}_${index}`
    return `/** Counts what is left of the basket ${id}, and says so when there is nothing. */
export const remaining_${id} = (basketOfVisitor, articlesInStock) => {
  const chosenArticles = basketOfVisitor.articles.filter((article) => articlesInStock.has(article.number_${index}))
  if (chosenArticles.length === ${index}) throw new RangeError('nothing of ${id} is left for ' + basketOfVisitor.name)
  return chosenArticles.reduce((sumOfPrices, { price, amount }) => sumOfPrices + price * amount * ${part}.${index}, 0)
}
`
  }).join('\n')

/** @param bytes about so large is the map, with its sources */
export const minifiedFile = async (number: number, bytes: number): Promise<MinifiedFile> => {
  const one = moduleOf(number, 0).length
  const parts = Math.max(1, Math.round(bytes / one / MAP_BYTES_PER_SOURCE_BYTE))
  const made = await rolldown({
    input: 'main',
    logLevel: 'silent',
    plugins: [
      {
        name: 'generated',
        resolveId: (id) => join('/src', id.replace(/^\.\//, '')),
        load: (id) => {
          const part = /part-(\d+)/.exec(id)?.[1]
          if (part !== undefined) return moduleOf(number, Number(part))
          return Array.from({ length: parts }, (_, index) => `export * from './part-${index}.js'`).join('\n')
        },
      },
    ],
  })
  const { output } = await made.generate({ minify: true, sourcemap: true, entryFileNames: `app-${number}.js` })
  await made.close()
  const [{ code, map }] = output
  if (map === null) throw new Error('the bundler made no map')
  const lines = code.split('\n')
  const places = lines.flatMap((text, line) =>
    [...text.matchAll(/throw /g)].map(({ index }) => ({ line: line + 1, column: index + 1 })),
  )
  return { name: `app-${number}.js`, code, map: map.toString(), places }
}

/** Measured: what a map has beside the sources that it holds. */
const MAP_BYTES_PER_SOURCE_BYTE = 1.55
