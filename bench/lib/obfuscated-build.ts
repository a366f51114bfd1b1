import { randomFrom } from '../events.ts'

/** A mapping as R8 writes it for an app, and where code of the app throws. */
export interface ObfuscatedBuild {
  readonly mapping: string
  /** As frames name them, in the order of the classes. */
  readonly places: readonly { readonly module: string; readonly function: string; readonly lineno: number }[]
}

const PACKAGES = [
  'shop.basket',
  'shop.checkout',
  'shop.search',
  'account',
  'network.client',
  'storage.cache',
  'ui.list',
]
const WORDS = ['Article', 'Basket', 'Price', 'Visitor', 'Order', 'Address', 'Payment', 'Picture', 'Session', 'Worker']
const VERBS = ['load', 'update', 'remove', 'observe', 'render', 'validate', 'collect', 'apply', 'merge', 'notify']

/** As R8 calls things, the shortest first: `a`, `b`, … `aa`. */
const shortName = (index: number): string => {
  const letter = String.fromCharCode(97 + (index % 26))
  return index < 26 ? letter : `${shortName(Math.floor(index / 26) - 1)}${letter}`
}

/** @param bytes about so large is the mapping */
export const obfuscatedBuild = (bytes: number): ObfuscatedBuild => {
  const random = randomFrom(20)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = (words: readonly string[]): string => words[below(words.length)] ?? ''
  const className = (index: number): string =>
    `com.acme.${PACKAGES[index % PACKAGES.length]}.${pick(WORDS)}${pick(WORDS)}${index}`
  const places: ObfuscatedBuild['places'][number][] = []
  const parts: string[] = ['# compiler: R8\n# compiler_version: 8.7.18\n# min_api: 24\n# pg_map_id: 5b65abf\n']
  const names: string[] = []
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const original = className(index)
    names.push(original)
    const module = `${shortName(index % 300)}.${shortName(Math.floor(index / 300))}`
    const lines = [`${original} -> ${module}:`, `# {"id":"sourceFile","fileName":"${original.split('.').at(-1)}.kt"}`]
    let line = 1
    // Most classes are small; some have hundreds of methods.
    const methods = 1 + Math.floor(60 * random() ** 4)
    for (let method = 0; method < methods; method += 1) {
      const own = `${pick(VERBS)}${pick(WORDS)}`
      const obfuscated = shortName(below(1 + Math.ceil(methods / 2)))
      const written = 10 + below(900)
      for (let range = 1 + below(4); range > 0; range -= 1) {
        // Of the ranges of a method a third has something inlined, some of it more than once.
        const inlined = random() < 0.33 ? 1 + below(3) : 0
        const to = inlined > 0 ? line : line + below(6)
        for (let depth = 0; depth < inlined; depth += 1) {
          const at = 10 + below(900)
          lines.push(
            `    ${line}:${to}:void ${names[below(names.length)]}.${pick(VERBS)}${pick(WORDS)}(java.lang.String,int):${at}:${at} -> ${obfuscated}`,
          )
        }
        const last = inlined > 0 ? written + range : written + range + to - line
        lines.push(
          `    ${line}:${to}:void ${own}(java.util.List,kotlin.coroutines.Continuation):${written + range}:${last} -> ${obfuscated}`,
        )
        places.push({ module, function: obfuscated, lineno: to })
        line = to + 1
      }
    }
    const part = `${lines.join('\n')}\n`
    parts.push(part)
    size += part.length
  }
  return { mapping: parts.join(''), places }
}
