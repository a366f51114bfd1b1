import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FeatureRoutes, features } from '../src/features.ts'
import { createConsoleRouter } from '../src/routes/router.ts'
import { createPages } from '../src/shell/navigation/pages.ts'

const src = join(import.meta.dirname, '..', 'src')

/** Names of features that are also ordinary words of a frame, and what they mean there. */
const ORDINARY: Readonly<Record<string, string>> = {
  account: 'the person who is signed in',
  auth: 'the gate before everything that needs a signed-in person',
  call: 'what the console asks of the server',
  log: 'people log in and out',
  logs: 'those of the server, to which its error page sends',
  release: 'the version of this console, with which it reports on itself',
  project: 'every organisation has projects, and the palette has commands for each',
  projects: 'as above',
  search: 'the search parameters of an address',
  settings: 'those of a project, to which features add tabs',
  setting: 'as above',
}

/** What the contract or a standard calls by such a name, in the file that may say so. */
const CONTRACT_WORDS: Readonly<Record<string, RegExp>> = {
  // The button with which this console is itself reported on.
  'own-reporting.tsx': /feedbackButton/g,
  // What is read aloud at once, by the standard of accessible pages.
  'navigation/error-page.tsx': /role="alert"/g,
}

const sources = ['shell', 'routes'].flatMap((folder) =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(src, folder, name), 'utf8') })),
)
const folders = readdirSync(join(src, 'features'))

/** Every word of a text, also those inside `camelCase` names, in small letters. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.match(/[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase()))

describe('manifests of features', () => {
  beforeAll(() => {
    const queryClient = new QueryClient()
    const pages = createPages({ queryClient, openDocument: () => undefined, isServerReachable: async () => true })
    // Routes know their paths once a router has them all.
    createConsoleRouter<FeatureRoutes>({ queryClient, pages, features })
  })

  it('are read by the shell and the routes, which name no feature', () => {
    const names = folders.flatMap((folder) => [folder, folder.replace(/s$/, '')]).filter((name) => !(name in ORDINARY))
    expect(names).toContain('feedback')
    expect(sources.length).toBeGreaterThan(20)
    const found = sources.flatMap(({ name, text }) => {
      const words = wordsOf(text.replace(CONTRACT_WORDS[name] ?? /$^/, ''))
      return names.filter((word) => words.has(word)).map((word) => `${name}: ${word}`)
    })
    expect(found).toEqual([])
  })

  it('are the only place that knows the paths of pages', () => {
    const paths = features.flatMap(({ routes }) => routes.map((route): string => route.fullPath))
    expect(paths).toContain('/organizations/$org/issues/$issue')
    const found = sources.flatMap(({ name, text }) =>
      paths
        .filter((path) => text.includes(`'${path}'`) || text.includes(`"${path}"`))
        .map((path) => `${name}: ${path}`),
    )
    expect(found).toEqual([])
    expect(sources.filter(({ text }) => /from '[^']*\/features\//.test(text))).toEqual([])
  })

  it('stand in the list, one for each folder that has pages', () => {
    const withManifest = folders.filter((folder) => readdirSync(join(src, 'features', folder)).includes('manifest.ts'))
    expect(features).toHaveLength(withManifest.length)
    const list = readFileSync(join(src, 'features.ts'), 'utf8')
    expect(withManifest.filter((folder) => !list.includes(`./features/${folder}/manifest.ts`))).toEqual([])
  })

  it('lead to pages that exist, and use no shortcut and no route twice', () => {
    const paths = new Set(features.flatMap(({ routes }) => routes.map((route): string => route.fullPath)))
    const entries = features.flatMap((feature) => feature.navigation ?? [])
    const menus = features.flatMap(({ menus }) => [...(menus?.organization ?? []), ...(menus?.person ?? [])])
    const entrances = features.flatMap(({ entrance }) => entrance?.path ?? [])
    const targets = [...entries.map(({ page }) => page.path), ...menus.map(({ page }) => page.path), ...entrances]
    expect(targets.length).toBeGreaterThan(6)
    expect(targets.filter((path) => !paths.has(path))).toEqual([])
    const shortcuts = entries.map(({ shortcut }) => shortcut)
    expect(new Set(shortcuts).size).toBe(shortcuts.length)
    const ids = features.flatMap(({ routes }) => routes.map((route): string => route.id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})
