/** The language a source line is coloured as; null leaves it plain. Only these grammars are ever loaded. */
export const LANGUAGES = [
  'javascript',
  'jsx',
  'typescript',
  'tsx',
  'python',
  'ruby',
  'php',
  'go',
  'java',
  'kotlin',
  'csharp',
  'rust',
  'swift',
  'dart',
  'c',
  'cpp',
  'elixir',
  'vue',
  'svelte',
  'html',
  'json',
] as const
export type Language = (typeof LANGUAGES)[number]

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map([
  ['js', 'javascript'],
  ['mjs', 'javascript'],
  ['cjs', 'javascript'],
  ['jsx', 'jsx'],
  ['ts', 'typescript'],
  ['mts', 'typescript'],
  ['cts', 'typescript'],
  ['tsx', 'tsx'],
  ['py', 'python'],
  ['rb', 'ruby'],
  ['php', 'php'],
  ['go', 'go'],
  ['java', 'java'],
  ['kt', 'kotlin'],
  ['kts', 'kotlin'],
  ['cs', 'csharp'],
  ['rs', 'rust'],
  ['swift', 'swift'],
  ['dart', 'dart'],
  ['c', 'c'],
  ['h', 'c'],
  ['cc', 'cpp'],
  ['cpp', 'cpp'],
  ['hpp', 'cpp'],
  ['ex', 'elixir'],
  ['exs', 'elixir'],
  ['vue', 'vue'],
  ['svelte', 'svelte'],
  ['html', 'html'],
  ['json', 'json'],
])

const BY_PLATFORM: ReadonlyMap<string, Language> = new Map([
  ['javascript', 'javascript'],
  ['node', 'javascript'],
  ['python', 'python'],
  ['ruby', 'ruby'],
  ['php', 'php'],
  ['go', 'go'],
  ['java', 'java'],
  ['csharp', 'csharp'],
  ['rust', 'rust'],
  ['swift', 'swift'],
  ['cocoa', 'swift'],
  ['dart', 'dart'],
  ['c', 'c'],
  ['native', 'cpp'],
  ['elixir', 'elixir'],
])

export function languageOf(filename: string, platform: string): Language | null {
  const extension = /\.([A-Za-z]+)(?:[?#].*)?$/.exec(filename)?.[1]?.toLowerCase()
  const known = extension === undefined ? undefined : BY_EXTENSION.get(extension)
  return known ?? BY_PLATFORM.get(platform) ?? null
}
