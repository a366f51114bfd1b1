import { describe, expect, it } from 'vitest'
import { element, NOW, snapshot, text } from '../page.fixture.ts'
import { PageState } from '../page-state.ts'
import type { PageNode } from '../page-tree.ts'
import { Finder, newBudget } from './locator.ts'

type Node = Record<string, unknown>

/** A visit asks for role, name and what hides: each reads what was recorded of the node. */
const READS_OF_VISIT = 15

const CLICKED = 50

const pageOf = (body: Node) => {
  const page = new PageState()
  page.apply(snapshot(NOW, body))
  const { document } = page
  const clicked = page.node(CLICKED)
  if (document === null || clicked === null) throw new Error('no page')
  return { document, clicked }
}

/** Counts how often what was recorded of a node is read. */
const countReads = (top: PageNode): (() => number) => {
  let reads = 0
  const waiting = [top]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { data } = node
    Object.defineProperty(node, 'data', {
      get: () => {
        reads += 1
        return data
      },
    })
    for (let child = node.light.first; child !== null; child = child.next) waiting.push(child)
  }
  return () => reads
}

/** Columns of buttons in each other, so that each has many ancestors and the names of those in it. */
const nested = (columns: number, depth: number): Node => {
  let id = 100
  const column = (): Node => {
    let inner = text(id++, 'Pay')
    for (let level = 0; level < depth; level += 1) inner = element(id++, 'button', {}, inner)
    return inner
  }
  return element(
    10,
    'body',
    {},
    element(CLICKED, 'button', {}, text(51, 'Buy')),
    ...Array.from({ length: columns }, column),
  )
}

describe('what looking for an element costs', () => {
  it('is bounded by nodes that are visited, on a page of buttons in each other', () => {
    const { clicked, document } = pageOf(nested(40, 480))
    const reads = countReads(document)
    const most = 100_000
    const budget = newBudget(most)
    for (let clicks = 0; clicks < 20; clicks += 1) new Finder(document, budget).find(clicked)
    expect(budget.search.isDone).toBe(true)
    expect(reads()).toBeLessThan(most * READS_OF_VISIT)
  })

  it('is small on a page as people make them', () => {
    const { clicked, document } = pageOf(nested(500, 1))
    const budget = newBudget(20_000)
    expect(new Finder(document, budget).find(clicked)?.code).toBe("page.getByRole('button', { name: 'Buy' })")
    expect(budget.search.isDone).toBe(false)
  })

  it('is no more for many fields that share many labels', () => {
    const each = (from: number, one: (id: number) => Node): Node[] =>
      Array.from({ length: 900 }, (_, index) => one(from + index))
    const labels = each(5000, (id) => element(id, 'label', { for: 'f' }, text(id + 1000, 'Street')))
    const own = [element(40, 'label', { for: 'own' }, text(41, 'Town')), element(CLICKED, 'input', { id: 'own' })]
    const fields = each(7000, (id) => element(id, 'input', { id: 'f' }))
    const { clicked, document } = pageOf(element(10, 'body', {}, ...own, ...labels, ...fields))
    const reads = countReads(document)
    const most = 50_000
    const budget = newBudget(most)
    new Finder(document, budget).find(clicked)
    expect(budget.search.isDone).toBe(true)
    expect(reads()).toBeLessThan(most * READS_OF_VISIT)
  })

  it('says paths when nothing is left for anything else, and nothing when no path is left either', () => {
    const { clicked, document } = pageOf(nested(500, 1))
    expect(new Finder(document, { ...newBudget(), search: newBudget(100).search }).find(clicked)?.code).toBe(
      "page.locator('html > body > button:nth-of-type(1)')",
    )
    expect(new Finder(document, newBudget(100)).find(clicked)).toBeNull()
  })
})
