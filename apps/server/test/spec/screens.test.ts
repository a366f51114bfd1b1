import { describe, expect, it } from 'vitest'
import { child, children, constant, nameOf, readSources, textsOf, walk } from './source.ts'
import type { Node } from './source.ts'
import { cell, differences, tableOf } from './spec-tables.ts'
import type { Fact } from './spec-tables.ts'

interface Route {
  readonly path: string
  readonly parent: string | null
  readonly screen: string
}

const property = (object: Node | null, name: string): Node | null => {
  const found = children(object, 'properties').find((entry) => nameOf(child(entry, 'key')) === name)
  return child(found ?? null, 'value')
}

/** `x.component` of `const x = screen(() => import(…), 'Name')` → `Name`; a component by its own name otherwise. */
const screenName = (program: Node, component: Node | null): string => {
  if (component === null) return ''
  if (component.type === 'Identifier') return nameOf(component) ?? ''
  const [, name = null] = children(constant(program, nameOf(child(component, 'object')) ?? ''), 'arguments')
  return textsOf(name)[0] ?? ''
}

/** Where the console makes its routes: its frame, and the manifests of the features. */
const CONSOLE_ROUTES = ['apps/console/src/routes', 'apps/console/src/shell', 'apps/console/src/features']

/** Every `createRoute` of the console by the name of its constant. */
const routesOf = (): ReadonlyMap<string, Route> => {
  const routes = new Map<string, Route>()
  for (const { program } of CONSOLE_ROUTES.flatMap(readSources)) {
    walk(program, (node) => {
      const call = node.type === 'VariableDeclarator' ? child(node, 'init') : null
      if (call?.type !== 'CallExpression' || nameOf(child(call, 'callee')) !== 'createRoute') return
      const [options = null] = children(call, 'arguments')
      routes.set(nameOf(child(node, 'id')) ?? '', {
        path: textsOf(property(options, 'path'))[0] ?? '',
        parent: nameOf(child(property(options, 'getParentRoute'), 'body')),
        screen: screenName(program, property(options, 'component')),
      })
    })
  }
  return routes
}

describe('docs/spec.md section 2', () => {
  it('has every screen of the console with its address', () => {
    const routes = routesOf()
    const addressOf = (route: Route): string => {
      const parent = route.parent === null ? undefined : routes.get(route.parent)
      const above = parent === undefined ? '' : addressOf(parent)
      return `${above}/${route.path}`.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, '')
    }
    const isGroup = (name: string): boolean => [...routes.values()].some((route) => route.parent === name)
    const code = [...routes]
      .filter(([name]) => !isGroup(name))
      .map(([, route]): Fact => [addressOf(route), route.screen === '' ? 'redirect' : route.screen])
    expect(code.length).toBeGreaterThan(0)
    const documented = tableOf('screens').map((row): Fact => [cell(row, 'address'), cell(row, 'screen')])
    expect(differences('screens', documented, code)).toEqual([])
  })
})
